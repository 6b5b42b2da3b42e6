"""The graph of buffers: its size by formula, seeded circles, each layer alone, and samples of large fabrics."""

from ipaddress import ip_address
from pathlib import Path

import pytest

from fabricgen.audit.buffers import prove
from fabricgen.audit.onward import ALL, Layers
from fabricgen.audit.reach import reach
from fabricgen.audit.representatives import sample
from fabricgen.audit.routes import Propagation, Way
from fabricgen.audit.site_view import End, SiteView
from fabricgen.audit.tunnels import relays
from fabricgen.audit.views import At, host_of
from fabricgen.readback.policy import PERMIT_ALL, Policy, PrefixRange, Term, TermLines
from fabricgen.readback.rows import Key, Value
from tests.audit.planned import ROOT, Change, Rows, site_view, violated
from tests.some import some

DEMO = ROOT / "inventories/demo/intent.yaml"
TIERS = ROOT / "tests/lab/tiers.yaml"
PAIRS = ROOT / "tests/leaf_pairs/intent.yaml"
SHARED = ROOT / "inventories/shared-backend-512/intent.yaml"
LOOP_CHECK = Layers(marks=False, prefixes=False)
MARKS = Layers(loop_check=False, prefixes=False)
PREFIXES = Layers(loop_check=False, marks=False)


def _as_planned(rows: Rows) -> None:
    """Change nothing."""


def site(intent: Path, change: Change = _as_planned) -> SiteView:
    return site_view(intent, change)


def test_the_graph_has_the_size_that_follows_from_leaves_and_spines() -> None:
    """Two tiers: a channel each way of each pair; a way up waits for the ways down to all other leaves."""
    leaves = spines = 4
    proof = prove(site(DEMO), "backend")
    assert (proof.channels, proof.edges) == (2 * leaves * spines, leaves * spines * (leaves - 1))
    assert proof.cycle is None


@pytest.mark.parametrize("layers", [LOOP_CHECK, MARKS, PREFIXES])
def test_each_layer_alone_is_enough_in_two_tiers(layers: Layers) -> None:
    assert prove(site(DEMO), "backend", layers).cycle is None


def test_without_any_layer_there_is_a_circle() -> None:
    cycle = prove(site(DEMO), "backend", Layers(loop_check=False, marks=False, prefixes=False)).cycle
    assert cycle is not None
    assert cycle.turn.startswith("be-leaf")


def test_three_tiers_need_the_check_of_as_loops() -> None:
    """A superspine sends a pod's prefix back to the spines of the pod: they refuse it by their own AS number alone."""
    underlay = site(TIERS, _without_tunnels)
    assert prove(underlay, "frontend", LOOP_CHECK).cycle is None
    for layers in (MARKS, PREFIXES, Layers(loop_check=False)):
        cycle = prove(underlay, "frontend", layers).cycle
        assert cycle is not None
        assert {name[:8] for channel in cycle.channels for name in channel} == {"fe-spine", "fe-super"}


def _sessions(rows: Rows, role: str, far: str, setting: str, value: Value) -> None:
    """Give sessions of the switches of a role with those of another one a setting, in both families."""
    for name in [name for name in rows if role in name]:
        own = rows[name]
        for key in [key for key in own if key.setting == "description" and key.thing == "session"]:
            if far in str(own[key]):
                for family in ("ipv4", "ipv6"):
                    own[key._replace(setting=f"{setting}.{family}")] = value


def _own_as(rows: Rows) -> None:
    """Spines take their own AS number from superspines."""
    _without_tunnels(rows)
    _sessions(rows, "spine", "fe-super", "own-as", 3)


def _with_lines(found: SiteView) -> SiteView:
    """The site with a line for each session that weakens the check of AS loops."""
    for switch in found.switches.values():
        rows = (row._replace(loops_at=At("text", 77)) if row.undoes_loop_check else row for row in switch.sessions)
        found.switches[switch.name] = switch._replace(sessions=tuple(rows))
    return found


def test_three_tiers_whose_spines_take_their_own_as_number_have_a_circle_at_the_line_that_lets_them() -> None:
    cycle = prove(_with_lines(site(TIERS, _own_as)), "frontend").cycle
    assert cycle is not None
    assert (cycle.turn[:8], cycle.at) == ("fe-spine", At("text", 77))


@pytest.mark.parametrize(
    ("role", "far", "setting", "value"),
    [
        ("be-spine", "be-leaf", "own-as", 1),
        ("be-leaf", "be-spine", "as-override", True),
        ("be-leaf", "be-spine", "remove-private-as", True),
    ],
)
def test_what_weakens_the_check_of_as_loops_leaves_the_other_layers(
    role: str, far: str, setting: str, value: Value
) -> None:
    """A route goes from a spine by a leaf to another spine, which has the same AS number."""

    def change(rows: Rows) -> None:
        _sessions(rows, role, far, setting, value)

    weak = site(DEMO, change)
    assert prove(weak, "backend", LOOP_CHECK).cycle is not None
    assert all(prove(weak, "backend", layers).cycle is None for layers in (ALL, MARKS, PREFIXES))


def _senders(change: Change) -> set[str]:
    """Switches that a spine has the prefix of a leaf from, where leaves let everything out."""

    def opened(rows: Rows) -> None:
        change(rows)
        for name in _leaves(rows):
            for key in [key for key in rows[name] if key.setting.startswith("policy-out")]:
                rows[name][key] = Policy((PERMIT_ALL,))

    whole = site(DEMO, opened)
    prefix = next(whole.switches["be-leaf-000"].announced("ipv4"))
    return {*Propagation(whole, "backend", "ipv4").learned("be-leaf-000", prefix).senders["be-spine-00"]}


def test_routes_come_in_by_sessions_that_take_the_own_as_number_so_often() -> None:
    """Leaf 0, spine, leaf 1, spine 0: its AS number is in the path once, from the other spine."""

    def spines(times: int) -> Change:
        return lambda rows: _sessions(rows, "be-spine", "be-leaf", "own-as", times)

    every = {f"be-leaf-00{number}" for number in range(4)}
    assert _senders(spines(0)) == {"be-leaf-000"}
    assert _senders(spines(1)) == every
    assert _senders(lambda rows: _sessions(rows, "be-leaf", "be-spine", "as-override", True)) == every
    assert _senders(lambda rows: _sessions(rows, "be-leaf", "be-spine", "remove-private-as", True)) == every


@pytest.mark.parametrize(
    ("own_as", "overrides", "removes", "path", "carried", "takes"),
    [
        (0, False, False, (65002, 7), (65001, 65002, 7), False),
        (1, False, False, (65002, 7), (65001, 65002, 7), True),
        (1, False, False, (65002, 7, 65002), (65001, 65002, 7, 65002), False),
        (0, True, False, (65002, 7), (65001, 65001, 7), True),
        (0, False, True, (65002, 7), (65001, 7), True),
        (0, False, True, (4294967294, 65535, 64511), (65001, 65535, 64511), True),
    ],
)
def test_an_as_path_is_what_the_sender_makes_of_it(
    own_as: int, overrides: bool, removes: bool, path: tuple[int, ...], carried: tuple[int, ...], takes: bool
) -> None:
    """From AS 65001 to AS 65002; private numbers are those of RFC 6996."""
    alike = (0, 0, False, own_as, overrides, removes, 0)
    way = Way("receiver", 65002, None, None, False, own_as, overrides, removes, alike, ("port",))
    assert (way.carried(65001, path), way.takes(65001, path)) == (carried, takes)


def test_a_sample_has_the_session_that_takes_its_own_as_number() -> None:
    """One spine alone, which is like all others but for that."""

    def change(rows: Rows) -> None:
        _sessions(rows, "be-spine-03", "be-leaf", "own-as", 3)

    assert "be-spine-03" not in sample(site(DEMO), whole=1).site.switches
    assert "be-spine-03" in sample(site(DEMO, change), whole=1).site.switches


def _without_tunnels(rows: Rows) -> None:
    """Leave the underlay alone."""
    for own in rows.values():
        for key in [key for key in own if key.thing == "vtep"]:
            del own[key]


def test_two_leaves_with_one_subnet_of_a_tenant_send_packets_up_again() -> None:
    """A server that moves from leaf to leaf: the check `lossless-bridged` keeps such a network off a lossless class."""
    cycle = prove(site(TIERS), "frontend").cycle
    assert cycle is not None
    assert cycle.turn.startswith("fe-leaf")


def _leaves(rows: Rows) -> list[str]:
    return [name for name in rows if name.startswith("be-leaf")]


def _open_leaves(rows: Rows) -> None:
    """Leaves send everything, and spines have AS numbers of their own."""
    for name in _leaves(rows):
        own = rows[name]
        for key in [key for key in own if key.setting.startswith("policy-out")]:
            own[key] = Policy((PERMIT_ALL,))
        for key, value in [(key, value) for key, value in own.items() if key.setting == "description"]:
            if key.thing == "session" and str(value).startswith("be-spine"):
                own[key._replace(setting="remote-as")] = _asn(str(value).partition(" ")[0])
    for name in rows:
        if name.startswith("be-spine"):
            rows[name][Key("bgp", "", "asn")] = _asn(name)


def _asn(spine: str) -> int:
    return 4299000000 + int(spine.rpartition("-")[2])


def test_a_circle_that_is_seeded_is_found_with_the_switch_that_turns() -> None:
    found = [row for row in violated(DEMO, _open_leaves) if row.property == "no-buffer-cycle"]
    assert len(found) == 1
    assert found[0].switch.startswith("be-leaf")
    assert "sends up again what came down" in found[0].what[0]


def test_the_place_of_a_circle_is_the_term_that_lets_the_route_up() -> None:
    """And not the session that names the map."""

    def change(rows: Rows) -> None:
        _open_leaves(rows)
        for name in _leaves(rows):
            for key in [key for key in rows[name] if key.setting.startswith("policy-out")]:
                rows[name][key] = Policy((PERMIT_ALL,), (TermLines(55, {"permit": 56}),))

    cycle = prove(site(DEMO, change), "backend").cycle
    assert cycle is not None
    assert (cycle.turn[:7], cycle.at.line) == ("be-leaf", 55)


def _wide(rows: Rows) -> None:
    """A spine announces a prefix around all others, leaves let everything in and have no discard route."""
    rows["be-spine-00"][Key("network", "10.0.0.0/8", "originated")] = True
    for name in _leaves(rows):
        own = rows[name]
        for key in [key for key in own if key.setting.startswith("policy")]:
            own[key] = Policy((PERMIT_ALL,))
        for key in [key for key in own if key.thing == "static-route"]:
            del own[key]
    for name in rows:
        if name.startswith("be-spine"):
            for key in [key for key in rows[name] if key.setting.startswith("policy")]:
                rows[name][key] = Policy((PERMIT_ALL,))


def test_a_longer_match_that_is_missing_sends_packets_up_again() -> None:
    """A leaf without its discard route follows the wider prefix, up, for a server port that is down."""
    assert prove(site(DEMO, _wide), "backend").cycle is not None

    def kept(rows: Rows) -> None:
        statics = {
            name: {key: value for key, value in rows[name].items() if key.thing == "static-route"} for name in rows
        }
        _wide(rows)
        for name in _leaves(rows):
            rows[name].update(statics[name])

    assert prove(site(DEMO, kept), "backend").cycle is None


def _static(prefix: str, next_hop: str, *switches: str) -> Change:
    """Give switches a static route; of a tenant where the prefix has the VRF before it."""

    def change(rows: Rows) -> None:
        for switch in switches:
            rows[switch][Key("static-route", prefix, "next-hop")] = next_hop

    return change


def _link_address(near: str, far: str) -> str:
    """The address of the near end of a link."""
    view = site(DEMO)
    port = next(end.port for end, other in view.cables.items() if (end.switch, other.switch) == (near, far))
    return next(host_of(address) for address in view.switches[near].ports[port].addresses if ":" not in address)


def test_static_routes_up_again_are_a_circle_and_the_first_is_its_line() -> None:
    """Two leaves send one address up, to spines that have it from the other leaf."""

    def change(rows: Rows) -> None:
        for leaf in ("be-leaf-000", "be-leaf-001"):
            _static("10.200.0.0/24", _link_address("be-spine-00", leaf), leaf)(rows)
        for spine, leaf in (("be-spine-00", "be-leaf-000"), ("be-spine-00", "be-leaf-001")):
            _static("10.200.0.0/24", "192.0.2.1", spine)(rows)
            assert leaf in rows

    found = [row for row in violated(DEMO, change) if row.property == "no-buffer-cycle"]
    assert [row.switch for row in found] == ["be-leaf-000"]


def test_a_static_route_to_a_server_is_no_circle() -> None:
    """What a spine may send to every leaf ends at the servers behind two of them."""

    def change(rows: Rows) -> None:
        for leaf in ("be-leaf-000", "be-leaf-001"):
            _static("10.200.0.0/24", _server(leaf), leaf)(rows)
        _static("10.200.0.0/24", "192.0.2.1", "be-spine-00")(rows)

    assert prove(site(DEMO, change), "backend").cycle is None


def _server(leaf: str) -> str:
    """The address of a server of a leaf: the other one of its link."""
    view = site(DEMO)
    return next(
        str(ip_address(host_of(address)) + 1)
        for port in view.switches[leaf].ports.values()
        if not port.name.startswith("loopback") and End(leaf, port.name) not in view.cables
        for address in port.addresses
        if ":" not in address
    )


def test_a_discard_route_around_what_is_announced_does_not_hide_a_longer_route() -> None:
    """Only the longest match drops: a leaf whose discard route is wider sends on what another announces."""

    def change(rows: Rows) -> None:
        _wide(rows)
        for name in _leaves(rows):
            rows[name][Key("static-route", "10.0.0.0/7", "next-hop")] = "discard"

    assert prove(site(DEMO, change), "backend").cycle is not None


@pytest.mark.parametrize(
    ("prefix", "next_hop"), some([("north 10.64.0.0/24", "10.64.9.1"), ("north 0.0.0.0/0", "be-leaf-001")], of=2)
)
def test_a_static_route_of_a_tenant_to_another_leaf_sends_packets_up_again(prefix: str, next_hop: str) -> None:
    assert prove(site(SHARED), "backend").cycle is None
    leaves = [name for name in site(SHARED).switches if name.startswith("be-leaf")]
    cycle = prove(site(SHARED, _static(prefix, next_hop, *leaves)), "backend").cycle
    assert cycle is not None
    assert cycle.turn.startswith("be-leaf")


def test_two_leaves_that_announce_one_prefix_of_a_tenant_send_packets_up_again() -> None:
    def change(rows: Rows) -> None:
        first = next(key for key in rows["be-leaf-000"] if key.thing == "network" and key.name.startswith("north "))
        rows["be-leaf-001"][first] = rows["be-leaf-000"][first]

    assert prove(site(SHARED, change), "backend").cycle is not None


def test_a_prefix_that_begins_at_the_address_of_a_tunnel_does_not_hide_its_way() -> None:
    def change(rows: Rows) -> None:
        first = next(key for key in rows["be-leaf-000"] if key.thing == "network" and key.name.startswith("north "))
        rows["be-leaf-001"][first] = rows["be-leaf-000"][first]
        for leaf, address in (("be-leaf-000", "10.76.0.0"), ("be-leaf-001", "10.76.0.2")):
            assert address in str(rows[leaf][Key("loopback", "0", "ipv4")])
            rows[leaf][Key("vtep", "", "address")] = address
            rows["be-spine-00"][Key("network", f"{address}/31", "originated")] = True

    assert prove(site(SHARED, change), "backend").cycle is not None


def test_a_tenant_prefix_around_that_of_another_leaf_sends_packets_up_again_unless_it_is_discarded() -> None:
    def wide(rows: Rows) -> None:
        rows["be-leaf-001"][Key("network", "north 10.64.0.0/16", "originated")] = True

    def discarded(rows: Rows) -> None:
        wide(rows)
        for leaf in [name for name in rows if name.startswith("be-leaf")]:
            _static("north 10.64.0.0/16", "discard", leaf)(rows)

    pairs = {(row.switch, row.far) for row in relays(site(SHARED, wide), "backend")}
    assert pairs >= {("be-leaf-000", "be-leaf-001"), ("be-leaf-001", "be-leaf-000")}
    assert prove(site(SHARED, wide), "backend").cycle is not None
    assert prove(site(SHARED, discarded), "backend").cycle is None


@pytest.fixture(scope="module")
def wider(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three tiers with two units in each pod: more than two switches of a kind."""
    path = tmp_path_factory.mktemp("tiers") / "intent.yaml"
    text = TIERS.read_text().replace("slots: 0-47", "slots: 0-95").replace("units_per_pod: 1", "units_per_pod: 2")
    path.write_text(text)
    return path


@pytest.mark.parametrize("tiers", [2, 3])
@pytest.mark.parametrize(
    "layers", [ALL, LOOP_CHECK, MARKS, PREFIXES, Layers(loop_check=False, marks=False, prefixes=False)], ids=str
)
def test_a_sample_has_the_verdict_of_the_whole(wider: Path, tiers: int, layers: Layers) -> None:
    whole = site(DEMO if tiers == 2 else wider)
    part = sample(whole, whole=1)
    assert part.examined < part.switches == len(whole.switches)
    for fabric in {switch.fabric for switch in whole.switches.values()}:
        verdicts = {prove(side, fabric, layers).cycle is None for side in (whole, part.site)}
        assert len(verdicts) == 1


def test_subnets_of_tenants_do_not_fill_the_sample_of_a_fabric_without_a_lossless_class(wider: Path) -> None:
    """Every leaf of a frontend has them, and only buffers of a lossless class wait for each other."""
    names = [{*sample(site(wider, change), whole=1).site.switches} for change in (_as_planned, _without_tunnels)]
    assert names[0] == names[1]


@pytest.mark.parametrize("change", [_open_leaves, _wide])
def test_a_sample_finds_what_is_seeded_everywhere(change: Change) -> None:
    assert prove(sample(site(DEMO, change), whole=1).site, "backend").cycle is not None


def test_a_switch_that_is_unlike_the_others_is_in_the_sample() -> None:
    def odd(rows: Rows) -> None:
        for key in [key for key in rows["be-leaf-002"] if key.setting == "policy-out.ipv4"]:
            rows["be-leaf-002"][key] = Policy((PERMIT_ALL,))

    assert "be-leaf-002" not in sample(site(DEMO), whole=1).site.switches
    assert "be-leaf-002" in sample(site(DEMO, odd), whole=1).site.switches


def _mates(rows: Rows) -> None:
    """The last two leaves announce one prefix; all leaves announce as many."""
    for name in _leaves(rows):
        third = "10.200.0.0/28" if name in ("be-leaf-002", "be-leaf-003") else f"10.201.{name[-1]}.0/28"
        rows[name][Key("network", third, "originated")] = True


def _last_statics(rows: Rows) -> None:
    """The last two leaves send an address up to the last spine, which sends it anywhere."""
    for leaf in ("be-leaf-002", "be-leaf-003"):
        _static("10.200.0.0/24", _link_address("be-spine-03", leaf), leaf)(rows)
    _static("10.200.0.0/24", "192.0.2.1", "be-spine-03")(rows)


@pytest.mark.parametrize("change", some([_mates, _last_statics], of=2))
def test_switches_with_routes_for_one_address_are_in_the_sample(change: Change) -> None:
    assert not {"be-leaf-002", "be-leaf-003"} & sample(site(DEMO), whole=1).site.switches.keys()
    whole = site(DEMO, change)
    part = sample(whole, whole=1)
    assert {"be-leaf-002", "be-leaf-003"} <= part.site.switches.keys()
    assert (prove(part.site, "backend").cycle is None) == (prove(whole, "backend").cycle is None)


def test_a_switch_that_announces_more_than_its_like_is_in_the_sample() -> None:
    def more(rows: Rows) -> None:
        rows["be-leaf-002"][Key("network", "10.202.0.0/30", "originated")] = True

    assert "be-leaf-002" in sample(site(DEMO, more), whole=1).site.switches


def test_the_switch_that_a_static_route_leads_to_is_in_the_sample() -> None:
    change = _static("10.200.0.0/24", _link_address("be-spine-03", "be-leaf-000"), "be-leaf-000")
    assert "be-spine-03" not in sample(site(DEMO), whole=1).site.switches
    assert "be-spine-03" in sample(site(DEMO, change), whole=1).site.switches


def _unlisted(rows: Rows) -> None:
    """A leaf announces its servers, and its list of own prefixes has the loopback alone."""
    own = rows["be-leaf-002"]
    for key in [key for key in own if key.setting == "policy-out.ipv4"]:
        policy = own[key]
        assert isinstance(policy, Policy)
        own[key] = Policy(tuple(term._replace(prefixes_ipv4=_hosts(term.prefixes_ipv4)) for term in policy.terms))


def _hosts(ranges: frozenset[PrefixRange] | None) -> frozenset[PrefixRange] | None:
    return ranges if ranges is None else frozenset(row for row in ranges if row.prefix.endswith("/32"))


def _of_one_as(rows: Rows) -> None:
    """The last two leaves have one AS number, and the spines know it."""
    number = rows["be-leaf-003"][Key("bgp", "", "asn")]
    rows["be-leaf-002"][Key("bgp", "", "asn")] = number
    for spine in (name for name in rows if name.startswith("be-spine")):
        peer = _link_address("be-leaf-002", spine)
        rows[spine][Key("session", peer, "remote-as")] = number


def _elsewhere(rows: Rows) -> None:
    """A leaf has its servers in a prefix that no policy of a spine takes."""
    own = rows["be-leaf-002"]
    (key,) = [key for key in own if key.thing == "network" and key.name.startswith("10.") and "/32" not in key.name]
    prefix = f"10.200.5.0/{key.name.partition('/')[2]}"
    for row in [row for row in own if row.name == key.name]:
        own[row._replace(name=prefix)] = own.pop(row)
    for row in [row for row, value in own.items() if isinstance(value, Policy)]:
        policy = own[row]
        assert isinstance(policy, Policy)
        own[row] = Policy(tuple(_renamed(term, key.name, prefix) for term in policy.terms))


def _renamed(term: Term, old: str, new: str) -> Term:
    ranges = term.prefixes_ipv4
    if ranges is None:
        return term
    return term._replace(
        prefixes_ipv4=frozenset(row._replace(prefix=new) if row.prefix == old else row for row in ranges)
    )


@pytest.mark.parametrize("change", [_unlisted, _of_one_as, _elsewhere])
def test_a_sample_has_the_switch_whose_servers_nobody_reaches(change: Change) -> None:
    assert "be-leaf-002" not in sample(site(DEMO), whole=1).site.switches
    whole = site(DEMO, change)
    part = sample(whole, whole=1).site
    assert any("10." in row.what for row in reach(whole))
    assert "be-leaf-002" in part.switches
    assert any("10." in row.what for row in reach(part))


def test_a_switch_that_is_not_as_planned_is_in_the_sample() -> None:
    assert "be-leaf-002" in sample(site(DEMO), whole=1, odd=("be-leaf-002",)).site.switches


def _paused(rows: Rows) -> None:
    """PFC on every port of switches, as lines of a user's own may have it."""
    for own in rows.values():
        for key in [key for key in own if (key.thing, key.setting) == ("port", "enabled")]:
            own[key._replace(setting="pfc")] = (3,)


def test_the_leaves_of_servers_that_announce_their_address_to_both_send_packets_up_again() -> None:
    """A leaf that lost a NIC has the NIC's address back by a spine, from the other leaf (leaf-pairs-lossless)."""
    whole = site(PAIRS, _paused)
    cycle = prove(whole, "backend").cycle
    assert cycle is not None
    assert {name[:7] for channel in cycle.channels for name in channel} == {"be-leaf", "be-spin"}
    assert cycle.turn.startswith("be-leaf")
    assert [row.property for row in violated(PAIRS, _paused)] == ["no-buffer-cycle"]
    assert prove(sample(whole, whole=1).site, "backend").cycle is not None


def test_leaves_that_do_not_pass_addresses_of_servers_on_have_no_circle() -> None:
    """The circle is of these routes alone: without the sessions there is none."""

    def change(rows: Rows) -> None:
        _paused(rows)
        for own in rows.values():
            for key in [key for key in own if key.thing == "session" and key.setting == "policy-in.ipv4"]:
                if "train" in str(own.get(key._replace(setting="description"))):
                    own[key] = Policy(())

    assert prove(site(PAIRS, change), "backend").cycle is None
