"""Real daemons take each role's text; what they show as running, read by the manual, is the Device."""

import json
from collections.abc import Iterator
from ipaddress import ip_network

import pytest

from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, PeerGroup, Statement
from fabricgen.platforms.frr.live.drift import drift
from tests.frr import reading
from tests.frr import site as fabric
from tests.frr.reading import Vni
from tests.frr.site import ROLES, TOWERS, Rendered, render
from tests.judges import frr

NEWER = ("be-leaf-000", "fe-leaf-000", "fe-border-00", "fe-spine-02")
"""Those that a newer release is shown, too: each kind of session, VRFs, and segments."""
SWITCHES = [
    pytest.param((name, daemons), id=f"{name}-{daemons.release}", marks=frr.needed(daemons))
    for daemons, names in ((frr.HOST, (*ROLES, *TOWERS)), (frr.NEWER, NEWER))
    for name in names
]
EACH_RELEASE = [pytest.param(row, id=row.release, marks=frr.needed(row)) for row in frr.RELEASES]
UNICAST = {"ipv4": "ipv4 unicast", "ipv6": "ipv6 unicast", "evpn": "l2vpn evpn"}


@pytest.fixture(scope="module", params=SWITCHES)
def switch(request: pytest.FixtureRequest) -> Iterator[tuple[Rendered, frr.Loaded]]:
    name, daemons = request.param
    rendered = fabric.switch(name, daemons.release)
    with frr.load(rendered.files["frr.conf"], daemons=daemons) as loaded:
        yield rendered, loaded


def test_running_is_what_was_rendered(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    assert loaded.complaints == ()
    lost = [line for line in frr.differences(rendered.files["frr.conf"], loaded.running) if not _own_rd(line, rendered)]
    assert lost == []
    assert drift(rendered.files["frr.conf"], loaded.running) == ()


def _own_rd(line: str, rendered: Rendered) -> bool:
    """An RD that equals the one FRR gave the VRF by itself, router id and a small number, stays its own and unwritten.

    Source: bgp_evpn_vrf_rd in bgpd/bgp_evpn_vty.c, FRR 8.4.4: "If same as existing value, there is nothing more to do".
    """
    router_id = rendered.device.routing.bgp.router_id
    return line.startswith("- router bgp ") and f"l2vpn evpn / rd {router_id}:" in line and " vrf " in line


def test_default_speaker(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    bgp = rendered.device.routing.bgp
    speaker = reading.speakers(loaded.running)[""]
    assert (speaker.asn, speaker.router_id) == (bgp.asn, bgp.router_id)
    assert speaker.groups == {group.name for group in bgp.groups}
    assert speaker.remote_as == {row.address: row.remote_as for row in bgp.neighbors}
    assert speaker.group_of == {row.address: row.group for row in bgp.neighbors}
    told = {row.address: row.description for row in bgp.neighbors}
    assert speaker.descriptions == told | {group.name: group.description for group in bgp.groups}
    held_back = loaded.daemons == frr.HOST and any("evpn" in group.families for group in bgp.groups)
    assert ("bgp suppress-fib-pending" in speaker.lines) == (bgp.wait_install and not held_back)
    assert "no bgp default ipv4-unicast" in speaker.lines


def test_default_families(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    bgp = rendered.device.routing.bgp
    families = reading.speakers(loaded.running)[""].families
    networks = {"ipv4": set(bgp.networks_ipv4), "ipv6": set(bgp.networks_ipv6), "evpn": set[str]()}
    for name, originated in networks.items():
        groups = [group for group in bgp.groups if name in group.families]
        assert (UNICAST[name] in families) == bool(groups or originated)
        if not groups and not originated:
            continue
        family = families[UNICAST[name]]
        assert family.networks == originated
        assert family.active == {group.name for group in groups}
        maps = {(group.name, "in"): group.route_map_in for group in groups}
        maps |= {(group.name, "out"): group.route_map_out for group in groups}
        members = [row for row in bgp.neighbors if row.group in {group.name for group in groups}]
        maps |= {(row.address, "in"): row.route_map_in for row in members if row.route_map_in}
        maps |= {(row.address, "out"): row.route_map_out for row in members if row.route_map_out}
        assert family.maps == maps
        if name != "evpn":
            assert family.maximum_paths == bgp.maximum_paths
        if name != "evpn" or loaded.daemons == frr.NEWER:  # 8.4 has no maximum-prefix there
            beyond = {group.name: f"restart {group.restart_minutes}" for group in groups if group.restart_minutes}
            assert family.maximum_prefix == {
                group.name: (group.maximum_routes, beyond.get(group.name, "warning-only")) for group in groups
            }


def test_group_options(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    lines = reading.speakers(loaded.running)[""].lines
    loopbacks = {row.number: row.ipv4.partition("/")[0] for row in rendered.device.interfaces.loopbacks}
    for group in rendered.device.routing.bgp.groups:
        assert (f"neighbor {group.name} bfd" in lines) == group.bfd
        words = [line.split(maxsplit=2)[2] for line in lines if line.startswith(f"neighbor {group.name} ")]
        said = {
            word
            for word in words
            if word.startswith(("ebgp-multihop", "ttl-security", "disable-connected-check", "password"))
        }
        assert said == _guards(rendered.device, group)
        source = loopbacks.get(group.update_source, "none")
        assert (f"neighbor {group.name} update-source {source}" in lines) == (group.update_source >= 0)


def _guards(device: Device, group: PeerGroup) -> set[str]:
    """The frontend's sessions check the TTL, one hop more between loopbacks; others are as far as their far ends."""
    between_loopbacks = group.update_source >= 0
    if device.name not in TOWERS and device.fabric == "frontend":
        hops = {"ttl-security hops 2", "disable-connected-check"} if between_loopbacks else {"ttl-security hops 1"}
        return {*hops, "password ${env:BGP_PASSWORD}"}
    return {"ebgp-multihop 3"} if between_loopbacks else set()


@pytest.mark.parametrize("daemons", EACH_RELEASE)
def test_a_ttl_that_is_sent_and_not_checked(daemons: frr.Daemons) -> None:
    """The first step of a running fabric: no session of the switch checks yet, and all send 255."""
    device = fabric.switch("fe-leaf-000", daemons.release).device
    bgp = device.routing.bgp
    groups = tuple(group._replace(ttl_security="send") for group in bgp.groups)
    sending = device._replace(routing=device.routing._replace(bgp=bgp._replace(groups=groups)))
    text = render(sending).files["frr.conf"]
    hops = {"8.4": "ebgp-multihop 255", "10.3": "ebgp-multihop"}[daemons.release]
    assert text.count(f" {hops}\n") == len(groups)
    with frr.load(text, daemons=daemons) as loaded:
        assert loaded.complaints == ()
        assert not [line for line in frr.differences(text, loaded.running) if "ebgp-multihop" in line]


def test_overlay(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    evpn = rendered.device.evpn
    vlans = evpn.vlans if evpn else ()
    targets = {
        v.vni: Vni(rd=v.rd, imports=frozenset({v.route_target}), exports=frozenset({v.route_target})) for v in vlans
    }
    assert reading.vnis(loaded.running) == targets
    assert reading.l3_vnis(loaded.running) == ({vrf.name: vrf.vni for vrf in evpn.vrfs} if evpn else {})
    families = reading.speakers(loaded.running)[""].families
    overlay = families.get(UNICAST["evpn"])
    assert ("advertise-all-vni" in overlay.lines if overlay else False) == (evpn is not None)


def test_vrfs(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    vrfs = {vrf.name: vrf for vrf in rendered.device.routing.bgp.vrfs}
    speakers = reading.speakers(loaded.running)
    assert set(speakers) - {""} == set(vrfs)
    for name, vrf in vrfs.items():
        speaker = speakers[name]
        assert speaker.remote_as == {row.address: row.remote_as for row in vrf.neighbors}
        assert speaker.descriptions == {row.address: row.description for row in vrf.neighbors}
        passwords = {f"neighbor {row.address} password {row.password.written}" for row in vrf.neighbors if row.password}
        assert {line for line in speaker.lines if " password " in line} == passwords
        found = reading.targets(speaker.families[UNICAST["evpn"]].lines)
        assert found.rd in ("", vrf.rd)
        assert found.imports == found.exports == {vrf.export_target}
        for family in ("ipv4", "ipv6"):
            _same_family(vrf, family, speaker.families[UNICAST[family]], set(vrfs))


def _same_family(vrf: BgpVrf, name: str, family: reading.Family, here: set[str]) -> None:
    neighbors = [row for row in vrf.neighbors if row.family == name]
    assert family.active == {row.address for row in neighbors}
    assert family.maximum_prefix == {row.address: (row.maximum_routes, "restart 5") for row in neighbors}
    maps = {(row.address, "in"): row.route_map_in for row in neighbors}
    assert family.maps == maps | {(row.address, "out"): row.route_map_out for row in neighbors}
    assert family.imports == set(vrf.imports) & here
    assert family.import_map == (vrf.import_map if family.imports else "")
    originated = vrf.networks_ipv4 if name == "ipv4" else vrf.networks_ipv6
    taken = [line for line in family.lines if line.startswith("redistribute")]
    assert taken == ([f"redistribute connected route-map RM-{vrf.name.upper()}-ORIGINATED"] if originated else [])
    assert family.networks == set()


def test_policy(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    policy = rendered.device.routing.policy
    lists = {
        (found.family, found.name): {(row.sequence, "permit", row.prefix, row.longest) for row in found.entries}
        for found in policy.prefix_lists
    }
    vrfs = rendered.device.routing.bgp.vrfs
    assert reading.prefix_lists(loaded.running) == lists | {
        (family, f"PL-{vrf.name.upper()}-ORIGINATED-{family.upper()}"): {
            (10 * at, "permit", prefix, 0) for at, prefix in enumerate(networks, start=1)
        }
        for vrf in vrfs
        for family, networks in (("ipv4", vrf.networks_ipv4), ("ipv6", vrf.networks_ipv6))
        if networks
    }
    members = {
        ("community", row.name): "graceful-shutdown" if row.graceful_shutdown else row.community
        for row in policy.community_lists
    }
    members |= {("extcommunity", row.name): f"rt {row.route_target}" for row in policy.route_target_lists}
    assert reading.community_lists(loaded.running) == members
    maps = {
        found.name: {row.sequence: ("permit" if row.permit else "deny", _lines(row)) for row in found.statements}
        for found in policy.route_maps
    }
    assert reading.route_maps(loaded.running) == maps | {
        f"RM-{vrf.name.upper()}-ORIGINATED": {10 * at: ("permit", line) for at, line in enumerate(_own(vrf), start=1)}
        for vrf in vrfs
        if vrf.networks_ipv4 or vrf.networks_ipv6
    }


def _own(vrf: BgpVrf) -> Iterator[frozenset[str]]:
    """What each statement of a VRF's own map matches."""
    for word, networks, family in (("ip", vrf.networks_ipv4, "IPV4"), ("ipv6", vrf.networks_ipv6, "IPV6")):
        if networks:
            yield frozenset({f"match {word} address prefix-list PL-{vrf.name.upper()}-ORIGINATED-{family}"})


def _lines(row: Statement) -> frozenset[str]:
    """Lines of a statement by FRR's user manual, chapter Route Maps."""
    shutdown = "graceful-shutdown" if row.set_graceful_shutdown else ""
    adds = "additive" if row.set_community + shutdown and not row.replace_communities else ""
    communities = " ".join(filter(None, (row.set_community, shutdown, adds)))
    pairs = (
        ("match community", row.match_community_list),
        ("match extcommunity", row.match_route_target_list),
        ("match ip address prefix-list", row.match_prefix_list_ipv4),
        ("match ipv6 address prefix-list", row.match_prefix_list_ipv6),
        ("set community", communities),
        ("set local-preference", str(row.set_local_preference) if row.set_local_preference >= 0 else ""),
    )
    return frozenset(f"{words} {value}" for words, value in pairs if value)


def test_static_routes(switch: tuple[Rendered, frr.Loaded]) -> None:
    rendered, loaded = switch
    device = rendered.device
    wanted = {
        (str(ip_network(row.prefix)), row.next_hop or "blackhole")
        for row in device.routing.static_routes
        if row.vrf != device.management.vrf
    }
    assert reading.static_routes(loaded.running) == wanted


@pytest.mark.parametrize("daemons", EACH_RELEASE)
def test_a_wrong_line_is_seen(daemons: frr.Daemons) -> None:
    text = fabric.switch("be-leaf-000", daemons.release).files["frr.conf"]
    spoilt = text.replace("  maximum-paths", "  maximum-pahts", 1)
    assert spoilt != text
    with frr.load(spoilt, daemons=daemons) as loaded:
        assert loaded.complaints != ()
        assert any("maximum-p" in line for line in frr.differences(spoilt, loaded.running))


@frr.needed(frr.HOST)
def test_a_raw_line_reaches_the_daemons(raw_device: Device) -> None:
    text = render(raw_device).files["frr.conf"]
    assert "! raw[0]\nip prefix-list MINE seq 5 permit 192.0.2.0/24\n" in text
    with frr.load(text) as loaded:
        assert loaded.complaints == ()
        assert ("ipv4", "MINE") in reading.prefix_lists(loaded.running)


def test_every_session_helps_a_neighbor_that_restarts(switch: tuple[Rendered, frr.Loaded]) -> None:
    """Helper is FRR's own mode (RFC 4724): no line says it, so the daemon is asked."""
    _, loaded = switch
    found = json.loads(loaded.show("show bgp neighbors json"))
    modes = {peer["gracefulRestartInfo"]["localGrMode"] for peer in found.values() if isinstance(peer, dict)}
    assert modes == {"Helper*"}


@frr.needed(frr.HOST)
def test_a_filled_password_is_taken_up_to_its_longest() -> None:
    """80 characters are the longest key of TCP-MD5; one of 81 is refused, and would leave the session without."""
    text = fabric.switch("fe-border-00", frr.HOST.release).files["frr.conf"]
    assert "${env:FW1_KEY}" in text
    for length in (80, 81):
        with frr.load(text.replace("${env:FW1_KEY}", "k" * length)) as loaded:
            assert (f"password {'k' * length}\n" in loaded.running) == (loaded.complaints == ()) == (length == 80)
