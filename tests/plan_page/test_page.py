"""The page's numbers against the reference and the hardware files, and its text within 100 columns."""

import json
import re

import pytest

from fabricgen.plan.exceptions import AsBuilt, Exceptions, PortKey
from fabricgen.plan.fabric import places
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_context, make_site
from fabricgen.resolve.routing import own_prefixes
from fabricgen.summary.layout import big, percent, plural, ratio, short, table, watts
from fabricgen.summary.page import FabricPage, Limit, Page, plain
from fabricgen.summary.summary import summarize
from fabricgen.summary.text import page_text
from tests.plan_page.sites import backend, frontend, planned, spines, train

TENANTS = {
    "storage": {"servers": ["train[0-7]"], "networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20"]}}},
    "research": {
        "servers": ["train[8-31]"],
        "imports": ["storage"],
        "networks": {"hosts": {"vlan": 110, "subnets": ["172.18.0.0/20", "fd5e:8c1f:2a00:2110::/64"]}},
    },
}


def both(exceptions: Exceptions | None = None) -> Plan:
    fabrics = {"backend": backend(roce={"marking": "nvidia"}), "frontend": frontend(evpn={"vni_base": 20000})}
    return planned(exceptions, fabrics=fabrics, tenants=TENANTS)


def page_of(plan: Plan, name: str) -> FabricPage:
    return next(fabric for fabric in summarize(plan).fabrics if fabric.name == name)


def bind(page: Page, what: str) -> Limit:
    return next(found for found in page.binds if what in found.what)


def test_counts_and_capacity_of_a_backend() -> None:
    counts = page_of(both(), "backend").counts
    (group,) = counts.groups
    assert (group.servers, group.gpus, group.units, group.leaves) == (32, 256, 1, 4)
    assert (counts.spines, counts.links_a_pair, counts.uplinks_a_leaf) == (4, 16, 64)
    assert (group.leaf_down, group.leaf_up, group.ratio) == ("64 x 400G", "64 x 400G", 1.0)
    # One of four spines lost: 1 / (1 - 1/4). Half of 256 x 400G one way.
    assert group.ratio_spine_lost == pytest.approx(4 / 3)
    assert counts.bisection_tbps == pytest.approx(51.2)


def test_counts_and_capacity_of_a_frontend() -> None:
    counts = page_of(both(), "frontend").counts
    # 24 x 200G down, 4 x 400G up. 4 leaves x 1.6 Tb/s up, less than the servers' 64 x 200G = 12.8 Tb/s.
    assert (counts.end_to_end, counts.asked) == (3.0, "3:1")
    assert counts.bisection_tbps == pytest.approx(3.2)
    assert counts.borders == 2


def test_pools() -> None:
    uses = {(use.pool, use.region): use for use in page_of(both(), "backend").pools}
    # A leaf needs 2 x 64 addresses for hosts and 2 x 64 for uplinks: a /24. Three quarters of a /12 hold 3,072.
    blocks = uses["10.64.0.0/12", "blocks"]
    assert (blocks.block, blocks.allocated, blocks.reserved, blocks.capacity) == ("/24", 4, 24, 3072)
    assert blocks.used == pytest.approx(24 / 3072)
    loopbacks = uses["10.64.0.0/12", "loopbacks"]
    assert (loopbacks.block, loopbacks.allocated, loopbacks.reserved, loopbacks.capacity) == ("/31", 8, 40, 131072)
    # Every leaf its own number, one for all spines.
    asns = uses["4201000000-4201999999", "AS numbers"]
    assert (asns.allocated, asns.reserved, asns.capacity) == (5, 25, 1_000_000)


def test_an_absent_switch_does_not_stand() -> None:
    gone = both(Exceptions(devices={"be-spine-00": "absent", "be-leaf-000": "absent"}))
    page = summarize(gone)
    blocks, loopbacks, *_ = page.fabrics[0].pools
    assert (blocks.allocated, loopbacks.allocated) == (3, 6)  # of 4 and 8
    assert page.oob.allocated == 16  # of 18
    ipv4 = page.fabrics[0].routes[0]
    assert (ipv4.aggregates, ipv4.loopbacks, ipv4.planned) == (3, 6, 64)
    lossless = page.fabrics[0].lossless
    assert lossless is not None
    assert {line.role for line in lossless.headroom} == {"leaf", "spine"}


def test_what_is_in_force_is_counted() -> None:
    assert not any("  active " in line for line in page_text(summarize(both())))
    overrides = {"be-spine-00": {"state": "drained"}, "be-leaf-000": {"mtu": 9000}}
    waivers = [{"code": "roce-mtu", "reason": "measured"}]
    page = summarize(planned(fabrics={"backend": backend()}, overrides=overrides, waivers=waivers))
    assert (page.overrides, page.waivers) == (2, 1)
    assert "  active        2 overrides, 1 waiver" in page_text(page)


def test_management_addresses() -> None:
    # 8 switches of the backend; 4 leaves, 2 borders, 4 spines of the frontend. 4,096 less 16 and the broadcast.
    oob = summarize(both()).oob
    assert (oob.allocated, oob.capacity) == (18, 4079)
    assert oob.reserved == 24 + 16 + 2 + 16 + 4
    # The frontend begins at 48, the next multiple of 16, 8 after the 40 of the backend: (62 + 8) / 4,079.
    (line,) = [line for line in page_text(summarize(both())) if " management " in line and "/32" in line]
    assert line.split() == ["10.0.0.0/20", "management", "/32", "18", "62", "8", "4,079", "1.7", "%"]


@pytest.mark.parametrize("name", ["backend", "frontend"])
@pytest.mark.parametrize("hosts", ["ipv4", "ipv6"])
def test_routes_are_what_the_switches_originate(name: str, hosts: str) -> None:
    addressing = {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52", "hosts": hosts}
    plan = planned(fabrics={"backend": backend(addressing=addressing), "frontend": frontend()}, tenants=TENANTS)
    site = make_site(plan, name)
    prefixes = [p for place in places(site.fabric) for p in own_prefixes(make_context(site, place))]
    scales = {scale.family: scale.aggregates + scale.loopbacks for scale in page_of(plan, name).routes}
    assert scales == {"ipv4": sum(":" not in p for p in prefixes), "ipv6": sum(":" in p for p in prefixes)}


def test_routes_of_the_planned_fabric() -> None:
    (four, six) = page_of(both(), "backend").routes
    assert (four.aggregates, four.loopbacks, four.planned) == (4, 8, 24 + 24 + 16)
    assert (six.aggregates, six.loopbacks, six.planned) == (0, 8, 40)


def test_headroom_is_the_models_row_with_its_source() -> None:
    line = page_of(both(), "backend").lossless
    assert line is not None
    rows = {(row.role, row.speed_gbps, row.length_m): row for row in line.headroom}
    assert set(rows) == {("leaf", 400, 5), ("leaf", 400, 40), ("spine", 400, 40)}
    leaf = rows["leaf", 400, 5]
    # sonic-buildimage, Arista-7060X6-64PE-O128S2: 612,140 octets at 400G for every length up to 150 m.
    assert (leaf.octets, leaf.rendered, leaf.basis, leaf.ports) == (612140, 612140, "model-row", 64)
    assert "O128S2" in leaf.source
    (pool, _) = line.pools
    assert (pool.needed, pool.pool, pool.ports) == (128 * 612140, 29423360, 128)
    assert pool.ratio == pytest.approx(2.663, abs=0.001)


def test_the_pool_says_what_is_allowed() -> None:
    # The maker's own ratio for its own table; else what the intent accepts.
    accepted = planned(fabrics={"backend": backend(roce={"headroom_overcommit": 3.5})})
    maker = (128 * 612140 / 29423360, "the vendor's own overcommitment")
    for plan, (allowed, whose) in ((planned(), maker), (accepted, (3.5, "`headroom_overcommit` of the intent"))):
        line = page_of(plan, "backend").lossless
        assert line is not None
        assert [pool.allowed for pool in line.pools] == pytest.approx([allowed, allowed])
        assert [pool.allowed_by for pool in line.pools] == [whose, whose]
        text = " ".join(" ".join(page_text(summarize(plan))).split())
        # Octets of the maker's table (sonic-buildimage, as above), for 128 ports.
        needed = f"if all 128 ports pause, they need {128 * 612140:,}: ratio 2.66:1"
        assert text.count(f"29,423,360 bytes; {needed}; allowed {allowed:.2f}:1 ({whose})") == 2


def test_a_table_with_one_value_for_several_lengths_is_said() -> None:
    """sonic-buildimage, Arista-7060X6-64PE-O128S2, as above; the Z9864F has 393,192 at 5 m, and 446,024 at 40 m."""
    assert any(line.endswith(" the table has 612,140 bytes for 5 m and 40 m") for line in page_text(summarize(both())))
    box = {"model": "dell-z9864f-on", "os": "sonic-202505"}
    other = planned(fabrics={"backend": backend(leaf=box, spine=box)})
    assert not any("the table has" in line for line in page_text(summarize(other)))


def test_a_longer_cable_shows_in_the_headroom() -> None:
    built = Exceptions(cables={PortKey("be-leaf-001", "Ethernet33/1"): AsBuilt(length_m=300, medium="dr4")})
    plan = planned(built)
    line = page_of(plan, "backend").lossless
    assert line is not None
    rows = {(row.role, row.length_m): row for row in line.headroom}
    assert (rows["leaf", 300].ports, rows["spine", 300].ports) == (1, 1)
    # Past the model's own rows (150 m): the Z9864F, the same chip, has 839,216 at 400G and 300 m. One value a box.
    assert (rows["leaf", 300].octets, rows["leaf", 300].basis) == (839216, "asic-row")
    assert rows["leaf", 5].rendered == 839216


def test_a_fabric_without_lossless_class_says_nothing_of_it() -> None:
    plan = planned(fabrics={"backend": backend(transport="best-effort")})
    assert page_of(plan, "backend").lossless is None


def test_ecn_of_the_formula_and_of_a_profile() -> None:
    published = page_of(both(), "backend").lossless
    formula = page_of(planned(fabrics={"backend": backend(roce={"ecn": "formula"})}), "backend").lossless
    profile = page_of(planned(fabrics={"backend": backend(roce={"ecn": "cisco-400"})}), "backend").lossless
    lacking = page_of(planned(fabrics={"backend": backend(roce={"ecn": "cisco-100"})}), "backend").lossless
    assert published is not None
    assert formula is not None
    assert profile is not None
    # Arista's guide: 256 and 512 KB on a leaf, 512 and 768 KB on a spine.
    found = {row.role: (row.minimum, row.maximum, row.percent, row.unsure) for row in published.ecn}
    assert found == {"leaf": (256_000, 512_000, 100, False), "spine": (512_000, 768_000, 100, False)}
    assert lacking is not None
    # 400G x 8 us = 400,000 octets, 35 % of it is below the floor of 150 kB; four times that; NVIDIA marks at 100 %.
    assert [(e.minimum, e.maximum, e.percent, e.unsure) for e in formula.ecn] == [(150_000, 600_000, 100, True)] * 2
    # Cisco Nexus Dashboard, 400G: 950 and 3,000 KB, 7 %.
    assert [(e.minimum, e.maximum, e.percent) for e in profile.ecn] == [(950_000, 3_000_000, 7)] * 2
    assert [e.minimum for e in lacking.ecn] == [None, None]


def test_tenants() -> None:
    research, storage = summarize(both()).tenants
    assert (research.name, research.vrf_id, research.vni, research.servers) == ("research", 1, 20001, ("train[8-31]",))
    assert (research.reaches, storage.reaches) == (("storage",), ("research",))
    (network,) = research.networks
    assert (network.vlan_id, network.vni, len(network.subnets)) == (110, 20002, 2)


def test_what_binds_is_sorted_and_numbered() -> None:
    page = summarize(both())
    shares = [found.share for found in page.binds]
    assert shares == sorted(shares, reverse=True)
    leaves = bind(page, "leaves at 16 links")
    assert (leaves.used, leaves.limit, leaves.then) == (4, 8, "8 spines in all, which moves 128 existing links")
    assert (bind(page, "train servers in 1 SU").used, bind(page, "train servers in 1 SU").limit) == (32, 32)
    # At 1:1 the uplinks of a leaf, 64, and the headroom of all its ports are the same however the fabric grows.
    assert not any("ECMP" in found.what or "headroom" in found.what for found in page.binds)


def test_paths_are_a_limit_where_more_spines_add_uplinks() -> None:
    topology = {
        "design": "leaf-spine",
        "oversubscription": "3:1",
        "border_leaves": 2,
        "spines": {"now": 4, "planned": 8},
    }
    page = summarize(planned(fabrics={"backend": backend(), "frontend": frontend(topology=topology)}))
    found = bind(page, "ECMP paths on tomahawk4")
    assert (found.fabric, found.used, found.limit) == ("frontend", 4, 128)


def test_more_servers_fill_the_rows() -> None:
    page = summarize(planned(servers=train("0-39", 192)))
    assert bind(page, "leaves at 16 links").share == 1
    servers = bind(page, "train servers in 2 SUs")
    assert (servers.used, servers.limit) == (40, 64)


def test_json_holds_the_same() -> None:
    page = summarize(both())
    value = json.loads(json.dumps(plain(page)))
    assert value["fabrics"][0]["growth"]["recable_leaves"] == 8
    assert value["fabrics"][0]["lossless"]["headroom"][0]["octets"] == 612140
    assert value["materials"]["parts"][0]["pieces"] == 384
    assert value["tenants"][0]["networks"][0]["vlan_id"] == 110


def test_text_is_aligned_narrow_and_complete() -> None:
    lines = list(page_text(summarize(both())))
    assert max(map(len, lines)) <= 100
    assert len(lines) <= 121
    assert not any(line != line.rstrip() or "\t" in line for line in lines)
    text = "\n".join(lines)
    for words in ("612,140", "model's table", "O128S2", "51.2 Tb/s", "4 -> 8 spines", "unknown", "O128S2", "nvidia"):
        assert words in text
    assert re.search(r"research +1 +20001", text)


@pytest.mark.parametrize("spine", [None, {"model": "arista-7060x6-64pe", "os": "eos-4.34"}])
def test_a_backend_alone_has_a_page(spine: dict[str, str] | None) -> None:
    topology = {"design": "rail-optimized", "rails_per_leaf": 2}
    plan = planned(servers=train("0-31", 64), fabrics={"backend": backend(spine=spine, topology=topology)})
    text = "\n".join(page_text(summarize(plan)))
    assert ("there are no spines" in text) == (spine is None)
    assert "tenants" not in text


def test_words_and_numbers() -> None:
    assert [plural(n, "leaf") for n in (1, 2)] == ["1 leaf", "2 leaves"]
    assert [plural(n, "spine") for n in (1, 1000)] == ["1 spine", "1,000 spines"]
    assert [percent(x) for x in (0, 0.0001, 0.05, 0.5, 1)] == ["0.0 %", "<0.1 %", "5.0 %", "50 %", "100 %"]
    assert [ratio(x) for x in (None, 4 / 3)] == ["-", "1.33:1"]
    assert [watts(x) for x in (465, 17744)] == ["465 W", "17.7 kW"]
    assert [short(x) for x in (1, 999_999, 78_353_920, 1 << 67)] == ["1", "999,999", "78.4 M", "2^67"]
    # Three quarters of a /52 in blocks of a /120, and numbers of another kind.
    assert [big(x) for x in (3 << 66, 4_100_000_000, 10**9 - 1)] == ["3 x 2^66", "4,100,000,000", "999,999,999"]


def test_a_table_sets_numbers_right_and_words_left() -> None:
    lines = list(table("t", ("name", "n"), [("a", "1"), ("bcdef", "1,000")]))
    assert lines == [
        "  t             name       n",
        "                a          1",
        "                bcdef  1,000",
    ]
    assert list(table("t", ("name",), [])) == []


@pytest.mark.parametrize(("states", "share", "told"), [
    ({"be-spine-01": "dead"}, 3 / 4, "1 spine dead"),
    ({"be-spine-01": "absent", "be-spine-02": "dead", "be-leaf-001": "dead"}, 1 / 2, "1 leaf, 2 spines dead"),
    ({"be-spine-01": "drained", "fe-spine-01": "dead"}, 1, ""),
])  # fmt: skip
def test_what_is_away_is_told_and_taken_off(states: dict[str, str], share: float, told: str) -> None:
    """The backend is 1:1 over four spines, so that each carries a quarter of what the servers send."""
    usual, page = (summarize(both(found)) for found in (None, Exceptions(devices=states)))
    whole, left = (found.fabrics[0].counts.bisection_tbps for found in (usual, page))
    assert whole is not None
    assert left == pytest.approx(whole * share)
    assert page.fabrics[0].counts.spines == 4
    lines = [line for line in page_text(page) if line.startswith("  unavailable ")]
    assert [told in line for line in lines[:1]] == [True]
    assert len(lines) == (2 if told and "fe-spine-01" in states else 1)
    assert not any(line.startswith("  unavailable ") for line in page_text(usual))


def test_a_pool_of_unknown_size_shows_no_numbers() -> None:
    """Zeros would read as a pool that is empty, and enough."""
    box = {"model": "cisco-n9364d-gx2a", "os": "nxos-10.5"}
    fabric = backend(leaf=box, spine=box, roce={"marking": "nvidia"}, topology=spines(4, 8))
    plan = planned(fabrics={"backend": fabric}, servers=train("0-15", 16))
    text = "\n".join(page_text(summarize(plan)))
    assert "pool of a leaf (cisco-n9364d-gx2a): its size is unknown, so it is not checked" in text
    assert "they need 0" not in text


def test_thresholds_of_the_formula_are_not_shown_as_published() -> None:
    """Nokia publishes none for the 7220: `published`, which nobody wrote, takes the formula there."""
    box = {"model": "nokia-7220-ixr-h4", "os": "srlinux-25.3"}
    fabric = backend(leaf=box, spine=box, roce={"marking": "nvidia"}, topology=spines(4, 8))
    lines = list(page_text(summarize(planned(fabrics={"backend": fabric}, servers=train("0-15", 16)))))
    (leaf,) = [line for line in lines if re.search(r" leaf +400G +150,000 ", line)]
    assert "formula" in leaf
    assert "published" not in leaf


def test_ports_that_uplinks_leave_idle_and_slots_beyond_the_plan_are_told() -> None:
    """16 uplinks of 400G carry 16 servers at 1:1: 96 of a leaf's 128 ports stay idle. 20 servers need two such SUs."""
    topology = {"design": "rail-optimized", "uplinks": 16}
    plan = planned(fabrics={"backend": backend(topology=topology)}, servers=train("0-15", 20))
    page = "\n".join(page_text(summarize(plan)))
    assert "train: 96 ports of a leaf idle, as `uplinks` carries 16 servers per SU at the ratio\n" in page
    assert "train: 20 planned; 2 SUs hold 32\n" in page
    plan = planned(fabrics={"backend": backend()}, servers=train("0-31", 32))
    plainly = "\n".join(page_text(summarize(plan)))
    assert " idle" not in plainly
