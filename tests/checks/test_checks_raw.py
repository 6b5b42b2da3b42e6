"""Raw lines that no switch would take are told, with the key that nothing matches and the nearest that would."""

from typing import Any

import pytest

from fabricgen.checks.settings.raw import raw_lines
from fabricgen.errors import Problem
from fabricgen.intent.rules import raw_places
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.checks.intents import plan

ONE_FRR: dict[str, Any] = {"be-leaf-001": {"os": "frr-8.4"}}


def made(raw: dict[str, Any], overrides: dict[str, Any] = ONE_FRR) -> Plan:
    bare = plan({"overrides": overrides, "raw": [{"lines": ["x-marks-the-spot"], **raw}]})
    return with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics))


def taking(found: Plan) -> list[str]:
    """Switches that are given the lines and render them: they are in one of their files."""
    renderer = Renderer()
    return [
        device.name
        for device in devices(found)
        if device.raw and any("x-marks-the-spot" in one.text for one in renderer.render(device))
    ]


@pytest.mark.parametrize(
    ("raw", "key", "fix"),
    [
        ({"system": "frr", "artifact": "nope"}, "artifact", "choose one of "),
        ({"system": "frr", "artifact": "frr.cnf"}, "artifact", "frr.conf"),
        ({"system": "eos", "artifact": "frr.conf"}, "artifact", "startup-config"),
        ({"system": "eos", "role": "superspine"}, "role", "spine"),
        ({"system": "eos", "fabric": "backend", "role": "border-leaf"}, "role", "leaf"),
        ({"system": "eos", "device": "be-leaf-000", "role": "spine"}, "role", "leaf"),
        ({"system": "eos", "device": "be-leaf-001"}, "system", "frr"),
        ({"system": "frr", "role": "spine"}, "system", "eos"),
        ({"system": "frr", "fabric": "backend", "device": "be-leaf-00[02]"}, "system", "eos"),
    ],
)
def test_lines_that_go_nowhere(raw: dict[str, Any], key: str, fix: str) -> None:
    found = made(raw)
    assert list(raw_places(found.intent)) == []
    problems: list[Problem] = list(raw_lines(found))
    assert [(one.code, one.where) for one in problems] == [("raw-nowhere", ("raw", 0, key))]
    assert fix in problems[0].fix
    assert taking(found) == []


@pytest.mark.parametrize(
    "raw",
    [
        {"system": "eos"},
        {"system": "eos", "role": "spine"},
        {"system": "eos", "artifact": "startup-config"},
        {"system": "frr"},
        {"system": "frr", "artifact": "interfaces"},
        {"system": "frr", "device": "be-leaf-*"},
        {"system": "eos", "device": "be-leaf-*", "role": "leaf", "fabric": "backend"},
        {"system": "frr", "device": "be-leaf-001", "role": "leaf", "artifact": "frr.conf"},
    ],
)
def test_lines_that_one_switch_takes(raw: dict[str, Any]) -> None:
    found = made(raw)
    assert list(raw_lines(found)) == []
    assert taking(found)


def test_a_switch_that_is_away_keeps_its_lines() -> None:
    gone = {"be-leaf-000": {"state": "absent"}}
    assert list(raw_lines(made({"system": "eos", "device": "be-leaf-000"}, gone))) == []
