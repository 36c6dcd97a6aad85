# Every target builds what it needs in .venv and is quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PEERS := .venv-peers
PEERS_READY := $(PEERS)/.ready
DATASET ?= FB15k-237
MINUTES ?= 60
RUN ?= runs/demo
SECONDS ?= 30
KILLS ?= 100

.PHONY: help demo test lint format reference figures pictures docs bench bench-peers bench-family-peers bench-convert bench-growth bench-curve bench-serve bench-kill bench-fold-in bench-page tables clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	touch $@

demo: $(READY) ## train on the bundled graph and show new facts
	$(BIN)/tucker demo

test: $(READY) ## run the tests, as many at a time as there are cores
	$(BIN)/python -m pytest -n auto

lint: $(READY) ## check style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## format the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reference: $(READY) ## write the manual's pages of commands, settings, Python and HTTP
	$(BIN)/python -m tools.reference

figures: $(READY) ## draw the manual's figures from what results/ holds
	$(BIN)/tucker reproduce table3 --plot docs/figures/table3.svg >/dev/null
	$(BIN)/tucker reproduce table4 --plot docs/figures/table4.svg >/dev/null
	$(BIN)/python -m benchmarks.page

pictures: $(READY) ## take the pictures of the demo and of the server's page anew
	$(BIN)/python -m tools.demo_picture
	TUCKER_SCREENSHOT=docs/figures/page.png $(BIN)/python -m pytest tests/serving/test_page.py

docs: $(READY) ## build the manual into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

bench: $(READY) ## time the engine against its plain PyTorch form and the machine's limit
	$(BIN)/python -m benchmarks.engine

$(PEERS_READY): benchmarks/peers.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --constraint benchmarks/peers.txt torch
	$(PEERS)/bin/python -m pip install --quiet --requirement benchmarks/peers.txt
	touch $@

bench-peers: $(READY) $(PEERS_READY) ## time the engine against PyKEEN and the plain form
	$(BIN)/python -m benchmarks.compare --python $(PEERS)/bin/python

bench-family-peers: $(PEERS_READY) ## train PyKEEN's models on umls and kinship; needs TUCKER_DATA
	$(PEERS)/bin/python -W ignore -m benchmarks.family_peers

bench-convert: $(READY) ## compare the family's bilinear runs with the TuckERs they become
	$(BIN)/python -m benchmarks.convert

bench-growth: $(READY) ## time the engine as graph and model double
	$(BIN)/python -m benchmarks.growth

bench-curve: $(READY) ## the paper's settings on DATASET for MINUTES, or one SIDE (plain, ours, bfloat16) alone; RESUME=1 goes on with ours
	$(BIN)/python -m benchmarks.curve --dataset $(DATASET) --minutes $(MINUTES) $(if $(SIDE),--side $(SIDE)) $(if $(RESUME),--resume)

bench-serve: $(READY) ## ask a server of RUN over 64 connections; needs wrk
	$(BIN)/python -m benchmarks.serve $(RUN) --seconds $(SECONDS)

bench-kill: $(READY) ## kill a server KILLS times while decisions are written
	TUCKER_KILLS=$(KILLS) TUCKER_KILL_RESULT=results/benchmarks/kill.json \
	  $(BIN)/python -m pytest tests/serving/test_shutdown.py -k killed

bench-fold-in: $(READY) ## fold in entities that training did not see; needs TUCKER_DATA
	$(BIN)/python -m benchmarks.fold_in

bench-page: $(READY) ## write docs/notebook/benchmarks.md from what was measured
	$(BIN)/python -m benchmarks.page

tables: $(READY) ## write the manual's tables that come from the models and from results/
	$(BIN)/python -m benchmarks.tables

clean: ## remove the virtual environments and caches
	rm -rf $(VENV) $(PEERS) .mypy_cache .ruff_cache .pytest_cache .hypothesis build site
