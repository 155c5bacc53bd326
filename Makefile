# make        set up .venv, run everything at scale quick, print the verdicts and the page's path
# make test   the same set-up, then the test suite; make test-thorough runs what is too slow for it
# make test-slurm  the tests that need a Slurm, on one of this machine (root; slurm-wlm and munge)
# make faults      disks that are full, processes that are killed: docs/faults.csv (root)
# make env    the set-up alone
# make full   as make, at the printed scale
# make figures  the published figures, from the committed evidence
# make docs   the site with its documentation, in site/; make test-docs  the documentation from nothing
PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin
REASON := results/quick/reason.txt
# Errors alone: what else pip has to say is about itself.
PIP := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
DOCS := $(PIP) --no-build-isolation --editable '.[docs]'

# Tests of a paper, or of a file, share what they load and run: one process has them all.
PYTEST := $(BIN)/python -m pytest --numprocesses auto --no-loadscope-reorder

TARGETS := run full env test test-thorough test-slurm test-docs faults check docs figures fuzz
.PHONY: $(TARGETS)

# The reason for a failure comes last; a run that could not begin has said it and left none.
run: env
	@rm -f $(REASON); $(BIN)/snakemake --cores $(CORES); status=$$?; \
	  [ $$status = 0 ] || [ -f $(REASON) ] || exit $$status; \
	  $(BIN)/icml2008 verdicts --summary --results results/quick; \
	  echo "The page: $(CURDIR)/results/quick/report/index.html"; \
	  [ $$status = 0 ] || cat $(REASON); \
	  exit $$status

full: env
	$(BIN)/snakemake --cores $(CORES) full

test: env
	$(PYTEST)

test-thorough: env
	$(PYTEST) -m thorough

test-slurm: env
	@$(PIP) --require-hashes --no-deps -r requirements-slurm.lock
	.ci/slurm-cluster $(BIN)/python -m pytest -m slurm tests/run/test_slurm.py

faults: env
	$(BIN)/python benchmarks/faults.py --folder .faults

check: env
	$(BIN)/snakemake --cores $(CORES) check

figures: env
	$(BIN)/snakemake --cores $(CORES) figures

docs: env
	@$(DOCS)
	$(BIN)/icml2008 site --docs

test-docs: env
	@$(DOCS)
	$(BIN)/python -m pytest tests/run/test_docs.py

env: $(VENV)/.ready

$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3"; exit 1; }
	@echo "Setting up $(VENV), once"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# 100,000 cases of hostile input, in about half an hour; what became of them goes to docs/fuzz.csv.
fuzz: env
	$(BIN)/python benchmarks/fuzz.py --out docs/fuzz.csv

# Of a name that is none of these.
.DEFAULT:
	@$(PYTHON) -c 'import difflib, sys; name, *known = sys.argv[1:]; \
	  near = difflib.get_close_matches(name, known, 1); listed = ", ".join(known); \
	  sys.exit(f"make has no target {name!r}; " + (f"did you mean {near[0]!r}?" if near else \
	  f"it has {listed}; one paper: snakemake --cores all KEY"))' '$@' $(TARGETS)
