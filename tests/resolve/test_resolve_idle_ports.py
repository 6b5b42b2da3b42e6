"""A dead port in a cage that is used by halves: it is shut, and says its speed, so that the other half keeps its lanes.

EOS: the first interface of a cage owns all of its lanes until a speed with fewer is set on it.
"""

import copy
from typing import Any

from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import read_document
from tests.plan_inputs.sites import DEMO, demo, planned

SPINE = "be-spine-00"


def stanzas(overrides: dict[str, Any], name: str = SPINE) -> dict[str, list[str]]:
    """Interface → its lines, in the order of the file."""
    intent: Any = copy.deepcopy(read_document(DEMO).value)
    servers = intent["servers"]
    servers["train"]["planned"] = 32  # half of a spine's ports have no cable
    made = planned(demo(servers=servers, overrides=overrides))
    plan = with_exceptions(made, resolve_inputs(made.intent, made.fabrics))
    device = next(one for one in devices(plan) if one.name == name)
    (text,) = (found.text for found in Renderer().render(device))
    blocks = [block.splitlines() for block in text.split("\n!\n") if block.startswith("interface Ethernet")]
    return {block[0].removeprefix("interface "): [line.strip() for line in block[1:]] for block in blocks}


def test_a_dead_half_is_shut_and_keeps_the_cage_divided() -> None:
    before, after = stanzas({}), stanzas({f"{SPINE}/Ethernet1/1": {"state": "dead"}})
    (speed,) = {line for line in before["Ethernet1/5"] if line.startswith("speed ")}
    assert after["Ethernet1/1"] == ["description dead", "shutdown", speed]
    assert after["Ethernet1/5"] == before["Ethernet1/5"]
    assert list(after)[:2] == ["Ethernet1/1", "Ethernet1/5"]
    assert len(after) == len(before) + 1  # the spare one has the cable


def test_a_cage_that_nobody_uses_is_left_out() -> None:
    """A whole cage of 400G: nothing shares it."""
    after = stanzas({"fe-spine-00/Ethernet3/1": {"state": "dead"}}, "fe-spine-00")
    assert "Ethernet3/1" not in after
    both = {f"{SPINE}/Ethernet1/{lane}": {"state": "dead"} for lane in (1, 5)}
    assert not {"Ethernet1/1", "Ethernet1/5"} & stanzas(both).keys()
