"""Remedies are typed as they are printed: the problem is gone, or another one shows; none is caused by the remedy."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from fabricgen.checks.catalogue import CHECKS, run_checks
from fabricgen.checks.lossless import _less_headroom
from fabricgen.documents import read_document
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import MOST_OVERCOMMIT
from fabricgen.intent.model import Intent
from fabricgen.intent.rules import rules
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_overrides
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from tests.checks import cases, intents
from tests.intent import test_intent_rules as intent_rules
from tests.typing_remedies import apply, typed

Document = dict[str, Any]
MADE = {
    "dynamic-groups",
    "host-routes",
    "link-loss",
    "nic-planes",
    "spine-ports",
    "superspine-ports",
    "tenancy-leaf-pairs",
    "tunnel-mtu",
}
"""Codes whose case is made of a plan or of switches: no intent has the fault."""
UNTYPED: Mapping[str, str] = {
    "one-sided": "the fix leads from an override to the block of its fabric, in words",
    "bfd-differs": "the fix leads from an override to the block of its fabric, in words",
    "marking-plan": "the case breaks the marking itself, which no intent can",
    "lossless-classes": "the case breaks the marking itself, which no intent can",
    "nics-without-tenancy": "which backend is meant is the operator's to choose",
}
"""Code → why its remedy can not be typed by a test; every other one that says `write KEY: VALUE` is."""


class Recorder:
    """What a case of the checks edits: the document, the lock before it, and the hardware."""

    def __init__(self) -> None:
        self.document: Document = {}
        self.calls: list[tuple[Mapping[str, object], Lock | None, Any]] = []

    def plan(self, edits: intents.Edits = intents.NOTHING, **more: Any) -> Plan:  # noqa: ANN401 - as `plan` takes them
        self.calls.append((edits, more.get("recorded"), more.get("hardware")))
        return _real_plan(edits, **more)


_real_plan = intents.plan


def document_of(edits: Mapping[str, object]) -> Document:
    value: Document = deepcopy(intents._demo())
    for path, new in edits.items():
        *ahead, last = path.split(".")
        inside: Any = value
        for key in ahead:
            inside = inside[int(key)] if isinstance(inside, list) else inside.setdefault(key, {})
        inside[int(last) if isinstance(inside, list) else last] = new
    return value


def problems_of(document: Document, recorded: Lock | None, hardware: Any) -> list[Problem]:  # noqa: ANN401
    """Everything that an intent is told, stage by stage. Raises ValueError where the schema refuses it."""
    intent = Intent.model_validate(document)
    found = list(rules(intent))
    if found:
        return found
    shelf = hardware or intents.catalog()
    try:
        made = make_plan(
            intent, shelf, make_shapes(intent, shelf, recorded or Lock()), recorded or Lock(), Exceptions()
        )
        made = with_exceptions(made, resolve_overrides(intent, made.fabrics))
    except FabricError as error:
        return list(error.problems)
    return list(run_checks(made))


@pytest.mark.parametrize("code", cases.CASES)
def test_remedies_of_checks_work_as_printed(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(cases, "plan", recorder.plan)
    made = cases.CASES[code](monkeypatch)
    check = next(check for check in CHECKS if code in check.codes)
    problem = next(each for each in check.run(made) if each.code == code)
    remedy = typed(problem.fix)
    if remedy is None or code in UNTYPED:
        return
    edits, recorded, hardware = recorder.calls[-1] if recorder.calls else (intents.NOTHING, None, None)
    document = document_of(edits)
    try:
        before = problems_of(document, recorded, hardware)
    except (ValueError, KeyError):
        before = []
    assert (code not in {each.code for each in before}) == (code in MADE)
    if code in MADE:
        return
    worked(problem, problems_of(apply(document, problem, remedy), recorded, hardware))


def worked(problem: Problem, after: list[Problem]) -> None:
    """The problem itself is gone."""
    same = [each for each in after if each.code == problem.code and each.what == problem.what]
    assert not same, f"{problem.fix}: {same[0].why}"


@pytest.mark.parametrize("case", intent_rules.CASES, ids=lambda case: case[0])
def test_remedies_of_rules_work_as_printed(case: Any) -> None:  # noqa: ANN401 - a row of another test's table
    edits = case[1]
    intent = intent_rules.edited(*edits)
    document: Document = deepcopy(intent_rules.VALUE)  # type: ignore[arg-type]
    for path, new in edits:
        inside: Any = document
        for part in path[:-1]:
            inside = inside[part]
        if new is intent_rules.GONE:
            del inside[path[-1]]
        else:
            inside[path[-1]] = new
    for problem in rules(intent):
        remedy = typed(problem.fix)
        if remedy is not None and problem.code not in UNTYPED:
            after = list(rules(Intent.model_validate(apply(document, problem, remedy))))
            worked(problem, after)


def test_a_remedy_that_is_no_value_is_seen() -> None:
    with pytest.raises(ValueError, match="can not be typed"):
        typed("write servers: [h100[64-95]]")
    assert read_document(intents.DEMO).value


def test_no_remedy_is_above_its_own_limit() -> None:
    """A pool that promises 24 times of what it has can not be accepted: 16 is the most that the schema takes."""
    made = intents.plan({"cables.default.leaf_spine": 2000, "cables.default.server_leaf": 2000})
    found = [problem for problem in run_checks(made) if problem.code == "headroom-pool"]
    for problem in found:
        remedy = typed(problem.fix)
        assert remedy is None or float(str(remedy.value)) <= MOST_OVERCOMMIT
    assert _less_headroom(24.68) == "shorten the cables, or choose a model with a larger headroom pool"
    assert _less_headroom(16).endswith("roce.headroom_overcommit: 16.00")
