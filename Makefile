# Two commands do everything: `make run` and `make test`. Windows equivalents without make: README.md.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PHOTOS ?= ../shared/photos

.PHONY: run test coverage bench bench-rules bench-faults bench-load bench-scale bench-live bench-fuzz bench-api lint types \
  audit check-libs clean

# Starts the dashboard with a sample table already loaded (the sample never enters your history).
run: check-libs $(VENV)/.installed
	$(BIN)/burraco serve --demo

# Installs what the tests need, then ruff, mypy and pytest: the tests in a browser, which wait most of their time,
# beside the others.
test: check-libs $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python -m pytest -m "not browser and not train_smoke" & others=$$!; \
	  $(BIN)/python -m pytest -m browser -p no:cacheprovider >.browser-tests.log 2>&1; browser=$$?; \
	  wait $$others; others=$$?; cat .browser-tests.log; exit $$((others + browser))

# Fails where the tests of the rules leave a branch of them untaken: half a minute without the oracle and the fuzzing,
# which take no branch more.
coverage: check-libs $(VENV)/.dev
	$(BIN)/python -m coverage run -m pytest -q tests/scoring --ignore=tests/scoring/test_meld_oracle.py \
	  --ignore=tests/scoring/test_store.py -k 'not fuzzed and not any_text and not any_preset_loads and not any_file'
	$(BIN)/python -m coverage report

# All the long measurements, one after the other, an hour or two: each has a target of its own (BENCHMARKS.md).
# PHOTOS names a folder of labelled photos, DB a PostgreSQL on this machine where databases may be made.
bench: check-libs $(VENV)/.dev bench-rules bench-faults bench-load bench-live bench-fuzz bench-api $(if $(DB),bench-scale)
	$(BIN)/burraco eval $(PHOTOS)

# Hurts a server in every way a club may meet and counts what was lost; with DB on PostgreSQL too.
bench-faults: $(VENV)/.dev
	$(BIN)/python -m tests.faults $(if $(DB),--db $(DB))

# A full club of thirty tables and fifty viewers; then the same with ten pages open in a Chromium.
bench-load: $(VENV)/.dev
	$(BIN)/python -m tests.load
	$(BIN)/python -m tests.load --pages 10

# One server on one core against two on two, on one PostgreSQL: make bench-scale DB=postgresql+psycopg://...
bench-scale: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev,postgres]'
	$(BIN)/python -m tests.scale --db $(DB)

# Plays rendered games to the camera and counts what it saw.
bench-live: $(VENV)/.dev
	$(BIN)/python -m tests.live

# A hundred thousand spoilt inputs: card text, smazzata files, uploads, bodies of the API.
bench-fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz --inputs 100000

# Schemathesis against the API's own description.
bench-api: $(VENV)/.dev
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[schema]'
	$(BIN)/python -m tests.schema

# Compares the scoring engine with a naive one on 200,000 melds and times its worst cases.
bench-rules: $(VENV)/.installed
	$(BIN)/python -m tests.scoring.bench_smazzata
	$(BIN)/python -m tests.scoring.bench

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

# Known holes in what is installed. Needs the network and says nothing where it cannot reach the data, so it is no test.
audit: $(VENV)/.installed
	$(BIN)/python -m pip install -q --disable-pip-version-check pip-audit
	$(BIN)/python -m pip freeze --exclude-editable | $(BIN)/pip-audit --strict --no-deps --disable-pip -r /dev/stdin

# OpenCV loads these two at import; a bare Linux server lacks them.
check-libs:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else 1)' 2>/dev/null \
	  || { echo "Python 3.11 or newer is needed (tried: $(PYTHON))."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null \
	  || { echo "Python has no venv. Type:  sudo apt-get install -y python3-venv"; exit 1; }
	@if [ "$$(uname -s)" = Linux ]; then \
	  $(PYTHON) -c 'import ctypes; ctypes.CDLL("libGL.so.1"); ctypes.CDLL("libglib-2.0.so.0")' 2>/dev/null \
	  || { echo "Two system libraries are missing. Type:  sudo apt-get install -y libgl1 libglib2.0-0"; exit 1; }; \
	fi

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -e .
	@touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/bin/python
	$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) build *.egg-info .coverage .mypy_cache .ruff_cache .pytest_cache
