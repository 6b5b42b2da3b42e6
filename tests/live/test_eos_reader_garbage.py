"""Whatever an EOS switch says, reading it raises nothing: a part is understood, or None with the reason."""

import copy
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.base.secret import MARK
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.base.live.values import NotUnderstoodError, number
from fabricgen.platforms.eos.live.reader import BGP_IPV6, EOS, SOURCES
from fabricgen.state.state import PARTS, State
from tests.live.recorded import FABRIC, Recording, answers, recordings
from tests.some import rounds, some

WORDS = [
    "vrfs",
    "default",
    "interfaces",
    "routes",
    "peers",
    "peerList",
    "vias",
    "Vxlan1",
    "Ethernet1",
    "vlanToVniMap",
    "vrfToVniMap",
    "vlanToVtepList",
    "vni",
    "lldpNeighbors",
    "lldpNeighborInfo",
    "neighborInterfaceInfo",
    "evpnRoutes",
    "evpnRoutePaths",
    "routeKeyDetail",
    "nlriType",
    "ip-prefix",
    "mac-ip",
    "rd",
    "routeType",
    "interfaceStatus",
    "lineProtocolStatus",
    "interfaceAddress",
    "primaryIp",
    "address",
    "maskLen",
    "peerAsn",
    "peerState",
    "ipv4Neighbors",
    "peerStats",
    "status",
    "interfaceCounters",
    "rxFrames",
    "intfQueueCounters",
    "queueCounters",
    "egressQueueCounters",
    "trafficClasses",
    "TC0",
    "dropPrecedences",
    "version",
    "10.0.0.1",
    "10.0.0.0/8",
    "fd00::1",
    "65001",
    "-1",
    "4.34.2F",
    "1e9",
    "NaN",
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS)
JUNK = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
COMMANDS = [command for _, command, _ in SOURCES]


def sound(state: State) -> None:
    """Every part is there, or its absence has a reason."""
    for part in PARTS:
        assert (getattr(state, part) is None) == bool(state.unread.get(part)), part


@rounds(150)
@given(
    st.dictionaries(
        st.sampled_from(COMMANDS), st.builds(Output, JUNK, st.just("")) | st.builds(Output, st.none(), st.text())
    )
)
def test_any_value(outputs: Outputs) -> None:
    sound(EOS.state(outputs, {}))


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet="! \n\tabc1,-vlan") | st.text(st.characters(exclude_characters=MARK)),
    st.text(alphabet=" \nend!bnr") | st.text(),
)
def test_any_text_is_compared(wanted: str, running: str) -> None:
    """But marks of references, which an artifact alone has, and no switch shows."""
    assert not EOS.drift(wanted, wanted)
    assert isinstance(EOS.drift(wanted, running), tuple)


@pytest.mark.parametrize("value", [None, True, float("inf"), float("nan"), "", "1.5", "٣", "9" * 30, [], {}])
def test_what_is_no_number(value: object) -> None:
    """Neither a truth value nor a digit of another script."""
    with pytest.raises(NotUnderstoodError, match="no number 'mtu'"):
        number({"mtu": value}, "mtu")


@pytest.mark.parametrize(("value", "wanted"), [(7, 7), ("7", 7), ("-1", -1), (7.9, 7)])
def test_what_is_a_number(value: object, wanted: int) -> None:
    assert number({"mtu": value}, "mtu") == wanted


def test_nothing_at_all() -> None:
    state = EOS.state({}, {})
    sound(state)
    assert all(getattr(state, part) is None for part in PARTS)


def _damage(value: object, chance: random.Random) -> object:
    """A recorded output with a value in it replaced, dropped or of another type."""
    junk: tuple[object, ...] = (None, True, -1, 1.5, "", "x", [], {}, ["x"], {"x": 1}, float("inf"), 10**30)
    if not isinstance(value, dict | list) or not value or chance.random() < 0.05:
        return chance.choice(junk)
    if isinstance(value, dict):
        key = chance.choice(sorted(value))
        return {**value, key: _damage(value[key], chance)}
    at = chance.randrange(len(value))
    return [*value[:at], _damage(value[at], chance), *value[at + 1 :]]


@pytest.mark.parametrize("seed", some(range(300), of=10))
def test_damaged_recordings(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 -- to choose where it hurts
    one = chance.choice(_leaves())
    objects = answers(one)
    command = chance.choice(sorted(objects))
    outputs = {name: Output(value) for name, value in objects.items()}
    outputs[command] = Output(_damage(copy.copy(objects[command]), chance))
    sound(EOS.state(outputs, {}))


def _leaves() -> list[Recording]:
    return [one for name, one in recordings(FABRIC).items() if "LEAF" in name]


def test_the_lists_stand_in_for_the_summary_only_when_it_was_refused() -> None:
    """As recorded, without an answer to the summary at all, BGP is not read: no answer is no refusal."""
    one = _leaves()[0]
    outputs = {name: Output(value) for name, value in answers(one).items()}
    assert BGP_IPV6 in outputs
    assert EOS.state(outputs, {}).bgp is None
