# Needs only Python 3.10 or newer and make: each target makes its own environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
NOX := .venv-nox
PAGE := src/celestial_engine/surfaces/dashboard/static/index.html
PAGE_SOURCES := $(shell find dashboard -type f -not -path "*/node_modules/*" 2>/dev/null)
ADAPTERS := $(patsubst requirements/%.in,%,$(wildcard requirements/adapters/*.in))
JOBS ?= 2
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run dashboard dashboard-bench browser screenshots demo docs rest mcp mcpb check test bench recall vectors filters emotion guard decide cache sleep year lock clean help test-adapters

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'

run: $(VENV)/ready $(PAGE) ## the server, on a database of its own in .celestial/: prints its address and a token (ARGS="--port 9000")
	@mkdir -p .celestial
	@$(BIN)/celestial serve --db .celestial/memory.db $(ARGS)

dashboard: $(PAGE) ## the dashboard's pages, built by Node.js (of PATH, else of PyPI); CELESTIAL_NO_DASHBOARD=1 leaves them out

demo: $(VENV)/ready  ## a tour: store, recall, drift, forget and restore, in simulated time
	@$(BIN)/celestial demo $(ARGS)

docs: $(VENV)/ready  ## writes docs/operations.md anew
	$(BIN)/python -m celestial_engine.surfaces.operations.reference > docs/operations.md

rest: $(VENV)/ready  ## speed of REST beside a bare route, and of a cold command
	$(BIN)/python -m benchmarks.rest $(ARGS)

check: $(VENV)/ready ## format, lint, types, boundaries and the fast tests, in under a minute
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q -n $(JOBS) -m "not slow"

test: $(VENV)/ready $(NOX)/ready $(PAGE) browser ## everything: the checks, the tests in processes and browsers, and the adapters
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q -n $(JOBS)
	$(NOX)/bin/nox

browser: $(VENV)/ready ## a Chromium for the dashboard's tests, where apt may install one; elsewhere the one that is there is used
	@$(BIN)/python -m benchmarks.browser

screenshots: $(VENV)/ready $(PAGE) browser ## the pictures of the README and of docs/dashboard.md, taken anew
	$(BIN)/pytest -q tests/browser/test_views.py -k "1280 and (orbits or cliff)"
	mkdir -p docs/images
	cp build/screenshots/orbits-en-dark-1280.png docs/images/orbits.png
	cp build/screenshots/orbits-ko-light-1280.png docs/images/orbits-ko.png
	cp build/screenshots/cliff-en-dark-1280.png docs/images/cliff.png

dashboard-bench: $(VENV)/ready $(PAGE) browser ## weight of the pages, time to the first picture, frames a second
	$(BIN)/python -m benchmarks.dashboard $(ARGS)

test-adapters: $(NOX)/ready ## the adapters, each beside its framework in an environment of its own (ARGS="-s langchain")
	$(NOX)/bin/nox $(ARGS)

bench: $(BENCH)/ready ## speed, beside a peer in the same run; prints tables, writes a plot
	$(BENCH)/bin/python -m benchmarks.spine $(ARGS)
	$(BENCH)/bin/python -m benchmarks.filters --sizes 5000
	$(BENCH)/bin/python -m benchmarks.ledger

recall: $(BENCH)/ready ## how well memories are found, beside peers, on public data (CELESTIAL_BENCH_DATA names its folder)
	$(BENCH)/bin/python -m benchmarks.recall $(ARGS)

vectors: $(VENV)/ready ## speed and recall of the vector search, with and without numpy (ARGS="--sizes 1000000")
	$(BIN)/python -m benchmarks.vectors $(ARGS)

filters: $(VENV)/ready ## speed of filters, alone and in every combination (ARGS="--sizes 1000000")
	$(BIN)/python -m benchmarks.filters $(ARGS)

emotion: $(BENCH)/ready ## how well the mood of a text is read, beside VADER, on public data (CELESTIAL_BENCH_DATA names its folder)
	$(BENCH)/bin/python -m benchmarks.emotion $(ARGS)

guard: $(VENV)/ready ## how well secrets are found, and how often innocent texts are taken for some (ARGS="--misses 20")
	$(BIN)/python -m benchmarks.guard $(ARGS)

decide: $(VENV)/ready ## how well and how fast turns are decided about, by rules and by what was learned (ARGS="--turns 20000 --plot curve.svg")
	$(BIN)/python -m benchmarks.decide $(ARGS)

cache: $(BENCH)/ready ## the memory function as a cache, beside LRU, LFU and others, on public data (CELESTIAL_BENCH_DATA names its folder)
	$(BENCH)/bin/python -m benchmarks.cache $(ARGS)

mcp: $(VENV)/ready   ## speed of MCP: a handshake, a call beside a direct one, ten processes on one file
	$(BIN)/python -m benchmarks.mcp $(ARGS)

mcpb: $(VENV)/ready  ## the MCP server as one file to click on, and its entry for the registry, in dist/
	$(BIN)/python -m bundling.mcpb

sleep: $(VENV)/ready ## what a night's work costs, and recall meanwhile (ARGS="--sizes 10000")
	$(BIN)/python -m benchmarks.sleep $(ARGS)

year: $(BENCH)/ready ## a simulated year of a user's days, with a plot (ARGS="--a-day 10")
	$(BENCH)/bin/python -m benchmarks.year $(ARGS)

lock:            ## pins what requirements/*.in asks for
	$(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install -q uv
	for name in dev bench nox $(ADAPTERS); do .venv-lock/bin/uv pip compile -q --universal --python-version 3.10 \
	  --generate-hashes --no-header --no-emit-index-url --overrides requirements/overrides.txt \
	  --upgrade requirements/$$name.in -o requirements/$$name.txt; done

clean:           ## removes what the targets made
	rm -rf $(VENV) $(BENCH) $(NOX) .nox .venv-lock dist .hypothesis .mypy_cache .ruff_cache

$(VENV)/ready: requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --require-hashes -r requirements/dev.txt
	$(BIN)/pip install -q --no-deps --no-build-isolation -e .
	touch $@

$(PAGE): $(PAGE_SOURCES) | $(VENV)/ready
	$(BIN)/python hatch_build.py

$(BENCH)/ready: requirements/bench.txt pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install -q --require-hashes --no-deps -r requirements/bench.txt
	$(BENCH)/bin/pip install -q --no-deps --no-build-isolation -e .
	touch $@

$(NOX)/ready: requirements/nox.txt
	$(PYTHON) -m venv $(NOX)
	$(NOX)/bin/pip install -q --require-hashes -r requirements/nox.txt
	touch $@
