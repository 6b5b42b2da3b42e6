"""Answers that are cut, refused, of another shape or not there: never an exception, never right."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.cumulus.live.reader import CUMULUS
from fabricgen.state.state import PARTS
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.judge.device import judge
from tests.cumulus.shown_fabric import RUNNING, Switch, outputs, site, state

COMMANDS = tuple(read.command for read in CUMULUS.reads(()))
SILENT = (
    "ip -j -N nexthop show",
    "nv show system maintenance -o json",
    "nv show system -o json",
    "ip -j -d -s -s link show",  # counters of no port: no rate is compared, and nothing is right by it
)
GARBAGE: tuple[object, ...] = (None, "{", [1], {}, {"default": [1]}, [{"ifname": 1}])


def leaf() -> Switch:
    return site()["fe-leaf-000"]


def _plain(switch: Switch) -> Expected:
    """Without the configuration, which takes the most time to compare."""
    return replace(switch.expected, configuration=None)


def test_no_answer_at_all() -> None:
    found = CUMULUS.state({}, {})
    assert {part for part in (*PARTS, "rules", "daemons", "maintenance") if getattr(found, part) is not None} == set()
    assert set(PARTS) <= found.unread.keys()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_refused_answer_is_unread_and_not_right(command: str) -> None:
    switch = leaf()
    said = outputs(switch.says()) | {command: Output(None, "leaf: no answer within 5 s")}
    found = state(switch, said)
    if command not in ("ip -j -N nexthop show", "nv show system maintenance -o json"):
        assert set(found.unread) > set(CUMULUS.unseen)
    verdict = judge(_plain(switch), found, CUMULUS.drift)
    assert not verdict.findings or command in ("ip -j -N nexthop show",)


def spoilt() -> Iterator[tuple[str, object]]:
    for command in COMMANDS:
        for value in GARBAGE:
            yield command, value


def test_garbage_is_never_taken_for_an_answer_that_is_right() -> None:
    """Either a part is unread, or something is found, or the part is empty where it must not be: less is right."""
    switch = leaf()
    said = outputs(switch.says())
    best = dict(judge(_plain(switch), state(switch, said), CUMULUS.drift).passed)
    for command, value in spoilt():
        if command in SILENT:
            continue
        found = state(switch, said | {command: Output(value, "" if value is not None else "cut")})
        verdict = judge(switch.expected if command == RUNNING else _plain(switch), found, CUMULUS.drift)
        passed = dict(verdict.passed)
        told = set(found.unread) > set(CUMULUS.unseen) or bool(verdict.findings)
        assert told, (command, value)
        assert all(passed.get(check, 0) <= count for check, count in best.items())


def test_answers_cut_anywhere_never_raise() -> None:
    switch = leaf()
    said = outputs(switch.says())
    dice = random.Random(7)  # noqa: S311
    for command in COMMANDS:
        whole = said[command].value
        text = whole if isinstance(whole, str) else json.dumps(whole)
        for _ in range(4):
            at = dice.randrange(len(text))
            found = state(switch, said | {command: Output(text[:at])})
            assert found.unread.keys() >= CUMULUS.unseen.keys()


def test_values_of_another_shape_never_raise() -> None:
    switch = leaf()
    dice = random.Random(11)  # noqa: S311
    for _ in range(30):
        said = switch.says()
        command = dice.choice(COMMANDS)
        value = said[command]
        value = json.loads(value) if command == "show evpn vni detail json" else value
        if not isinstance(value, dict | list):
            continue
        _bent(value, dice)
        said[command] = json.dumps(value) if command == "show evpn vni detail json" else value
        assert state(switch, outputs(said)).unread.keys() >= CUMULUS.unseen.keys()


def _bent(value: object, dice: random.Random) -> None:
    """Put another value in some place."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
        if not keys:
            return
        key = dice.choice(keys)
        below = value[key]  # type: ignore[index]
        if not isinstance(below, dict | list) or not below or dice.random() < 0.2:
            value[key] = dice.choice(GARBAGE)  # type: ignore[index]
            return
        value = below
