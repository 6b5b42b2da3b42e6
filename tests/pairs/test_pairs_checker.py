"""What holds two views against each other says everything that does not fit, and nothing of what does. No platform."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.pairs.pairing import Cable, compare, tenants
from tests.pairs.view import EVPN, IPV4, Port, Session, Targets, View, gateway, segment

CABLE = Cable("leaf", "a", "spine", "b")
CLASSES = tuple(3 if dscp == 26 else 0 for dscp in range(64))
PAUSED = ((26, 3),)
LEAF_PORT = Port("192.0.2.0/31", "2001:db8::/127", 9100, True, CLASSES, PAUSED, PAUSED)
SPINE_PORT = LEAF_PORT._replace(ipv4="192.0.2.1/31", ipv6="2001:db8::1/127")


GATEWAY = gateway("02aa.bb00.0001", ["192.0.2.129/25", "2001:DB8:1::1/64"])


SEGMENT = segment("0000:0000:0200:0100:0000", "02fa.0002.0001")


def session(peer: str, asn: int, family: str, **more: Any) -> Session:  # noqa: ANN401  # fields of a session
    return Session(peer, asn, frozenset({family}), 4, 12, bfd=True, **more)


def view(asn: int, port: tuple[str, Port], loopback: str, *sessions: Session) -> View:
    return View(
        asn=asn,
        ports=dict([port]),
        loopbacks=frozenset({loopback, f"{loopback}0"}),
        sessions={one.peer: one for one in sessions},
        vtep=f"{loopback}0",
        bridged={10: Targets(frozenset({"1:10"}), frozenset({"1:10"}))},
        routed={20: Targets(frozenset({"1:20", "1:30"}), frozenset({"1:20"}))},
        gateways={10: GATEWAY},
        segments=frozenset({SEGMENT}),
    )


LEAF = view(
    65001,
    ("a", LEAF_PORT),
    "198.51.100.1",
    session("192.0.2.1", 65002, IPV4),
    session("2001:db8::1", 65002, "ipv6"),
    session("198.51.100.2", 65002, EVPN, multihop=3, source="198.51.100.1"),
)
SPINE = view(
    65002,
    ("b", SPINE_PORT),
    "198.51.100.2",
    session("192.0.2.0", 65001, IPV4),
    session("2001:db8::", 65001, "ipv6"),
    session("198.51.100.1", 65001, EVPN, multihop=3, source="198.51.100.2"),
)


def held(leaf: View = LEAF, spine: View = SPINE) -> tuple[str, ...]:
    return compare({"leaf": leaf, "spine": spine}, [CABLE]).faults


def changed(end: View, peer: str, **what: Any) -> View:  # noqa: ANN401  # fields of a session
    return replace(end, sessions={**end.sessions, peer: end.sessions[peer]._replace(**what)})


def without(peer: str) -> View:
    return replace(LEAF, sessions={name: one for name, one in LEAF.sessions.items() if name != peer})


def test_what_fits_is_faultless_and_counted() -> None:
    assert compare({"leaf": LEAF, "spine": SPINE}, [CABLE]) == (1, 3, ())
    assert list(tenants({"leaf": LEAF, "spine": SPINE})) == []


PORTS: Mapping[str, Mapping[str, Any]] = {
    "ipv4 at one end only": {"ipv4": ""},
    "are in two networks": {"ipv4": "192.0.2.2/31"},
    "is at both ends": {"ipv4": "192.0.2.1/31"},
    "packets of 9086 and 9100 octets": {"mtu": 9086},
    "one end is shut down": {"enabled": False},
    "DSCP in two classes: [26]": {"classes": (0,) * 64},
    "obey: [(26, 3), (26, 4)]": {"sends": ((26, 4),)},
    "obey: [(26, 3)]": {"obeys": ()},
}


@pytest.mark.parametrize("said", PORTS)
def test_an_end_that_does_not_fit_is_told(said: str) -> None:
    wrong = held(replace(LEAF, ports={"a": LEAF_PORT._replace(**PORTS[said])}))
    assert [fault for fault in wrong if fault.startswith("leaf a to spine b: ") and said in fault]


def test_ends_that_share_a_fault_are_told() -> None:
    wide = held(
        replace(LEAF, ports={"a": LEAF_PORT._replace(ipv4="192.0.2.0/30")}),
        replace(SPINE, ports={"b": SPINE_PORT._replace(ipv4="192.0.2.1/30")}),
    )
    assert wide == ("leaf a to spine b: ipv4 192.0.2.0/30 leaves room for a third",)
    bare = held(replace(LEAF, ports={"a": Port()}), replace(SPINE, ports={"b": Port()}))
    assert "leaf a to spine b: no address at either end" in bare
    assert "leaf a to spine b: no routed port at leaf" in held(replace(LEAF, ports={}))
    assert "leaf a to spine b: no routed port at spine" in held(spine=replace(SPINE, ports={}))


def test_maps_are_compared_where_something_is_lossless_alone() -> None:
    leaf = replace(LEAF, ports={"a": LEAF_PORT._replace(classes=(), sends=(), obeys=())})
    assert held(leaf, replace(SPINE, ports={"b": SPINE_PORT._replace(sends=(), obeys=())})) == ()


SESSIONS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "leaf to spine 192.0.2.1: AS 65009 is expected, it is 65002": ("192.0.2.1", {"remote_as": 65009}),
    "leaf to spine 192.0.2.1: families ['ipv4', 'ipv6'] and ['ipv4']": (
        "192.0.2.1",
        {"families": frozenset({IPV4, "ipv6"})},
    ),
    "leaf to spine 192.0.2.1: no family is active": ("192.0.2.1", {"families": frozenset()}),
    "leaf to spine 192.0.2.1: timers 4 15 and 4 12": ("192.0.2.1", {"hold": 15}),
    "spine to leaf 192.0.2.0: timers 4 12 and 3 12": ("192.0.2.1", {"keepalive": 3}),
    "leaf to spine 192.0.2.1: BFD at one end only": ("192.0.2.1", {"bfd": False}),
    "leaf to spine 198.51.100.2: spine has no session to 198.51.100.10": ("198.51.100.2", {"source": "198.51.100.10"}),
    "spine to leaf 198.51.100.1: it speaks from 198.51.100.10": ("198.51.100.2", {"source": "198.51.100.10"}),
    "leaf to spine 198.51.100.2: spine has no session to it": ("198.51.100.2", {"source": ""}),
    "leaf to spine 198.51.100.2: a session between loopbacks does not reach over a hop": (
        "198.51.100.2",
        {"multihop": 1},
    ),
    "leaf to spine 198.51.100.2: EVPN without extended communities has no route targets": (
        "198.51.100.2",
        {"extended": False},
    ),
    "leaf to spine 192.0.2.1: EVPN is not between loopbacks": ("192.0.2.1", {"families": frozenset({EVPN})}),
}


@pytest.mark.parametrize("said", SESSIONS)
def test_a_session_that_does_not_fit_is_told(said: str) -> None:
    peer, what = SESSIONS[said]
    assert said in held(changed(LEAF, peer, **what))


def test_a_session_of_one_end_alone_is_told() -> None:
    assert set(held(without("192.0.2.1"))) == {
        "leaf a to spine b: leaf has no session to 192.0.2.1",
        "spine to leaf 192.0.2.0: leaf has no session to 192.0.2.1",
    }
    assert held(without("198.51.100.2")) == ("spine to leaf 198.51.100.1: leaf has no session to 198.51.100.2",)


def test_hops_are_of_external_sessions() -> None:
    leaf = changed(replace(LEAF, asn=65002), "198.51.100.2", multihop=1)
    assert not [fault for fault in held(leaf) if "hop" in fault]


TENANTS: Mapping[str, Mapping[str, Any]] = {
    "L2 VNI 10: far exports ['1:11'], near ['1:10']": {
        "bridged": {10: Targets(frozenset({"1:10"}), frozenset({"1:11"}))}
    },
    "L2 VNI 10: what far and near export is not imported by both": {
        "bridged": {10: Targets(frozenset(), frozenset({"1:10"}))}
    },
    "L3 VNI 20: far imports ['1:20'], near ['1:20', '1:30']": {
        "routed": {20: Targets(frozenset({"1:20"}), frozenset({"1:20"}))}
    },
    "L3 VNI 20 is known to near alone, not to both of far and near": {"routed": {}},
    "L3 VNI 21 is known to far alone, not to both of far and near": {
        "routed": {**SPINE.routed, 21: Targets(frozenset(), frozenset())}
    },
    "far: the VTEP 203.0.113.1 is on no loopback": {"vtep": "203.0.113.1"},
    "far: the VTEP has no address, which is on no loopback": {"vtep": ""},
    "gateway of 10: none at far": {"gateways": {}},
    "gateway of 10: far has 02:aa:bb:00:00:02, near 02:aa:bb:00:00:01": {
        "gateways": {10: GATEWAY._replace(mac="02:aa:bb:00:00:02")}
    },
    "gateway of 10: far has ['192.0.2.129/25'], near ['192.0.2.129/25', '2001:db8:1::1/64']": {
        "gateways": {10: GATEWAY._replace(addresses=frozenset({"192.0.2.129/25"}))}
    },
    "segment 00:00:00:00:02:00:01:00:00:00 of 00:00:00:02:00:01 and 02:fa:00:02:00:01 is of near alone": {
        "segments": frozenset()
    },
    "far and near have one VTEP address": {"vtep": LEAF.vtep, "loopbacks": LEAF.loopbacks},
}


@pytest.mark.parametrize("said", TENANTS)
def test_a_tenant_that_does_not_fit_is_told(said: str) -> None:
    assert list(tenants({"near": LEAF, "far": replace(SPINE, **TENANTS[said])})) == [said]


def test_a_target_that_nobody_exports_is_told() -> None:
    none = {10: Targets(frozenset(), frozenset())}
    found = list(tenants({"near": replace(LEAF, bridged=none), "far": replace(SPINE, bridged=none)}))
    assert found == ["L2 VNI 10: what far and near export is not imported by both"]


BARE = LEAF_PORT._replace(ipv4="", ipv6="", advertises=True)
BOTH = frozenset({IPV4, "ipv6"})


def over(port: str, asn: int, **what: Any) -> Session:  # noqa: ANN401  # fields of a session
    return Session(port, asn, BOTH, 4, 12, bfd=True, ipv6_hops=True)._replace(**what)


def bare(end: View, port: str, session: Session | None, **what: Any) -> View:  # noqa: ANN401  # fields of a port
    """An end of a link without addresses."""
    return replace(end, ports={port: BARE._replace(**what)}, sessions={port: session} if session else {})


def test_ends_of_a_link_without_addresses_that_fit() -> None:
    found = compare({"leaf": bare(LEAF, "a", over("a", 65002)), "spine": bare(SPINE, "b", over("b", 65001))}, [CABLE])
    assert found == (1, 1, ())


UNNUMBERED: Mapping[str, tuple[Session | None, Mapping[str, Any]]] = {
    "leaf has no session over it": (None, {}),
    "leaf does not advertise itself": (over("a", 65002), {"advertises": False}),
    "AS 65009 is expected, it is 65002": (over("a", 65009), {}),
    "families ['ipv6'] and ['ipv4', 'ipv6']": (over("a", 65002, families=frozenset({"ipv6"})), {}),
    "timers 4 15 and 4 12": (over("a", 65002, hold=15), {}),
    "BFD at one end only": (over("a", 65002, bfd=False), {}),
    "IPv4 without next hops of IPv6, and there are no others": (over("a", 65002, ipv6_hops=False), {}),
    "packets of 9086 and 9100 octets": (over("a", 65002), {"mtu": 9086}),
    "ipv4 at one end only": (over("a", 65002), {"ipv4": "192.0.2.0/31"}),
}


@pytest.mark.parametrize("said", UNNUMBERED)
def test_an_end_without_addresses_that_does_not_fit_is_told(said: str) -> None:
    session, port = UNNUMBERED[said]
    assert held(bare(LEAF, "a", session, **port), bare(SPINE, "b", over("b", 65001))) == (f"leaf a to spine b: {said}",)


def test_a_next_hop_that_is_not_kept_is_told_of_who_has_no_tunnels() -> None:
    said = "leaf to spine 198.51.100.2: EVPN routes get another next hop than the VTEP"
    assert held(changed(LEAF, "198.51.100.2", kept=False)) == ()
    assert held(replace(changed(LEAF, "198.51.100.2", kept=False), vtep="")) == (said,)
    assert held(replace(LEAF, vtep="")) == ()


def test_one_family_is_enough() -> None:
    leaf = replace(without("2001:db8::1"), ports={"a": LEAF_PORT._replace(ipv6="")})
    kept = {peer: one for peer, one in SPINE.sessions.items() if peer != "2001:db8::"}
    assert held(leaf, replace(SPINE, ports={"b": SPINE_PORT._replace(ipv6="")}, sessions=kept)) == ()


@pytest.mark.parametrize("way", ["sends", "obeys"])
def test_pauses_one_way_by_one_end_alone_are_told(way: str) -> None:
    bare = LEAF_PORT._replace(sends=(), obeys=())
    leaf = replace(LEAF, ports={"a": bare._replace(sends=PAUSED) if way == "sends" else bare._replace(obeys=PAUSED)})
    found = held(leaf, replace(SPINE, ports={"b": SPINE_PORT._replace(sends=(), obeys=())}))
    assert [fault for fault in found if "does not obey: [(26, 3)]" in fault]


def test_evpn_from_a_port_to_a_loopback_is_told() -> None:
    leaf = changed(LEAF, "198.51.100.2", source="192.0.2.0")
    families = frozenset({EVPN})
    spine = changed(SPINE, "192.0.2.0", families=families, multihop=3, source="198.51.100.2")
    assert "leaf to spine 198.51.100.2: EVPN is not between loopbacks" in held(leaf, spine)
