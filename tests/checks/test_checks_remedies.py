"""Remedies are typed as they are printed: the problem is gone, or another one shows; none is caused by the remedy."""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from pydantic import ValidationError

from fabricgen.checks.catalogue import CHECKS, run_checks
from fabricgen.checks.lossless.buffers import less_headroom
from fabricgen.checks.lossless.lossless_switches import HeadroomUse
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import MOST_OVERCOMMIT
from fabricgen.intent.model import Intent
from fabricgen.intent.rules import rules
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.source.document import read_document
from fabricgen.source.pydantic_problems import from_pydantic
from tests.checks import cases, intents
from tests.intent import test_intent_rules as intent_rules
from tests.some import some
from tests.typing_remedies import apply, choices, typed

Document = dict[str, Any]
MADE = {
    "address-twice",
    "dynamic-groups",
    "host-asn",
    "host-routes",
    "leaf-pairs-lossless",
    "leaf-pairs-rails",
    "leaf-pairs-twice",
    "link-loss",
    "nic-planes",
    "spine-ports",
    "superspine-ports",
    "tenancy-leaf-pairs",
    "tunnel-mtu",
    "unknown-platform",
}
"""Codes whose case is made of a plan or of switches: no intent has the fault. Their remedies must pass the schema."""
HIDDEN = {"oob-moved"}
"""Codes whose case breaks a rule of the intent, too, which is told first: the gateway lies in the former prefix."""
UNTYPED: Mapping[str, str] = {
    "marking-plan": "the case breaks the marking itself, which no intent can",
    "lossless-classes": "the case breaks the marking itself, which no intent can",
    "nics-without-tenancy": "which backend is meant is the operator's to choose",
}
"""Code → why what it says to write cannot be typed by a test."""
MODEL, FACT, ROOM = "which box is bought is the operator's choice", "a fact for a file of hardware", "work in the room"
OWN, HISTORY = "a number or name of the operator's own plan", "what was written before, which the plan does not know"
NAMED, WHICH = "a name, which other places name too", "which of those that are named is the operator's choice"
DESIGN, SEVERAL = (
    "another design: several keys, and the operator's choice",
    "several are as good: the operator's choice",
)
PROSE: Mapping[str, str] = {
    r"this is a bug in|report it with your intent": "nothing in the intent is wrong",
    r"choose (a|another) (leaf )?model|choose models|choose a leaf with|choose a superspine with": MODEL,
    r"correct its (chip's )?file|add them with their source|add a part": FACT,
    r"in the server's hardware file|of hardware/servers|in your own hardware file": FACT,
    r"shorten the cable|round cable lengths|return what is missing|return (one of them|the spines of one number)": ROOM,
    r"its port back|put a spine|put the leaf|a link back": ROOM,
    r"--renumber|restore the lock|keep the lock line": "a command, or the lock file: no key of the intent",
    r"^add the line of its \.pub file": "a key that only its owner has",
    r"^delete the lines? of": "the lock file: typed in test_checks_offers.py",
    r"set (the )?servers|drain at most": "which servers or switches is the operator's choice",
    r"^waive |waive it": "a waiver needs a reason that only the operator has",
    r"write (another|a) (hostname prefix|prefix( for| outside| of at)|VLAN|`vni`|port)|another prefix of /": OWN,
    r"a range of its own|use another port|remove `vni` from one|write another prefix": OWN,
    r"the former (prefix|model)": HISTORY,
    r"run .* on these switches|turn it off here|a fabric of its own|a larger oversubscription": DESIGN,
    r"plan for fewer|move its servers|remove relay_sources": DESIGN,
    r"a number of spines that divides|rails of |complete statements|roce.marking for the whole": SEVERAL,
    r"an MTU of|on every link$|thresholds with a smaller|for the fabric$": SEVERAL,
    r"`export hosts`": "says what follows",
    r"^a word$": "the case's own word",
    r"write another name|the entry of that name|keep `was` only": NAMED,
    (
        r"(remove|delete) .* from (add:|remove:|tenants\.|one of the two)|keep (one|each)|name (slots up to|whole "
        r"servers)|list all of them|remove one of the two"
    ): WHICH,
    r"^write (another (vlan|peer)|other addresses)$|a larger prefix|write a prefix of|^larger$|a lower `border`": OWN,
    r"write (the|an IPv[46]) address of (the|this) server|add an IPv[46] (subnet|address|prefix)|correct the AS": OWN,
    r"move the (range|other)": OWN,
    r"add .* to `(connects|fabrics)`|give (it|both|a tenant)|add a fabric|write a second session|own block": DESIGN,
    r"write `networks` for|^servers$|NICs of a backend|into a line$": DESIGN,
}
"""What a choice in prose says → why it is no line to type. A new one that is in no row fails."""
NEXT: Mapping[str, frozenset[str]] = {
    "nic-port-twice": frozenset({"odd-rails"}),
}
"""Code → problems that its remedy leads to. Their own remedies are typed in turn, until nothing new is left."""


class Around(NamedTuple):
    """What a case gives beside the intent, as `intents.plan` takes it."""

    recorded: Lock | None = None
    hardware: Catalog | None = None
    exceptions: Exceptions = Exceptions()


class Recorder:
    """What a case of the checks edits: the document, the lock before it, and the hardware."""

    def __init__(self) -> None:
        self.document: Document = {}
        self.calls: list[tuple[Mapping[str, object], Around]] = []

    def plan(self, edits: intents.Edits = intents.NOTHING, **more: Any) -> Plan:  # noqa: ANN401 - as `plan` takes them
        self.calls.append((edits, Around(**more)))
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


def problems_of(document: Document, around: Around) -> list[Problem]:
    """Everything that an intent is told, stage by stage. Raises ValueError where the schema refuses it."""
    intent = Intent.model_validate(document)
    found = list(rules(intent))
    if found:
        return found
    shelf, lock = around.hardware or intents.catalog(), around.recorded or Lock()
    try:
        made = make_plan(intent, shelf, make_shapes(intent, shelf, lock), lock, around.exceptions)
        if intent.overrides:
            made = with_exceptions(made, resolve_inputs(intent, made.fabrics))
    except FabricError as error:
        return list(error.problems)
    return list(run_checks(made))


@pytest.mark.parametrize("code", some(cases.CASES, of=2))
def test_remedies_of_checks_work_as_printed(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each choice of a fix is typed, or is prose of a kind that has a reason in a table."""
    recorder = Recorder()
    monkeypatch.setattr(cases, "plan", recorder.plan)
    made = cases.CASES[code](monkeypatch)
    check = next(check for check in CHECKS if code in check.codes)
    problem = next(each for each in check.run(made) if each.code == code)
    offered = choices(problem.fix, tuple(PROSE))
    assert [piece for piece in offered.prose if not any(re.search(row, piece) for row in PROSE)] == []
    if code in UNTYPED or not offered.typed:
        return
    edits, around = recorder.calls[-1] if recorder.calls else (intents.NOTHING, Around())
    document = document_of(edits)
    try:
        before = problems_of(document, around)
    except (ValueError, KeyError):
        before = []
    assert (code not in {each.code for each in before}) == (code in MADE | HIDDEN)
    for remedy in offered.typed:
        changed = apply(document, problem, remedy)
        if code in MADE:
            Intent.model_validate(changed)
            continue
        after = problems_of(changed, around)
        worked(problem, after)
        caused = new(after, before)
        for _ in NEXT.get(code, ()):
            assert {each.code for each in caused} <= NEXT[code], caused
            if caused:
                changed = apply(changed, caused[0], choices(caused[0].fix, tuple(PROSE)).typed[0])
                caused = new(problems_of(changed, around), before)
        assert [(each.code, each.what) for each in caused] == [], remedy


def new(after: list[Problem], before: list[Problem]) -> list[Problem]:
    """Problems of codes that were not there before."""
    known = {each.code for each in before}
    return [each for each in after if each.code not in known]


def worked(problem: Problem, after: list[Problem]) -> None:
    """The problem itself is gone, and none of its code is left in its place."""
    same = [each for each in after if each.code == problem.code and problem.what == each.what]
    same += [each for each in after if each.code == problem.code and problem.where == each.where]
    assert not same, f"{problem.fix}: {same[0].why}"


@pytest.mark.parametrize("case", intent_rules.CASES, ids=lambda case: case[0])
def test_remedies_of_rules_work_as_printed(case: Any) -> None:  # noqa: ANN401 - a row of another test's table
    edits = case[1]
    intent = intent_rules.edited(*edits)
    document: Document = deepcopy(intent_rules.VALUE)  # type: ignore[arg-type]
    for path, value in edits:
        inside: Any = document
        for part in path[:-1]:
            inside = inside[part]
        if value is intent_rules.GONE:
            del inside[path[-1]]
        else:
            inside[path[-1]] = value
    before = list(rules(intent))
    for problem in before:
        offered = choices(problem.fix, tuple(PROSE))
        assert [piece for piece in offered.prose if not any(re.search(row, piece) for row in PROSE)] == []
        for remedy in offered.typed if problem.code not in UNTYPED else ():
            after = list(rules(Intent.model_validate(apply(document, problem, remedy))))
            worked(problem, after)
            assert [(each.code, each.what) for each in new(after, before)] == [], remedy


def test_a_remedy_that_is_no_value_is_seen() -> None:
    with pytest.raises(ValueError, match="cannot be typed"):
        typed("write servers: [h100[64-95]]")
    assert read_document(intents.DEMO).value


def test_no_remedy_is_above_its_own_limit() -> None:
    """A pool that promises 24 times of what it has cannot be accepted: 16 is the most that the schema takes."""
    made = intents.plan({"cables.default.leaf_spine": 2000, "cables.default.server_leaf": 2000})
    found = [problem for problem in run_checks(made) if problem.code == "headroom-pool"]
    for problem in found:
        remedy = typed(problem.fix)
        assert remedy is None or float(str(remedy.value)) <= MOST_OVERCOMMIT
    assert (
        less_headroom(promising(2468), "backend") == "shorten the cables, or choose a model with a larger headroom pool"
    )
    assert less_headroom(promising(1600), "backend").endswith("roce.headroom_overcommit: 16.00")
    other = less_headroom(promising(250), "backend", 2.667)
    assert other.endswith("roce.headroom_overcommit: 2.67 (of another switch of it)")


def promising(needed: int) -> HeadroomUse:
    """A pool of 100 octets that so many are asked of."""
    return HeadroomUse(ports=1, needed=needed, size=100, allowed=2, private=False)


@pytest.mark.parametrize(
    ("fix", "keys", "prose"),
    [
        ("write os: eos-4.34, or waivers: [{code: a, reason: b}] where you know", [("os",), ("waivers",)], 0),
        ("write spines.now: 2 or 4", [("spines", "now"), ("spines", "now")], 0),
        ('remove this override and write overrides."train[0]".state: drained', [("overrides", "train[0]", "state")], 0),
        ("write 10.0.0.0/25 or another prefix of /25 or larger", [()], 0),
        ("write another prefix for backend", [], 1),
        ("shorten the cables, or accept it with roce.headroom_overcommit: 2.67", [("roce", "headroom_overcommit")], 1),
    ],
)
def test_every_choice_of_a_fix_is_found(fix: str, keys: list[tuple[str, ...]], prose: int) -> None:
    found = choices(fix)
    assert [one.key for one in found.typed] == keys
    assert len(found.prose) == prose


DRAINED = {"state": "drained"}
SPINES = "illegal-spine-count"
TYPED: Mapping[str, tuple[Mapping[str, object], str]] = {
    "both ports of a server are drained": (
        {"overrides": {"fe-leaf-000/Ethernet1/1": DRAINED, "fe-leaf-001/Ethernet1/1": DRAINED}},
        "drain-alone",
    ),
    "a port is drained, and the other leaf": (
        {"overrides": {"fe-leaf-000/Ethernet1/1": DRAINED, "fe-leaf-001": DRAINED}},
        "drain-alone",
    ),
    "an MTU too small for RoCE": ({"fabrics.backend.mtu": 1500}, "host-mtu"),
    "an MTU too small for RoCE, of one leaf": ({"overrides": {"be-leaf-001": {"mtu": 1500}}}, "host-mtu"),
    "a NIC with an MTU that no model takes": (
        {"fabrics.backend.mtu": 9000, "fabrics.backend.roce.host_mtu": 9400},
        "host-mtu",
    ),
    "a management prefix of two addresses": ({"management.oob": "10.0.0.0/31"}, "management-gateway"),
    "an admin that configures nothing": ({"management.users.admin.role": "network-operator"}, "no-account"),
    "users without an admin": (
        {"management.users": {"bob": {"role": "network-operator", "password": "${env:BOB_HASH}"}}},
        "no-account",
    ),
    "spines that divide no uplinks": ({"fabrics.backend.topology.spines": {"now": 3, "planned": 16}}, SPINES),
    "planned spines that divide no uplinks": ({"fabrics.backend.topology.spines": {"now": 3}}, SPINES),
}
"""What was written → edits of the demo, and the code of the problem whose remedy is typed."""


@pytest.mark.parametrize("name", TYPED)
def test_remedies_lead_out_of_what_was_written(name: str) -> None:
    """Each choice of the fix is typed: that problem is gone, and none of another code is there for it."""
    edits, code = TYPED[name]
    document = document_of(edits)
    before = problems_of(document, Around())
    problem = next(each for each in before if each.code == code)
    offered = choices(problem.fix, tuple(PROSE))
    assert offered.typed
    for remedy in offered.typed:
        after = problems_of(apply(document, problem, remedy), Around())
        worked(problem, after)
        assert [(each.code, each.what) for each in new(after, before)] == [], remedy


def test_a_number_where_the_schema_wants_it_as_text() -> None:
    """YAML reads 2 as a number, and `alpha` is text, as 1/2 is: the remedy has the quotes."""
    document = document_of({"fabrics.backend.roce.alpha": 2})
    with pytest.raises(ValidationError) as caught:
        Intent.model_validate(document)
    (problem,) = from_pydantic(caught.value.errors(), Intent)
    assert problem.fix == 'write alpha: "2"'
    (remedy,) = choices(problem.fix).typed
    changed = Intent.model_validate(apply(document, problem, remedy))
    assert changed.model_dump()["fabrics"]["backend"]["roce"]["alpha"] == "2"


def test_spines_are_counted_with_the_leaves_that_stand_and_their_uplinks() -> None:
    """The headline and the reason have one number each of leaves and of uplinks."""
    edits = {"fabrics.backend.topology.spines": {"now": 3, "planned": 16}}
    (problem,) = problems_of(document_of(edits), Around())
    leaves = problem.what.partition("serve ")[2].partition(" ")[0]
    assert int(leaves) == intents.plan().fabrics["backend"].shape.groups[0].present[-1].last * 4 + 4
    three = problems_of(document_of({"fabrics.frontend.topology.spines": {"now": 1, "planned": 3}}), Around())
    assert [each.what for each in three] == ["3 spines cannot serve 20 leaves of 6 uplinks each"]
    assert three[0].why.startswith(
        "4 uplinks per leaf are rounded up to 6, for the same number to each spine: 20 leaves with 6 uplinks each, "
        "over 3 spines,"
    )


@pytest.mark.parametrize("user", ["admin", "bob"])
def test_the_place_of_an_account_is_written_out(user: str) -> None:
    """A user is a key of `management.users`: of `management` it is an unknown one."""
    users = {user: {"role": "network-operator", "password": "${env:ADMIN_HASH}"}}
    found = problems_of(document_of({"management.users": users}), Around())
    (problem,) = (each for each in found if each.code == "no-account")
    (remedy,) = choices(problem.fix).typed
    assert remedy.key[:3] == ("management", "users", "admin")


@pytest.mark.parametrize(
    ("edits", "what", "why", "fix"),
    [
        (
            {"overrides": {"be-leaf-000": {"description": "one\ntwo"}}},
            "",
            "it has a line end or another control character",
            "write it on one line, without control characters",
        ),
        ({"servers.train.planned": "9" * 6000}, "…'", "it must be a whole number", "write a whole number"),
        ({"management.oob": "10.0.0.0/" + "9" * 6000}, "", "", ""),
        ({"tenants.research.networks": {"hosts": {"vlan": 5, "subnets": []}}}, "", "1 item or more", "write 1 item or"),
    ],
)
def test_refused_values_in_words(edits: Mapping[str, object], what: str, why: str, fix: str) -> None:
    """No value is printed whole that is long, no pattern is a reason, and one item is one."""
    with pytest.raises(ValidationError) as caught:
        Intent.model_validate(document_of(edits))
    (problem,) = from_pydantic(caught.value.errors(), Intent)
    assert problem.what.endswith(what)
    assert why in problem.why
    assert problem.fix.startswith(fix)
    assert max(len(text) for text in (problem.what, problem.why, problem.fix)) < 200
