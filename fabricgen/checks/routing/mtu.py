"""The largest packet on its path: host, leaf, spine, and the overhead of the overlay."""

from collections.abc import Iterable, Iterator

from fabricgen.checks.cabling.cabling import chassis_by_role
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.external_rules import one_mtu_a_port
from fabricgen.intent.fabric import Backend, Fabric, Frontend, families_of, has_roce_nics, is_lossless, overlay_of
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan

ROCE_MTU = 4200
"""Octets that an IP packet needs for a RoCE path MTU of 4096 with all of its headers (expert knowledge)."""
VXLAN_OVERHEAD = {"ipv4": 50, "ipv6": 70}
"""Octets: inner Ethernet 14 + VXLAN 8 + UDP 8 + outer IPv4 20 or IPv6 40 (RFC 7348 section 5)."""
SERVER_MTU = 1500
"""Default MTU of servers in octets (RFC 894)."""
IPV6_MTU = 1280
"""Minimum MTU of a link with IPv6 in octets (RFC 8200 section 5); Linux disables IPv6 on an interface below it."""


def switch_mtu(plan: Plan) -> Iterator[Problem]:
    """The fabric's MTU is one that every model of it supports. Source: the `mtu` of each hardware file."""
    for name, fabric in plan.fabrics.items():
        smallest = min((chassis.switch for _, chassis in chassis_by_role(fabric)), key=lambda switch: switch.mtu)
        if fabric.fabric.mtu > smallest.mtu:
            yield Problem(
                code="switch-mtu",
                what=f"{smallest.model} cannot carry packets of {fabric.fabric.mtu} octets",
                where=("fabrics", name, "mtu"),
                why=f"its largest layer-3 MTU is {smallest.mtu}",
                fix=f"write mtu: {smallest.mtu}",
            )


def external_mtu(plan: Plan) -> Iterator[Problem]:
    """The fabric carries packets of its outside peers, also where its MTU depends on its models."""
    return one_mtu_a_port(plan.intent)


def host_mtu(plan: Plan) -> Iterator[Problem]:
    """A NIC's packets fit the fabric, and are large enough for IPv6, if used, and a RoCE path MTU of 4096 octets."""
    for name, fabric in plan.intent.fabrics.items():
        if not has_roce_nics(fabric):
            continue
        where = ("fabrics", name, "roce", "host_mtu")
        mtu = fabric.roce.host_mtu
        if mtu > fabric.mtu:
            at, fix = room_for_hosts(plan, name, fabric)
            yield Problem(
                code="host-mtu",
                what=f"fabric MTU {fabric.mtu} of {name} is below host MTU {mtu}",
                where=at,
                why="the largest packets of the servers' NICs would be dropped",
                fix=fix,
            )
        if mtu < IPV6_MTU and has_ipv6(fabric):
            yield Problem(
                code="host-mtu",
                what=f"host MTU {mtu} of {name} is too small for IPv6",
                where=where,
                why=f"each link with IPv6 carries packets of {IPV6_MTU} octets (RFC 8200 section 5)",
                fix=f"write host_mtu: {IPV6_MTU} or more",
            )
        elif mtu < ROCE_MTU and is_lossless(fabric):
            yield Problem(
                code="roce-mtu",
                what=f"host MTU {mtu} of {name} forces RoCE below a path MTU of 4096",
                where=where,
                why=f"4096 octets with RoCEv2, UDP and IP headers need {ROCE_MTU}",
                fix="write host_mtu: 9000",
            )


def room_for_hosts(plan: Plan, name: str, fabric: Fabric) -> tuple[IntentPath, str]:
    """Return the path and the fix so that a NIC's packets fit: the written fabric MTU, if its models support more."""
    needed = fabric.roce.host_mtu + overlay_octets(fabric)
    most = min(chassis.switch.mtu for _, chassis in chassis_by_role(plan.fabrics[name]))
    if "mtu" in fabric.model_fields_set and needed <= most:
        least = f" ({needed} or more is enough)" if needed < most else ""
        return ("fabrics", name, "mtu"), f"write mtu: {most}{least}"
    return ("fabrics", name, "roce", "host_mtu"), f"write host_mtu: {fabric.mtu - overlay_octets(fabric)} or less"


def has_ipv6(fabric: Fabric) -> bool:
    """Return whether links or hosts of a fabric have IPv6: unnumbered links have link-local addresses."""
    hosts = (fabric.addressing.hosts,) if isinstance(fabric, Backend) else ()
    return any(family != "ipv4" for family in (*fabric.addressing.links, *hosts))


def overlay_octets(fabric: Fabric) -> int:
    """Return the octets that an overlay adds between its VTEPs, which are IPv4; 0 without an overlay."""
    return VXLAN_OVERHEAD["ipv4"] if overlay_of(fabric) is not None else 0


def vxlan_mtu(plan: Plan) -> Iterator[Problem]:
    """A frontend's MTU minus the VXLAN overhead fits a server's packets. VTEPs are IPv4: 50 octets."""
    overhead = VXLAN_OVERHEAD["ipv4"]
    for name, fabric in plan.intent.fabrics.items():
        if isinstance(fabric, Frontend) and fabric.mtu < SERVER_MTU + overhead:
            yield Problem(
                code="vxlan-mtu",
                what=f"MTU {fabric.mtu} of {name} drops full packets of its servers",
                where=("fabrics", name, "mtu"),
                why=f"server MTU {SERVER_MTU} + VXLAN overhead {overhead} = {SERVER_MTU + overhead} octets",
                fix=f"write mtu: {SERVER_MTU + overhead} or more",
            )


def mtu_source(fabric: FabricPlan, ports: Iterable[PortKey]) -> IntentPath:
    """Return the path that sets the MTU of one of these ports: an override of port or switch, else the fabric."""
    for key in ports:
        port, device = fabric.exceptions.port_settings.get(key), fabric.exceptions.settings.get(key.device)
        selector = dict(port.sources).get("mtu") if port is not None else None
        selector = selector or (device.sources.get("mtu") if device is not None else None)
        if selector:
            return ("overrides", selector, "mtu")
    return ("fabrics", fabric.name, "mtu")


def families(plan: Plan) -> Iterator[Problem]:
    """Sessions carry the families that are needed: IPv4 for VTEPs, and that of a backend's hosts."""
    for name, fabric in plan.intent.fabrics.items():
        links = families_of(fabric.addressing)
        path = ("fabrics", name, "addressing")
        # Without an IPv4 prefix VTEPs would be IPv6 loopbacks: each system refuses that by its own reason.
        if overlay_of(fabric) is not None and "ipv4" not in links and fabric.addressing.ipv4 is not None:
            yield Problem(
                code="vtep-family",
                what=f"the links of {name} carry no IPv4",
                where=(*path, "links"),
                why="VTEPs are IPv4 loopbacks, and only an IPv4 session announces them",
                fix="write links: [ipv4, ipv6] or links: [ipv4]",
            )
        # On a shared backend the overlay carries routes to hosts, in any family.
        if isinstance(fabric, Backend) and overlay_of(fabric) is None and fabric.addressing.hosts not in links:
            yield Problem(
                code="host-family",
                what=f"hosts of {name} have {fabric.addressing.hosts} addresses, and no session announces them",
                where=(*path, "hosts"),
                why=f"links have {', '.join(links)} addresses only, so no {fabric.addressing.hosts} session "
                "announces the prefixes of the hosts",
                fix=f"write links: [{', '.join(sorted({*links, fabric.addressing.hosts}))}]",
            )
