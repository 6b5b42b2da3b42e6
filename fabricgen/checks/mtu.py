"""The largest packet along its way: host, leaf, spine, and the overlay's own octets."""

from collections.abc import Iterator

from fabricgen.checks.cabling import chassis_by_role
from fabricgen.errors import Problem
from fabricgen.intent.fabric import Backend, Frontend
from fabricgen.plan.plan import Plan

ROCE_MTU = 4200
"""Octets an IP packet needs for a RoCE path MTU of 4096 with all of its headers (expert knowledge)."""
VXLAN_OVERHEAD = {"ipv4": 50, "ipv6": 70}
"""Octets: inner Ethernet 14 + VXLAN 8 + UDP 8 + outer IPv4 20 or IPv6 40 (RFC 7348 section 5)."""
SERVER_MTU = 1500
"""Octets of the packets that a server sends unless told otherwise (RFC 894)."""


def switch_mtu(plan: Plan) -> Iterator[Problem]:
    """The fabric's MTU is one that every model of it can be set to. Source: the `mtu` of each hardware file."""
    for name, fabric in plan.fabrics.items():
        smallest = min((chassis.switch for _, chassis in chassis_by_role(fabric)), key=lambda switch: switch.mtu)
        if fabric.fabric.mtu > smallest.mtu:
            yield Problem(
                code="switch-mtu",
                what=f"{smallest.model} can not carry packets of {fabric.fabric.mtu} octets",
                where=("fabrics", name, "mtu"),
                why=f"its largest layer-3 MTU is {smallest.mtu}",
                fix=f"write mtu: {smallest.mtu}",
            )


def host_mtu(plan: Plan) -> Iterator[Problem]:
    """A NIC's packets fit the fabric, and hold a RoCE path MTU of 4096 octets."""
    for name, fabric in plan.intent.fabrics.items():
        if not isinstance(fabric, Backend) or fabric.transport != "roce-lossless":
            continue
        where = ("fabrics", name, "roce", "host_mtu")
        mtu = fabric.roce.host_mtu
        if mtu > fabric.mtu:
            yield Problem(
                code="host-mtu",
                what=f"{name} drops the largest packets of its NICs",
                where=where,
                why=f"host MTU {mtu} is above fabric MTU {fabric.mtu}",
                fix=f"write host_mtu: {fabric.mtu} or less",
            )
        if mtu < ROCE_MTU:
            yield Problem(
                code="roce-mtu",
                what=f"host MTU {mtu} of {name} forces RoCE below a path MTU of 4096",
                where=where,
                why=f"4096 octets with RoCEv2, UDP and IP headers need {ROCE_MTU}",
                fix="write host_mtu: 9000",
            )


def vxlan_mtu(plan: Plan) -> Iterator[Problem]:
    """What is left of a frontend's MTU inside VXLAN carries a server's packets. VTEPs are IPv4: 50 octets."""
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


def families(plan: Plan) -> Iterator[Problem]:
    """Sessions run in the families that are needed: a frontend's VTEPs are IPv4, and a backend's hosts are reached."""
    for name, fabric in plan.intent.fabrics.items():
        links = fabric.addressing.links
        path = ("fabrics", name, "addressing")
        if isinstance(fabric, Frontend) and "ipv4" not in links:
            yield Problem(
                code="vtep-family",
                what=f"the links of {name} carry no IPv4",
                where=(*path, "links"),
                why="VTEPs are IPv4 loopbacks, and only an IPv4 session carries them",
                fix="write links: [ipv4, ipv6] or links: [ipv4]",
            )
        if isinstance(fabric, Backend) and fabric.addressing.hosts not in links:
            yield Problem(
                code="host-family",
                what=f"hosts of {name} are {fabric.addressing.hosts}, and no session carries it",
                where=(*path, "hosts"),
                why=f"links run {', '.join(links)}; a leaf's aggregate is announced in its own family only",
                fix=f"write links: [{', '.join(sorted({*links, fabric.addressing.hosts}))}]",
            )
