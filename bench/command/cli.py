"""The command line that all studies share: options, and a mistake answered in words instead of a traceback.

Only the standard library and the light registry of algorithms are imported here, so that ``--help`` answers at once.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bench import extras, printing
from bench.algorithms import PAPER, REGISTRY, missing_packages
from bench.command.options import add_folder, bare_parser, choice, whole_number
from bench.exits import INTERRUPTED, UNUSABLE, USAGE, Interrupted, UnusableError, UsageError
from bench.machine import available_cores
from bench.protocols import PROTOCOLS

if TYPE_CHECKING:
    from bench.studies.study import Study

PAGE = ("jinja2", "rich")
"""What writing a table and a report needs."""


def base_parser(
    study: str, description: str, replications: int, algorithms: Sequence[str] = PAPER
) -> argparse.ArgumentParser:
    """Return a parser with the options that every study has.

    Parameters
    ----------
    study : str
        The study's name: the command is ``python -m bench.<study>``, the default folder ``results/<study>``.
    description : str
        First paragraph of ``--help``.
    replications : int
        The default of ``--replications``, named in its help text.
    algorithms : sequence of str
        The default of ``--algorithms``: the paper's six, and what follows them.

    Notes
    -----
    What selects jobs (replications, algorithms, protocols, scenarios) has the default None, which lets
    ``--render-only`` tell "not given" from "given" and show what the folder was last asked for.
    """
    parser = bare_parser(study, description)
    what = parser.add_argument_group("what is run")
    what.add_argument("--replications", type=whole_number(1), metavar="N", help=f"default {replications}")
    what.add_argument("--rounds", type=whole_number(1), default=200, metavar="N", help="boosting rounds, default 200")
    what.add_argument(
        "--protocol",
        dest="protocols",
        nargs="+",
        type=choice("protocol", PROTOCOLS),
        metavar="NAME",
        help="faithful (the fair comparison, the default), published (settings and split of the rows chosen after the "
        "fact, because they fit the printed tables), or both",
    )
    what.add_argument(
        "--algorithms",
        nargs="+",
        type=choice("algorithm", REGISTRY),
        metavar="NAME",
        help=f"default: {', '.join(['the six of the paper', *algorithms[len(PAPER) :]])}. Known: {', '.join(REGISTRY)}",
    )
    what.add_argument("--seed", type=whole_number(0), default=0, metavar="N", help="default 0")
    what.add_argument("--quick", action="store_true", help="a first look: 3 replications; a full run continues from it")
    how = parser.add_argument_group("how it is run")
    how.add_argument(
        "--jobs",
        type=whole_number(1),
        metavar="N",
        help=f"processes, default {available_cores()} (a cluster counts its own)",
    )
    how.add_argument("--cluster", metavar="ADDRESS", help="a running Dask scheduler, such as tcp://host:8786")
    add_folder(how, study)
    parser.set_defaults(default_replications=replications, default_algorithms=list(algorithms), study=study)
    return parser


def run(
    parser: argparse.ArgumentParser,
    make_study: Callable[[argparse.Namespace], Study],
    argv: Sequence[str] | None = None,
    check: Callable[[argparse.Namespace], None] | None = None,
) -> int:
    """Parse, run the study and turn every foreseeable mishap into one line and an exit code.

    Parameters
    ----------
    parser : ArgumentParser
        From :func:`base_parser`, with the study's own options added; ``dest="scenarios"`` selects table rows.
    make_study : callable
        Called with the parsed options once they are known to be right; heavy imports belong in there.
    argv : sequence of str, optional
        The arguments; those of the process by default.
    check : callable, optional
        Called with the parsed options before anything heavy is imported, to refuse what can be refused at once.

    Returns
    -------
    int
        The exit code.
    """

    def action(options: argparse.Namespace, command: str) -> int:
        if check is not None:
            check(options)
        if not options.render_only:
            check_peers(options.algorithms or options.default_algorithms)
        from bench.command.pipeline import conduct

        return conduct(make_study, options, command)

    return answer(parser, action, argv)


def answer(
    parser: argparse.ArgumentParser,
    action: Callable[[argparse.Namespace, str], int],
    argv: Sequence[str] | None = None,
    needs: Sequence[str] = PAGE,
) -> int:
    """Parse, call ``action(options, command)`` and return its exit code, or that of the mishap it ended in.

    ``needs`` are the packages of extras without which the action could not end; without one it does not begin.
    """
    # Not above: a worker of bench.timing, which imports this file, says itself which csboost is imported.
    from csboost.command.mishaps import ended_like_ctrl_c

    argv = list(sys.argv[1:] if argv is None else argv)
    try:
        options = parser.parse_args(argv)
    except SystemExit as stop:  # argparse has printed its message
        printing.flush()
        return int(stop.code or 0)
    command = command_line(parser.prog, argv)
    try:
        check_options(options)
        extras.require(*extras.CORE, *needs)
        with ended_like_ctrl_c():
            return action(options, command)
    except UsageError as error:
        return _complain(parser.prog, error, USAGE)
    except (KeyboardInterrupt, Interrupted) as error:
        kept = f" {error}" if isinstance(error, Interrupted) else ""
        print(f"\nInterrupted.{kept} Resume with:\n  {command}", file=sys.stderr, flush=True)
        return INTERRUPTED
    except ImportError as error:
        words = extras.mishap(error)
        if words is None:
            raise
        return _complain(parser.prog, words, UNUSABLE)
    except (UnusableError, OSError) as error:
        return _complain(parser.prog, error, UNUSABLE)


def command_line(prog: str, argv: Sequence[str]) -> str:
    """Return the command that resumes a run: the same one without ``--fresh``, which would start over."""
    return shlex.join([*prog.split(), *(word for word in argv if word != "--fresh")])


def check_options(options: argparse.Namespace) -> None:
    """Refuse what argparse cannot see (UsageError)."""
    if getattr(options, "fresh", False) and options.render_only:
        raise UsageError("--fresh deletes the results that --render-only draws; give one of them.")


def check_peers(algorithms: Sequence[str]) -> None:
    """Refuse algorithms whose package is not installed (UsageError)."""
    missing = missing_packages(list(algorithms))
    if missing:
        needs = ", ".join(f"{name} needs the package {package}" for name, package in missing.items())
        raise UsageError(f"{needs}; install the peers {extras.remedy('peers')}")


def _complain(prog: str, error: Exception, code: int) -> int:
    text = (
        str(error)
        if not isinstance(error, OSError) or error.filename is None
        else f"{error.filename}: {error.strerror}"
    )
    print(f"{prog}: error: {text}", file=sys.stderr, flush=True)
    return code
