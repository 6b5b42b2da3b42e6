"""The page and the switches of a fabric whose leaves are fixed and modular, under modular spines."""

from fabricgen.checks.catalogue import run_checks
from fabricgen.plan.fabric import present_places
from fabricgen.plan.place import Tier
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from tests.plan_page.sites import BIG, backend, planned

MODULAR = "arista-7388x5-8dr"
SERVERS = {
    "train": {"model": "dgx-h100", "slots": "0-31", "planned": 32},
    "more": {"model": "dgx-h100", "slots": "0-15", "planned": 32},
}


def test_fixed_and_modular_leaves_under_modular_spines() -> None:
    """64 ports of 400G in 8 cards of the modular box, and 128 halves of 64 cages in the fixed one: 32 down, 32 up."""
    fabrics = {
        "backend": backend(
            connects={"train": "compute", "more": "compute"},
            topology={"design": "rail-optimized", "spines": {"now": 16}},
            leaf=BIG,
            leaf_models={"more": MODULAR},
            spine={"model": MODULAR, "os": "eos-4.34"},
        )
    }
    plan = planned(servers=SERVERS, fabrics=fabrics)
    assert [problem.what for problem in run_checks(plan)] == []
    counts = summarize(plan).fabrics[0].counts
    assert {line.group: (line.leaf_model, line.leaves, line.leaf_down, line.leaf_up) for line in counts.groups} == {
        "more": (MODULAR, 8, "32 x 400G", "32 x 400G"),
        "train": (BIG["model"], 8, "32 x 400G", "32 x 400G"),
    }
    told = [" ".join(line.split()) for line in page_text(summarize(plan))]
    assert f"switches 8 leaves: {MODULAR}, eos-4.34" in told
    assert f"8 leaves: {BIG['model']}, eos-4.34" in told
    # 612,140 octets in the own table of the fixed box; 371,348 at 5 m and 424,434 at 40 m for the other one's chip.
    assert any(line.endswith(f"leaf {BIG['model']} 400G 5 m 32 612,140 612,140 model's table") for line in told)
    assert f"leaf {MODULAR} 400G 5 m 32 371,348 424,434 chip's table" in told

    fabric = plan.fabrics["backend"]
    site = make_site(plan, "backend")
    leaves = {
        place.group: resolve(site, place)
        for place in present_places(fabric)
        if place.tier is Tier.LEAF and (place.su, place.rail) == (0, 0)
    }
    first = {group: device.interfaces.ethernet[0].name for group, device in leaves.items()}
    assert first == {"more": "Ethernet2/1/1", "train": "Ethernet1/1"}
    octets = {
        group: {row.octets for row in device.qos.headroom} for group, device in leaves.items() if device.qos is not None
    }
    assert octets == {"more": {371348, 424434}, "train": {612140}}
