"""What an `expect:` file allows, and that nothing else passes."""

import pytest

from fabricgen.changes.change import ChangeOp
from fabricgen.diff.classes import priced
from fabricgen.diff.expect import Expect, too_low, unexpected, unused
from fabricgen.diff.model import Difference
from fabricgen.errors import FabricError
from fabricgen.platforms.base.cost import Risk
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.diff.samples import LOST_PFC, MOVED, NEIGHBOR, SPINES, TIMERS, difference, line, meaning

ADDED = difference(meaning((NEIGHBOR,), SPINES))


def expect(text: str) -> Expect:
    return validate(Expect, load_document(text, "expect.yaml"))


def strays(found: Difference, text: str) -> list[str]:
    return [row.what for row in unexpected(found, expect(text))]


@pytest.mark.parametrize(
    "changes",
    [
        '{devices: ["be-spine-*"], kinds: [bgp.neighbor]}',
        '{devices: ["be-spine-*"], kinds: [bgp.neighbor added]}',
        '{devices: ["be-spine-*"], kinds: ["bgp.*"]}',
        '{devices: ["be-spine-*"], sessions: ["be-leaf-00?"]}',
        '{devices: ["*"]}',
    ],
)
def test_what_is_expected_passes(changes: str) -> None:
    assert strays(ADDED, f"{{expect: 1, changes: [{changes}]}}") == []


@pytest.mark.parametrize(
    ("changes", "devices"),
    [
        ('{devices: ["be-spine-00"], kinds: [bgp.neighbor]}', SPINES[1:]),
        ('{devices: ["be-spine-*"], kinds: [bgp.neighbor removed]}', SPINES),
        ('{devices: ["be-spine-*"], kinds: [bgp.timers]}', SPINES),
        ('{devices: ["be-spine-*"], sessions: ["be-leaf-009"]}', SPINES),
        ('{devices: ["be-spine-*"], kinds: [bgp.neighbor], risk: none}', SPINES),
    ],
)
def test_anything_else_is_told(changes: str, devices: tuple[str, ...]) -> None:
    (row,) = unexpected(ADDED, expect(f"{{expect: 1, changes: [{changes}]}}"))
    assert (row.what, row.risk, row.devices) == ("bgp.neighbor added", Risk.HITLESS, devices)


def test_an_empty_file_expects_nothing() -> None:
    assert strays(ADDED, "{expect: 1}") == ["bgp.neighbor added"]
    assert strays(difference(), "{expect: 1}") == []


def test_more_than_hitless_must_be_said() -> None:
    reset = difference(meaning((TIMERS,), SPINES))
    entry = 'devices: ["*"], kinds: [bgp.timers]'
    assert strays(reset, f"{{expect: 1, changes: [{{{entry}}}]}}") == ["bgp.timers changed"]
    assert strays(reset, f"{{expect: 1, changes: [{{{entry}, risk: session reset}}]}}") == []


def test_unknown_and_reload_are_no_traffic_loss() -> None:
    for risk in (Risk.UNKNOWN, Risk.RELOAD):
        found = difference(meaning((line("qos.ecn", ChangeOp.CHANGED, risk),), SPINES))
        assert strays(found, '{expect: 1, changes: [{devices: ["*"], risk: traffic loss}]}') == ["qos.ecn changed"]


def test_text_numbers_and_an_unread_side_are_never_allowed_by_facts() -> None:
    everything = '{expect: 1, changes: [{devices: ["*"], risk: reload}]}'
    assert strays(difference(text=(LOST_PFC,)), everything) == ["text of startup-config"]
    assert strays(difference(moved=(MOVED,)), everything) == ["be-leaf-000: asn 4201000000 → 4201000007"]
    assert strays(difference(is_whole=False), everything) == ["the other side could not be read"]
    assert strays(difference(text=(LOST_PFC,)), '{expect: 1, text: ["be-leaf-000"]}') == []
    assert strays(difference(moved=(MOVED,)), "{expect: 1, moved: true}") == []


def test_an_entry_that_meets_nothing_is_told() -> None:
    file = expect('{expect: 1, changes: [{devices: ["fe-*"]}, {devices: ["be-*"]}]}')
    assert unused(ADDED, file) == (0,)


def test_an_entry_whose_risk_is_too_low_says_so() -> None:
    """It names the change, so a reader would look for a typing error."""
    file = expect('{expect: 1, changes: [{devices: ["be-*"], kinds: [bgp.neighbor], risk: none}]}')
    highest = max(risk for each in ADDED.meaning for device in each.devices for _, risk in priced(each, device))
    assert highest > Risk.NONE
    assert unused(ADDED, file) == (0,)
    said = f"allows a risk of none at most, and the changes that it names have {highest.words}"
    assert too_low(ADDED, file, 0) == f"{said}: write risk: {highest.words}"
    other = expect('{expect: 1, changes: [{devices: ["fe-*"], risk: none}]}')
    assert too_low(ADDED, other, 0) == ""


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("{expect: 2}", "", "1"),
        ("{expect: 1, changes: [{devices: [x], kinds: [bgp.neighbour]}]}", "", "bgp.neighbor"),
        ("{expect: 1, changes: [{devices: [x], kinds: [bgp.neighbor gone]}]}", "", "removed"),
        ("{expect: 1, changes: [{kinds: [bgp.neighbor]}]}", "", "devices"),
        ("{expect: 1, change: []}", "", "changes"),
        ('{expect: 1, moved: "yes"}', "", "moved"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(text: str, code: str, part: str) -> None:
    del code
    with pytest.raises(FabricError) as error:
        expect(text)
    (problem,) = error.value.problems
    assert problem.at is None or problem.at.file == "expect.yaml"
    assert part in f"{problem.what} {problem.why} {problem.fix}"


def test_a_mild_fact_hides_no_other_one_of_its_kind() -> None:
    """Two limits of one switch: one is raised, one is lowered."""
    kind = "bgp.vrf.neighbor.maximum-routes"
    up = line(kind, ChangeOp.CHANGED, Risk.HITLESS, values=("100", "200"))
    down = line(kind, ChangeOp.CHANGED, Risk.SESSION_RESET, values=("100", "50"))
    found = difference(meaning((down, up), SPINES[:1]))
    file = f'{{expect: 1, changes: [{{devices: ["*"], kinds: [{kind}]}}]}}'
    (row,) = unexpected(found, expect(file))
    assert (row.what, row.risk, row.devices) == (f"{kind} changed", Risk.SESSION_RESET, SPINES[:1])
    assert strays(difference(meaning((up,), SPINES[:1])), file) == []
