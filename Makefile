# Start here: `make render` and `make test` set up what they need.
VENV   := .venv
PYTHON ?= python3
RUN    := $(VENV)/bin

.PHONY: help render test test-waiting test-computing static smoke test-bare judges lab-deps lab-demo lint types contracts golden docs site schema same-bytes mutants fuzz kill-matrix long faults risks pins audit-deps bench bench-against clean
help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / — /'

# If PYTHON is given, it is used: an environment of another Python is replaced.
ifneq ($(origin PYTHON),file)
WHICH := import sys; print(sys.base_prefix, sys.version)
ifneq ($(shell $(PYTHON) -c '$(WHICH)'),$(shell $(RUN)/python -c '$(WHICH)' 2>/dev/null))
CLEAR := --clear
.PHONY: $(VENV)/.ready
endif
endif

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(CLEAR) $(VENV)
	$(RUN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[test]'
	@$(JUDGES) >$(VENV)/judges.txt 2>&1 || echo "libyang was not built ($(VENV)/judges.txt says why): tests that judge" \
	  "by YANG models (SONiC, SR Linux, Junos) are skipped; after make lab-deps, make judges builds it"
	@touch $@

# libyang is compiled: only it needs the headers that `make lab-deps` installs.
JUDGES = $(RUN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[judges]'

render: $(VENV)/.ready          ## render the demo intent into out/demo
	$(RUN)/fabricgen render inventories/demo/intent.yaml -o out/demo

test: $(VENV)/.ready            ## linters, types, import contracts, tests
	@$(MAKE) --no-print-directory --jobs=3 --keep-going --output-sync=recurse test-waiting test-computing static

# Three parts side by side, each printed when it ends: what waits for daemons and kernels, all that computes, and what only
# reads the code. Files begin in the order of WAITING, and of FIRST in tests/conftest.py: one that takes long and began last would keep all waiting.
WAITING := tests/lab tests/push/live tests/napalm_frr tests/frr tests/hosts/test_hosts_live.py \
  tests/export/test_export_live.py tests/live/daemons tests/uml tests/push/verb tests/push/eos tests/push/switch/test_box_eos.py \
  tests/prove/test_prove_doubles.py tests/recipes/test_recipe_forges.py tests/sonic/test_sonic_push_whole.py \
  tests/cumulus/test_cumulus_push.py

# Where a thousand short processes find their modules compiled, also where no bytecode is to lie beside sources: without,
# starting `fabricgen push` takes 2.2 s of a processor instead of 0.9.
test-waiting test-computing static: export PYTHONPYCACHEPREFIX := $(CURDIR)/out/tests/bytecode
test-waiting test-computing static: export PYTHONDONTWRITEBYTECODE :=

test-waiting: $(VENV)/.ready    ## of make test: the tests that wait for daemons, kernels and doubles
	$(RUN)/pytest -q -n 4 --no-loadscope-reorder $(WAITING)

test-computing: $(VENV)/.ready  ## of make test: all other tests
	$(RUN)/pytest -q -n 2 --no-loadscope-reorder $(addprefix --ignore=,$(WAITING)) tests

static: $(VENV)/.ready          ## of make test: linters, types, import contracts
	$(MAKE) --no-print-directory --keep-going lint types contracts

# What touches the machine: processes, archives, git, programs that may be missing.
SMOKE := tests/test_skipped.py tests/test_make.py \
  tests/cli/process/test_cli_process.py tests/judges tests/lab/test_lab_shell.py tests/lab/test_lab_verb.py \
  tests/plan/test_lock.py tests/recipes/test_review_page.py tests/workers/test_runs_lost.py tests/baseline tests/uml

smoke: $(VENV)/.ready           ## a few tests, in half a minute: does it work on this machine?
	$(RUN)/pytest -q $(SMOKE)

test-bare:       ## render and test, as README says, in bare Debian 12 and 13 (root, after lab-deps)
	sh .ci/bare.sh bookworm render test
	sh .ci/bare.sh trixie render test

lab-deps:        ## install what the tests on real daemons need (root, apt; removes nothing)
	sh .ci/lab-deps.sh

judges: $(VENV)/.ready          ## build the validators that the tests on YANG models need, if lab-deps was installed after render
	$(JUDGES)

lab-demo: $(VENV)/.ready        ## the demo in small on this host: build, verify, break a cable, find it, take down (root)
	FABRICGEN=$(RUN)/fabricgen sh inventories/demo/lab-demo.sh

lint: $(VENV)/.ready            ## ruff, formatting included
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .

types: $(VENV)/.ready           ## mypy --strict
	$(RUN)/mypy

contracts: $(VENV)/.ready       ## who may import whom
	$(RUN)/lint-imports

golden: $(VENV)/.ready          ## rewrite the golden files; read the diff
	FABRICGEN_GOLDEN=write $(RUN)/pytest -q tests/golden

docs: $(VENV)/.ready            ## rewrite the generated pages of docs/
	$(RUN)/python -m docs.generate

site: $(VENV)/.ready            ## the documentation as a site with a search, in out/site
	$(RUN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(RUN)/mkdocs build --quiet --strict

schema: $(VENV)/.ready          ## rewrite the schemas of schema/ that are generated: of the intent, and of each --json
	$(RUN)/fabricgen schema > schema/intent.schema.json
	for verb in $$($(RUN)/python -c "from fabricgen.cli.schema.command import VERBS; print(*VERBS)"); do \
	  $(RUN)/fabricgen schema --json-of $$verb > schema/$$verb.schema.json || exit 1; done

BASE ?= HEAD
same-bytes: $(VENV)/.ready      ## does the change in this folder change a byte of what is rendered? (BASE=commit)
	$(RUN)/python -m tests.same_bytes --base $(BASE)

mutants: $(VENV)/.ready         ## break the code, once for each class of faults; each break must be found
	$(RUN)/python tests/mutants.py

fuzz: $(VENV)/.ready            ## 100,000 hostile inputs of every kind, and 10,000 lies of a switch for each reader
	$(RUN)/python -m tests.fuzz.run
	$(RUN)/python -m tests.fuzz.lying_switch

kill-matrix: $(VENV)/.ready     ## kill a push after each step, on live FRR (root) and simulated switches: each has its old or its new configuration
	$(RUN)/python -m tests.push.kill_matrix
	FABRICGEN_KILLS=all $(RUN)/pytest -q -m "" tests/push/live/test_kills_doubles.py

long: $(VENV)/.ready           ## the tests that take long (root): live labs, and all cases of which `make test` takes some
	$(RUN)/pytest -q -m "" tests/long
	$(RUN)/pytest -q -n 2 -m long --ignore=tests/long tests
	FABRICGEN_ROUNDS=all $(RUN)/pytest -q -n 2 $$(grep -rl --include='*.py' '^@rounds' tests)

faults: $(VENV)/.ready          ## a catalogue of faults on live FRR labs (root): is each found, by its cause, and nothing else?
	$(RUN)/python -m tests.faults.run

risks: $(VENV)/.ready           ## compare the predicted risk with labelled changes: the confusion matrix of each platform
	$(RUN)/python -m tests.diff.confusion

# uv and pip-audit are needed by nobody else: they get an environment of their own.
out/tools/%:
	$(PYTHON) -m venv out/tools/$*
	out/tools/$*/bin/python -m pip install --quiet --disable-pip-version-check $*

pins: out/tools/uv              ## write requirements.txt anew: the versions of constraints.txt, with their hashes
	sed -n '1,/^[^#]/{/^#/p}' requirements.txt > out/tools/requirements.txt
	sed -n '/^dependencies/,/^]/s/^ *"\(.*\)",$$/\1/p' pyproject.toml | out/tools/uv/bin/uv pip compile --quiet --universal \
	  --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -c constraints.txt - \
	  >> out/tools/requirements.txt
	mv out/tools/requirements.txt requirements.txt

audit-deps: out/tools/pip-audit ## known advisories about what requirements.txt pins (asks the package index)
	out/tools/pip-audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.txt

bench: $(VENV)/.ready           ## speed, as ratios measured in one run
	$(RUN)/python bench/render.py
	$(RUN)/python bench/edits.py
	$(RUN)/python bench/scale.py
	$(RUN)/python bench/streams.py
	$(RUN)/python bench/largest.py
	$(RUN)/python bench/diff.py
	$(RUN)/python bench/audit.py
	$(RUN)/python bench/what_if.py
	$(RUN)/python bench/push.py
	$(RUN)/python bench/lab.py

bench-against: $(VENV)/.ready   ## fabricgen beside AVD and netlab, each in an environment of its own (pip installs them)
	$(RUN)/python bench/against.py

clean:           ## remove what make made
	rm -rf $(VENV) out
