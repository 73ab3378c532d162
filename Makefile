# Two commands do everything on a machine with Python 3.11 or newer: `make credit` and `make test`.
# Others: make simulations | timing | test-deep | lint | clean.
# Variables: VENV=dir  PYTHON=/path/to/python3.12  DATA=file.csv.gz (credit)  ARGS="..." (handed to the command)

SHELL := /bin/bash
.DELETE_ON_ERROR:
.PHONY: help credit simulations timing test test-deep lint clean

VENV ?= .venv
ifeq ($(origin PYTHON),undefined)
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11
else
CANDIDATES := $(PYTHON)
endif
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

help:
	@sed -n '1,3s/^# //p' Makefile

credit: $(VENV)/.has-bench
	$(BIN)/python -m bench.credit $(if $(DATA),--data $(DATA)) $(ARGS)

simulations: $(VENV)/.has-bench
	$(BIN)/python -m bench.simulations $(ARGS)

timing: $(VENV)/.has-bench,test,peers
	@mkdir -p results
	$(BIN)/python -m pytest bench/kernels --benchmark-columns=median,iqr,rounds --benchmark-json=results/kernels.json
	$(BIN)/python -m bench.timing $(ARGS)

test: $(VENV)/.has-bench,test,cluster
	$(BIN)/python -m pytest tests bench/kernels --benchmark-disable $(ARGS)

# Long passes: properties with many more examples, then everything with checks of array bounds, which are compiled in
# and must not mix with other compiled code.
EXAMPLES ?= 100
test-deep: $(VENV)/.has-bench,test,cluster
	CSBOOST_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest tests -m hypothesis $(ARGS)
	rm -rf $(VENV)/bounds-checked
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(abspath $(VENV))/bounds-checked \
	    $(BIN)/python -m pytest tests bench/kernels --benchmark-disable $(ARGS)

lint: $(VENV)/.has-bench,lint
	$(BIN)/ruff check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis .benchmarks
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
