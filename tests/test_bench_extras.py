"""Without the packages of an extra: every command says in words which are missing, and what installs them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from test_bench_fakes import ROOT

from bench import exits, extras

WITHOUT = """
import runpy, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
sys.argv = {argv!r}
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""


def run_without(missing, module, *arguments):
    code = WITHOUT.format(missing=set(missing), module=module, argv=[module, *map(str, arguments)])
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    "module", ["credit", "simulations", "calibration", "compare", "decisions", "protocols.readings", "timing"]
)
def test_a_missing_extra_is_named_with_what_installs_it(module, tmp_path):
    done = run_without(["rich", "jinja2"], f"bench.{module}", "--quick", "--out", tmp_path / "out")
    assert done.returncode == exits.UNUSABLE
    assert done.stderr == (
        f"python -m bench.{module}: error: needs the packages jinja2 and rich (extra 'bench'), which are not "
        "installed; in the clone of the project: pip install '.[bench]'\n"
    )
    assert not (tmp_path / "out").exists()


def test_files_need_the_package_that_reads_them(tmp_path):
    (tmp_path / "loans.csv").write_text("grade,issue_d\n")
    done = run_without(["pyarrow"], "bench.credit", "--data", tmp_path / "loans.csv", "--out", tmp_path / "out")
    assert done.returncode == exits.UNUSABLE
    assert "needs the package pyarrow (extra 'bench'), which is not installed" in done.stderr
    assert done.stderr.count("\n") == 1


def test_packages_that_every_installation_has_are_named_too(tmp_path):
    done = run_without(["numba", "rich"], "bench.calibration", "--quick", "--out", tmp_path / "out")
    assert done.returncode == exits.UNUSABLE
    assert "needs the packages numba and rich, which are not installed; in the clone of the project" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("module", ["credit", "calibration", "timing.profile"])
def test_help_needs_nothing_at_all(module):
    done = run_without(["numba", "numpy", "rich", "jinja2", "sklearn", "pandas"], f"bench.{module}", "--help")
    assert done.returncode == exits.DONE
    assert "exit codes: 0 done" in done.stdout


def test_a_module_of_the_program_that_is_missing_is_a_defect_and_not_put_into_words():
    assert extras.mishap(ModuleNotFoundError("No module named 'bench.x'", name="bench.x")) is None
    assert extras.mishap(ImportError("cannot import name")) is None


def test_what_is_not_an_extra_of_the_project_is_not_advised():
    declared = re.search(r"\[project.optional-dependencies\]\n(.*?)\n\n", (ROOT / "pyproject.toml").read_text(), re.S)[
        1
    ]
    by_extra = dict(line.split(" = ", 1) for line in declared.splitlines())
    for package, extra in extras.EXTRAS.items():
        assert f'"{package.replace("_", "-")}' in by_extra[extra]


def test_no_remedy_names_a_package_index_entry_that_does_not_exist():
    """The project is in no index: ``pip install csboost[bench]`` would fail, or fetch a stranger's package."""
    wanted = re.compile(r"csboost\[[a-z$]|pip install (-\S+ )*['\"]?csboost")
    suffixes = {".py", ".md", ".toml", ".j2", ".yml", ".yaml", ".sh"}
    folders = [ROOT / name for name in ("bench", "csboost", "docs", "scripts", ".github", ".ci")]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file() and path.suffix in suffixes]
    files += [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "Makefile", "pyproject.toml", ".ci/run")]
    found = [f"{path}: {match[0]}" for path in files if path.is_file() for match in wanted.finditer(path.read_text())]
    assert found == []
