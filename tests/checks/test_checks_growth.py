"""What was recorded stays right while the intent grows, and is refused where it would move."""

from fabricgen.checks.dimensions.recorded_fit import recorded_fit
from fabricgen.checks.dimensions.spine_rows import spine_rows
from fabricgen.checks.numbers.pools import pool_sizes
from fabricgen.hardware.model import Cages
from fabricgen.plan.lock import Lock, without_fabric
from fabricgen.plan.place import Tier
from fabricgen.resolve.device import devices
from tests.checks.intents import codes, only, plan, with_switch

BACKEND = "fabrics.backend"


def lock() -> Lock:
    return plan().lock


def test_growth_is_sound() -> None:
    more = {"servers.train.planned": 320, f"{BACKEND}.topology.spines": {"now": 8, "planned": 32}}
    assert codes(plan(more, recorded=lock())) == []


def test_removal_is_sound() -> None:
    """A group that is gone keeps its rows and numbers; nothing else changes."""
    fewer = {
        "fabrics.frontend.connects": {"train": "frontend"},
        "tenants.storage.servers": ["train[30-31]"],
        "tenants.serving.servers": ["train[16-29]"],
    }
    assert codes(plan(fewer, recorded=lock())) == []


def test_rows_of_what_stands_count_after_removal() -> None:
    """192 servers in rows 0-23 leave no row for another group below 16 spines, although few servers stand."""
    other = {
        "servers.serve": {"model": "hgx-b200", "slots": "0-31", "planned": 64},
        f"{BACKEND}.connects": {"train": "compute", "serve": "compute"},
    }
    problem = only(plan(other, recorded=lock()))
    assert problem.code == "spine-ports"
    assert problem.why == "28 leaves with 16 links to each spine need 448 ports on it, and a spine has 128"
    assert codes(plan({**other, f"{BACKEND}.topology.spines.now": 16}, recorded=lock())) == []


def test_a_renamed_group_is_named_with_its_former_name() -> None:
    """The lock has leaves of train; a group under another name that does not say so would need as many rows again."""
    group = {"model": "dgx-h100", "slots": "0-31", "planned": 192}
    renamed = {
        "servers": {"trainer": group},
        f"{BACKEND}.connects": {"trainer": "compute"},
        "fabrics.frontend.connects": {"trainer": "frontend"},
        "tenants": {},
    }
    problem = next(each for each in spine_rows(plan(renamed, recorded=lock())))
    assert problem.code == "spine-ports"
    assert problem.why.endswith("; these include leaves of train in the lock, which backend no longer connects")
    assert problem.fix.startswith("write servers.trainer.was: train if the group was renamed, or ")
    said = {**renamed, "servers": {"trainer": {**group, "was": "train"}}}
    assert list(spine_rows(plan(said, recorded=lock()))) == []


def test_other_uplinks_are_told_at_their_key_with_the_number_of_the_lock() -> None:
    """64 uplinks at the first render: 32 are refused at the line that says 32, and not at the leaf's model."""
    key = f"{BACKEND}.topology.uplinks"
    recorded = plan({key: 64}).lock
    problem = next(iter(recorded_fit(plan({key: 32}, recorded=recorded))))
    assert problem.where == ("fabrics", "backend", "topology", "uplinks")
    assert problem.fix.startswith("write topology.uplinks: 64, or run fabricgen render")


def test_other_slots_a_unit_would_move_servers() -> None:
    problem = only(plan({f"{BACKEND}.topology.rails_per_leaf": 1}, recorded=lock()))
    assert problem.code == "lock-misfit"
    assert problem.where == ("fabrics", "backend", "topology", "rails_per_leaf")
    assert (
        problem.what
        == "24 leaves of train in the lock no longer fit the intent: their host and link addresses would change"
    )
    assert problem.why == "the lock has 32 slots per unit, the intent now gives 64: servers would change leaves"


def test_more_ports_than_the_recorded_block_holds() -> None:
    """A model of 256 x 400G has 128 host ports a leaf: 512 addresses, and 256 were recorded."""
    panel = plan().fabrics["backend"].shape.groups[0].leaf.switch
    run = Cages.model_validate({**panel.cages[0].model_dump(), "cages": "1-128"})
    bigger = with_switch(cages=(run,), logical_ports=None)
    problem = only(plan({f"{BACKEND}.roce.headroom_overcommit": 8}, recorded=lock(), hardware=bigger))
    assert problem.code == "lock-misfit"
    assert "the lock has 64 host ports per leaf, the intent now gives 128" in problem.why
    assert "the lock reserves an IPv4 /24 per switch, the ports now need a /23" in problem.why


def test_a_family_added_later_is_told() -> None:
    four = {f"{BACKEND}.addressing": {"links": ["ipv4"], "ipv4": "10.64.0.0/12"}}
    found = codes(plan(recorded=plan(four).lock))
    assert found == ["lock-misfit", "lock-misfit"]


def test_a_prefix_that_moved_is_told() -> None:
    problem = only(plan({f"{BACKEND}.addressing.ipv4": "10.96.0.0/12"}, recorded=lock()))
    assert problem.code == "outside-pool"
    assert problem.why == (
        "the lock has given switches addresses of another prefix (backend leaf blocks from 10.64.0.0 up), and existing "
        "switches keep their addresses"
    )
    assert problem.fix.startswith("write 10.64.0.0/12, or run fabricgen render INTENT --renumber backend -o out (")
    wider = {f"{BACKEND}.addressing.ipv4": "10.64.0.0/11"}
    assert codes(plan(wider, recorded=lock())) == []


def test_new_numbers_are_offered_in_a_prefix_that_holds_them() -> None:
    """The choice is typed: a /22 alone would be too small for the same switches with new numbers."""
    small = {f"{BACKEND}.addressing.ipv4": "10.64.0.0/22"}
    (problem,) = pool_sizes(plan(small, recorded=lock()))
    assert problem.fix.startswith(
        "write 10.64.0.0/12, or write 10.64.0.0/19 or another prefix of /19 or larger and then run fabricgen "
        "render INTENT --renumber backend -o out (assigns"
    )
    fresh = without_fabric(lock(), "backend")
    assert codes(plan(small, recorded=fresh)) == ["pool-exhausted"]
    assert codes(plan({f"{BACKEND}.addressing.ipv4": "10.64.0.0/19"}, recorded=fresh)) == []


def test_loopbacks_in_the_way_of_growth_are_told() -> None:
    """A /19 is full; a /18 has room, but its loopbacks were recorded right behind the blocks."""
    small = plan({f"{BACKEND}.addressing.ipv4": "10.64.0.0/19"}).lock
    grown = {f"{BACKEND}.addressing.ipv4": "10.64.0.0/18", "servers.train.planned": 193}
    problem = only(plan(grown, recorded=small))
    assert problem.code == "pool-exhausted"
    assert problem.fix == (
        "run fabricgen render INTENT --renumber backend -o out: "
        "its prefix is large enough, but its loopbacks are in the way"
    )
    assert codes(plan(grown)) == []


def test_no_address_of_the_demo_is_on_two_ports() -> None:
    """What `addresses_unique` proves by intervals, counted one by one."""
    seen: list[str] = []
    for device in devices(plan()):
        found = device.interfaces
        texts = [text for row in found.ethernet for text in (row.ipv4, row.ipv6)]
        texts += [text for row in found.loopbacks for text in (row.ipv4, row.ipv6)]
        texts += [text for row in found.subinterfaces for text in (row.ipv4, row.ipv6)]
        seen += [text.partition("/")[0] for text in texts if text]
        seen.append(device.management.address.partition("/")[0])
    assert len(seen) > 1000
    assert len(set(seen)) == len(seen)


def test_asns_of_spines_recorded_at_two_times_may_be_one() -> None:
    """More spines later share the number of the first: not a number given twice."""
    more = plan({f"{BACKEND}.topology.spines": {"now": 8, "planned": 32}}, recorded=lock())
    spines = [s for s in more.lock.segments if s.tier is Tier.SPINE and s.fabric == "backend"]
    assert len(spines) == 2
    assert spines[0].asn == spines[1].asn
    assert codes(more) == []
    moved = tuple(s._replace(asn=4201000000) if s in spines else s for s in more.lock.segments)
    assert codes(more._replace(lock=Lock(segments=moved))) == ["asn-twice"]
