# Everything starts here: `make render` and `make test` set up what they need.
VENV   := .venv
PYTHON ?= python3
RUN    := $(VENV)/bin

.PHONY: help render test lab-deps lab-demo lint types contracts golden docs schema mutants risks bench clean
help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## / — /'

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(RUN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@

render: $(VENV)/.ready          ## render the demo intent into out/demo
	$(RUN)/fabricgen render inventories/demo/intent.yaml -o out/demo

# Tests on real daemons mostly wait: they run beside the others, and tell what they saw behind them. Five streams that
# keep two cores busy to the end; the last has all that is in none of the others.
PUSHED := tests/lab/test_push_faults.py tests/lab/test_push_killed.py
DEMO   := tests/lab/test_lab_demo.py
LAB    := tests/lab $(addprefix --ignore=,$(PUSHED) $(DEMO))
DRIVER := tests/napalm_frr $(PUSHED)
KERNEL := tests/uml tests/verify tests/drivers tests/frr
CHANGE := tests/push tests/diff tests/stability tests/steps tests/recipes
REST   := $(addprefix --ignore=,tests/lab tests/napalm_frr $(KERNEL) $(CHANGE))
test: lint types contracts $(VENV)/.ready ## linters, types, import contracts, tests
	@mkdir -p out; $(RUN)/pytest -q $(LAB) > out/lab-tests.txt 2>&1 & lab=$$!; \
	$(RUN)/pytest -q $(DRIVER) > out/driver-tests.txt 2>&1 & driver=$$!; \
	$(RUN)/pytest -q $(DEMO) $(KERNEL) > out/kernel-tests.txt 2>&1 & kernel=$$!; \
	$(RUN)/pytest -q $(CHANGE) > out/change-tests.txt 2>&1 & change=$$!; \
	$(RUN)/pytest -q $(REST); code=$$?; \
	wait $$lab || code=1; wait $$driver || code=1; wait $$kernel || code=1; wait $$change || code=1; \
	cat out/lab-tests.txt out/driver-tests.txt out/kernel-tests.txt out/change-tests.txt; exit $$code

lab-deps:        ## install what the tests on real daemons need (root, apt; removes nothing)
	sh .ci/lab-deps.sh

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

schema: $(VENV)/.ready          ## rewrite schema/intent.schema.json
	$(RUN)/python -c "from fabricgen.intent.json_schema import schema_text; print(schema_text(), end='')" > schema/intent.schema.json

mutants: $(VENV)/.ready         ## break the code in over a hundred ways; each break must be found
	$(RUN)/python tests/mutants.py

risks: $(VENV)/.ready           ## the tables of costs against labelled changes: confusion, platform by platform
	$(RUN)/python -m tests.diff.confusion

bench: $(VENV)/.ready           ## speed, as ratios measured in one run
	$(RUN)/python bench/render.py
	$(RUN)/python bench/largest.py
	$(RUN)/python bench/diff.py
	$(RUN)/python bench/lab.py

clean:           ## remove what make made
	rm -rf $(VENV) out
