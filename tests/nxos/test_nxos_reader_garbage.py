"""Whatever an NX-OS switch says, reading it raises nothing: a part is understood, or None with the reason."""

import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.base.secret import MARK
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.platforms.nxos.live.drain import PATHS, draining_peers
from fabricgen.platforms.nxos.live.reader import NXOS
from fabricgen.state.state import PARTS, State
from tests.nxos.test_nxos_reader import ANSWERS

COMMANDS = [command for _, command, _ in nxos.SOURCES]
WORDS = [
    "TABLE_interface", "ROW_interface", "TABLE_vrf", "ROW_vrf", "TABLE_intf", "ROW_intf", "TABLE_af", "ROW_af",
    "TABLE_neighbor", "ROW_neighbor", "TABLE_nve_vni", "ROW_nve_vni", "TABLE_bfdNeighbor", "interface", "state",
    "vrf-name-out", "neighborid", "ipprefix", "vni", "type", "default", "10.0.0.1", "fd00::1", "L2 [20]", "true", "-1",
]  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS)
JUNK = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
TEXTS = st.text() | st.builds(json.dumps, JUNK) | st.sampled_from(list(ANSWERS.values()))


def sound(state: State) -> None:
    """Every part is there, or its absence has a reason."""
    for part in PARTS:
        assert (getattr(state, part) is None) == bool(state.unread.get(part)), part


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(COMMANDS),
        st.builds(Output, TEXTS | JUNK, st.just("")) | st.builds(Output, st.none(), st.text()),
    )
)
def test_any_value(outputs: Outputs) -> None:
    sound(NXOS.state(outputs, {}))


def test_nothing_at_all() -> None:
    state = NXOS.state({}, {})
    sound(state)
    assert all(getattr(state, part) is None for part in PARTS)


@cache
def right() -> State:
    """What the answers as they are say."""
    return NXOS.state({command: Output(text) for command, text in ANSWERS.items()}, {})


JSON = sorted(command for command in ANSWERS if "json" in command)


@pytest.mark.parametrize("command", JSON)
def test_a_cut_answer_is_not_understood(command: str) -> None:
    """Wherever it was cut, but behind its end; an empty one of SILENT is an answer."""
    part = next(part for part, one, _ in nxos.SOURCES if one == command)
    text = ANSWERS[command].strip()
    for end in range(int(command in nxos.SILENT), len(text), max(1, len(text) // 40)):
        outputs = {name: Output(said) for name, said in ANSWERS.items()}
        state = NXOS.state({**outputs, command: Output(text[:end])}, {})
        sound(state)
        if command == nxos.SWITCHPORTS:
            assert {one.vlans for one in state.interfaces or ()} == {None}
        else:
            assert getattr(state, part) is None
            assert command in state.unread.get(part, "it has no such mode") or part == "maintenance"


def _damage(value: object, chance: random.Random) -> object:
    """An answer with a value in it replaced, dropped or of another type."""
    junk: tuple[object, ...] = (None, True, -1, 1.5, "", "x", [], {}, ["x"], {"x": 1}, 10**30)
    if not isinstance(value, dict | list) or not value or chance.random() < 0.05:
        return chance.choice(junk)
    if isinstance(value, dict):
        key = chance.choice(sorted(value))
        return {**value, key: _damage(value[key], chance)}
    at = chance.randrange(len(value))
    return [*value[:at], _damage(value[at], chance), *value[at + 1 :]]


@pytest.mark.parametrize("seed", range(200))
def test_damaged_answers(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 -- to choose where it hurts
    command = chance.choice(JSON)
    outputs = {name: Output(text) for name, text in ANSWERS.items()}
    outputs[command] = Output(json.dumps(_damage(json.loads(ANSWERS[command]), chance)))
    sound(NXOS.state(outputs, {}))


@settings(max_examples=150, deadline=None)
@given(
    st.text(alphabet="! \n\tabc1,-vlan:") | st.text(st.characters(exclude_characters=MARK)),
    st.text(alphabet=" \nvlan -9,user") | st.text(),
)
def test_any_text_is_compared(wanted: str, running: str) -> None:
    """But marks of references, which an artifact alone has, and no switch shows."""
    assert not NXOS.drift(wanted, wanted)
    assert isinstance(NXOS.drift(wanted, running), tuple)


@settings(max_examples=100, deadline=None)
@given(TEXTS | JUNK)
def test_any_text_shows_no_peer_by_mistake(said: object) -> None:
    assert draining_peers({PATHS: Output(said)}) == frozenset()


def test_the_answers_are_understood_as_they_are() -> None:
    assert {part for part in PARTS if getattr(right(), part) is None} == {"qos"}
