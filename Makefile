# The same few words here and in CI. Each sets up what it needs in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export KIBITZ_CACHE ?= $(CURDIR)/.cache/kibitz
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play test test-all test-newest prove fuzz check fix bench golden pictures docs shell clean

play: $(VENV)/.play
	$(BIN)/kibitz serve --open

# A shell in which `kibitz` is a command, with the cache that `make play` uses.
shell: $(VENV)/.play
	PATH="$(CURDIR)/$(BIN):$$PATH" "$${SHELL:-bash}"

# One stage compiles every game into a cache that all test workers share; then the laws run again as plain Python.
test: $(VENV)/.dev
	$(BIN)/kibitz warm
	$(BIN)/pytest -n 2
	KIBITZ_INTERPRET=1 $(BIN)/pytest -n 2 tests/laws tests/games tests/search

# A part of the tests on every Python of this machine, with the newest releases of all libraries; QUICK=1 for less of it.
test-all:
	$(PYTHON) -m tests.pythons $(if $(QUICK),--quick)

# The same with the newest Numba and NumPy, beyond our own bounds, and the tests of the compiler's seam.
test-newest:
	$(PYTHON) -m tests.pythons --newest

# Proofs that take too long for every run.
prove: $(VENV)/.dev
	$(BIN)/kibitz warm
	$(BIN)/pytest -n 2 -m proof --durations 0

# Bad inputs of every kind by chance; faults become regression files. `make fuzz MINUTES=60 SEED=2`.
fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),1) --seed $(or $(SEED),1)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# Regenerate the transcripts in tests/golden and the pictures in docs; review them as a diff.
golden: $(VENV)/.dev
	$(BIN)/python -m tests.golden

pictures: $(VENV)/.dev
	$(BIN)/python -m docs.pictures

# The documents as a site, in build/site; a broken link or a missing page fails.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 PYTHONPATH=$(CURDIR) $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) .cache build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[all]'
	touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@ $(VENV)/.play
