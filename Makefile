# Everything from a fresh clone with Python 3.11 or newer and make. `make help` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO ?= earnshaw-runs/demo
SOURCES := $(shell find src -name '*.py')

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow lint docs bench clean

help:  ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(VENV)/.ready-core $(DEMO)/.sources  ## Run every study at quick scale and write the report
	@$(BIN)/earnshaw reproduce --scale quick --out $(DEMO); status=$$?; \
	if [ -f $(DEMO)/report/index.html ]; then echo "The result is in $(CURDIR)/$(DEMO)/report/index.html"; fi; exit $$status

# What older code computed is not mixed with what newer code computes, so a changed source starts the demo anew.
$(DEMO)/.sources: $(SOURCES)
	@rm -rf $(DEMO) && mkdir -p $(DEMO) && touch $@

test: $(VENV)/.ready-test $(VENV)/.browser  ## Run the fast tests
	$(BIN)/python -m pytest -m "not slow" -n auto --maxprocesses 8 --dist worksteal -q

test-slow: $(VENV)/.ready-test  ## Run the slow tests
	$(BIN)/python -m pytest -m slow -q

lint: $(VENV)/.ready-lint  ## Check style, types and the order of the layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports

docs: $(VENV)/.ready-docs  ## Build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(VENV)/.ready-core  ## Run every benchmark
	@for script in benchmarks/[a-z]*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean:  ## Remove the environment and everything that was built
	rm -rf $(VENV) site build dist earnshaw-runs .pytest_cache .hypothesis .ruff_cache .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Earnshaw needs Python 3.11 or newer; name one with make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
		{ echo "This Python cannot make virtual environments; on Debian install the package python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of dependencies: pip is asked only when pyproject.toml is newer.
$(VENV)/.ready-core: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# The report is tested in Chromium, which the system provides: Debian's is installed where that is allowed, else those
# tests skip and say so. One attempt for each environment.
$(VENV)/.browser: | $(BIN)/python
	@if ! { command -v chromium || command -v chromium-browser; } >/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing Debian's Chromium for the tests of the report"; \
			export DEBIAN_FRONTEND=noninteractive; \
			{ apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium; } >/dev/null 2>&1 || \
				echo "Chromium could not be installed; the tests that need it skip" >&2; \
		else \
			echo "There is no Chromium and no right to install it; the tests that need it skip" >&2; \
		fi; \
	fi
	@touch $@

$(VENV)/.ready-%: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
