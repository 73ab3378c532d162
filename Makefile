# Two commands do everything on a machine with Python 3.11 or newer: `make credit` and `make test`.
# Others: make simulations | timing | docs | test-deep | lint | clean, and the passes of test-deep one by one, test-docs |
# test-examples | test-cluster | test-bounds | test-plain | test-jit-off, and test-lowest (the lowest versions of everything).
# Variables: VENV=dir  PYTHON=/path/to/python3.12  DATA=file.csv.gz (credit)  WORKERS=2 (tests)  ARGS="..." (handed on)

SHELL := /bin/bash
.DELETE_ON_ERROR:
.PHONY: help credit simulations timing docs test test-deep test-docs test-examples test-cluster test-bounds test-plain test-jit-off \
    test-lowest lint clean

VENV ?= .venv
ifeq ($(origin PYTHON),undefined)
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11
else
CANDIDATES := $(PYTHON)
endif
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

help:
	@sed -n '1,4s/^# //p' Makefile

credit: $(VENV)/.has-bench
	$(BIN)/python -m bench.credit $(if $(DATA),--data $(DATA)) $(ARGS)

simulations: $(VENV)/.has-bench
	$(BIN)/python -m bench.simulations $(ARGS)

timing: $(VENV)/.has-bench,test,peers
	@mkdir -p results
	$(BIN)/python -m pytest bench/kernels --benchmark-columns=median,iqr,rounds --benchmark-json=results/kernels.json
	$(BIN)/python -m bench.timing $(ARGS)

# The pages and the reference, as HTML that loads nothing from elsewhere; a warning is an error.
docs: $(VENV)/.has-docs
	rm -rf build/docs docs/generated
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet --builder html docs build/docs $(ARGS)
	@echo "build/docs/index.html" >&2

# In as many processes as there are cores; WORKERS=0 runs the tests in one, in their order.
WORKERS ?= auto
EVERYTHING := tests bench/kernels --benchmark-disable -n $(WORKERS)
test: $(VENV)/.has-bench,test,cluster,onnx
	$(BIN)/python -m pytest $(EVERYTHING) $(ARGS)

# Long passes. Compiled code of each kind has a folder of its own by itself (csboost/_code_cache.py).
test-deep: test-docs test-examples test-cluster test-bounds test-plain test-jit-off

test-docs: $(VENV)/.has-docs,test  # the pages are built, load nothing from elsewhere and fit a phone
	$(BIN)/python -m pytest tests/test_docs_build.py $(ARGS)

EXAMPLES ?= 100
test-examples: $(VENV)/.has-bench,test,cluster,onnx  # properties with many more examples
	CSBOOST_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest tests -m hypothesis -n $(WORKERS) $(ARGS)

test-cluster: $(VENV)/.has-bench,test,cluster,onnx  # every booster on Dask, on clusters of processes, twenty workers killed
	CSBOOST_EXAMPLES=5 $(BIN)/python -m pytest tests/test_dask_bits.py tests/test_dask_faults.py tests/test_timing_cluster_stage.py $(ARGS)

test-bounds: $(VENV)/.has-bench,test,cluster,onnx  # array bounds are checked
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(EVERYTHING) $(ARGS)

test-plain: $(VENV)/.has-bench,test,cluster,onnx  # Numba compiles as it comes, without csboost/_linking.py
	CSBOOST_LINKING=0 $(BIN)/python -m pytest $(EVERYTHING) $(ARGS)

# Nothing is compiled, so that every line can be counted; then, for their own lines, what makes machine code.
GENERATORS := tests/test_jit.py tests/test_intrinsics.py tests/test_code_cache.py
test-jit-off: $(VENV)/.has-bench,test,cluster,onnx,coverage
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests -n $(WORKERS) --cov=csboost --cov-report= $(ARGS)
	$(BIN)/python -m coverage report --sort=cover --skip-covered
	$(BIN)/python -m pytest $(GENERATORS) --cov=csboost --cov-append --cov-report=term:skip-covered \
	    --cov-fail-under=95

# The lowest versions that pyproject.toml allows, in an environment of their own.
LOWEST := $(VENV)-lowest
test-lowest:
	$(MAKE) test VENV=$(LOWEST) PYTHON=$(or $(PYTHON),python3.11) PIP_CONSTRAINT=$(abspath .ci/lowest.txt)

lint: $(VENV)/.has-bench,lint
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) $(LOWEST) .coverage build dist docs/generated *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis .benchmarks
	find csboost bench tests -name __pycache__ -type d -prune -exec rm -rf {} +

# One stamp file per set of extras: pip runs again only when pyproject.toml or the interpreter changes.
$(VENV)/.has-%: pyproject.toml $(BIN)/python
	@echo "Installing csboost with the extras $* into $(VENV) (once; a minute or two)" >&2
	$(PIP) install --editable ".[$*]"
	$(BIN)/python -c "import csboost; csboost.warm_up()"
	@touch $@

# PYTHON where it is given, else the first interpreter by name that is new enough.
$(BIN)/python:
	@new_enough='import sys; sys.exit(sys.version_info < (3, 11))'; \
	for python in $(CANDIDATES); do \
	    if "$$python" -c "$$new_enough" >/dev/null 2>&1; then \
	        echo "Creating $(VENV) with $$("$$python" --version)" >&2; \
	        "$$python" -m venv --clear "$(VENV)" && exit 0; \
	        rm -rf "$(VENV)"; \
	        echo "error: $$python could not create a virtual environment (Debian and Ubuntu: apt install python3-venv)" >&2; \
	        exit 1; \
	    fi; \
	done; \
	echo "error: csboost needs Python 3.11 or newer; tried: $(CANDIDATES)." \
	    "Name one that is: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; \
	exit 1
