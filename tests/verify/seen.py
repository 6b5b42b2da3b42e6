"""The State of a switch that shows exactly what an Expected asks for, made by hand: a double of a fabric.

Next hops without a planned address have none.
"""

from fabricgen.state.state import (
    LOOPBACK,
    Adjacency,
    BfdSession,
    BgpState,
    Drops,
    EvpnRoute,
    Facts,
    FamilyState,
    Hop,
    Interface,
    PortCounters,
    PortQos,
    Route,
    Session,
    State,
    Vni,
)
from fabricgen.verify.expect.model import Expected, ExpectedInterface, ExpectedRoute


def right_state(expected: Expected) -> State:
    """A switch without fault; servers are on and speak LLDP."""
    return State(
        facts=Facts(expected.device, "1", "box", "0"),
        interfaces=(*map(_interface, expected.interfaces), Interface("lo", LOOPBACK, True, True, 65536, ())),
        lldp=tuple(Adjacency(one.port, one.system, one.port_id) for one in expected.adjacencies),
        bgp=BgpState(
            expected.asn,
            expected.router_id,
            tuple(
                Session(
                    one.vrf,
                    one.peer,
                    one.remote_as,
                    "Established",
                    tuple(FamilyState(family, 1) for family in one.families),
                )
                for one in expected.sessions
            ),
        ),
        bfd=tuple(BfdSession(one.vrf, one.peer, True) for one in expected.bfd),
        routes=tuple(map(_route, expected.routes)),
        vnis=tuple(Vni(one.vni, one.kind, one.vlan_id, one.vrf, one.vteps, True) for one in expected.vnis),
        evpn=tuple(EvpnRoute(one.route_type, one.rd or "192.0.2.1:9", one.key, one.next_hop) for one in expected.evpn),
        qos=tuple(
            PortQos(one.port, bool(one.pfc_priorities), one.pfc_priorities, one.watchdog, one.ecn)
            for one in expected.qos
        ),
        counters=tuple(
            PortCounters(
                one.port, 0, 0, tuple((q, 0) for q in one.marking), tuple(Drops((c,), 0) for c in one.lossless)
            )
            for one in expected.queues
        ),
        running=expected.configuration,
    )


def _interface(one: ExpectedInterface) -> Interface:
    up = one.up is not False
    name = {"loopback": f"Loopback{one.name[-1]}", "svi": f"Vlan{one.vlan_id}", "lag": f"bond{one.name[4:]}"}
    return Interface(
        name=name.get(one.kind, one.name),
        kind=one.kind,
        admin_up=up,
        oper_up=up,
        mtu=one.mtu or 1500,
        addresses=one.addresses,
        vrf=one.vrf,
        vlan_id=one.vlan_id,
        members=one.members or None,
        vlans=one.vlans,
        mac=one.mac,
    )


def _route(one: ExpectedRoute) -> Route:
    if one.discard:
        return Route(one.vrf, one.prefix, "static", ())
    if one.vlan_id:
        hops: tuple[Hop, ...] = (Hop("", f"Vlan{one.vlan_id}"),)
    elif one.interfaces:
        gateways = one.addresses or ("",) * len(one.interfaces)
        hops = tuple(Hop(address, name) for name, address in zip(one.interfaces, gateways, strict=True))
    elif one.addresses:
        hops = tuple(Hop(address, "bridge") for address in one.addresses)
    else:
        hops = tuple(Hop("", f"p{at}") for at in range(one.width or 1))
    return Route(one.vrf, one.prefix, "bgp", hops)
