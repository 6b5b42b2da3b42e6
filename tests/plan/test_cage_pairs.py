"""What is asked of kinds of cages and of models, once for all, holds for each cable."""

from copy import deepcopy
from typing import Any

import pytest

from fabricgen.hardware.media import MediaEnd
from fabricgen.plan.fabric import places, port_text
from fabricgen.plan.links import CagePair, cage_pairs, links_at
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import uplinks
from fabricgen.source.document import read_document
from tests.eos.fleet import INTENTS
from tests.eos.fleet import planned as planned_as
from tests.plan_inputs.sites import DEMO, demo, planned
from tests.stability.sites import first_site, plan_site

PLANS = {name: planned_as(name) for name in INTENTS} | {"first": plan_site(first_site())}


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_every_cable_joins_cages_of_a_pair(plan: Plan) -> None:
    for fabric in plan.fabrics.values():
        pairs = cage_pairs(fabric)
        ends = {
            CagePair(
                link.kind, *(MediaEnd(plug.connector, plug.speed_gbps, plug.parts) for plug in (link.near, link.far))
            )
            for place in places(fabric)
            for link in links_at(plan, fabric, place)
        }
        assert ends
        assert ends <= pairs


def test_each_end_of_a_cable_has_the_name_that_its_own_system_gives() -> None:
    fabrics: Any = deepcopy(read_document(DEMO).value)["fabrics"]  # type: ignore[index]
    fabrics["backend"]["spine"]["os"] = "frr-10.3"
    fabric = planned(demo(fabrics=fabrics)).fabrics["backend"]
    leaf = next(place for place in places(fabric) if place.tier is Tier.LEAF)
    links = list(uplinks(fabric, leaf))
    assert all(port_text(fabric, link.lower, link.lower_port).startswith("Ethernet") for link in links)
    assert all(port_text(fabric, link.upper, link.upper_port).startswith("swp") for link in links)
    assert len({port_text(fabric, link.upper, link.upper_port) for link in links}) == len(links) // 4
