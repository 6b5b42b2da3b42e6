"""A backend that tenants share: each NIC exists, tenants are isolated on every switch, and routes fit the chip."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.checks.routing.mtu import VXLAN_OVERHEAD, room_for_hosts
from fabricgen.device.device import Device
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.backend_rules import claims
from fabricgen.intent.fabric import Backend, has_roce_nics, overlay_of
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenant_routes import fullest_leaf, underlay_routes
from fabricgen.topologies.shape import GroupShape


def shared_backends(plan: Plan) -> Iterator[tuple[str, Backend, FabricPlan]]:
    """Yield the backends with `tenancy`."""
    for name, fabric in plan.fabrics.items():
        if isinstance(fabric.fabric, Backend) and fabric.fabric.tenancy is not None:
            yield name, fabric.fabric, fabric


def nic_rails(plan: Plan) -> Iterator[Problem]:
    """Single NICs that a tenant lists are on rails that the servers have on the backend."""
    groups = {group.name: group for _, _, fabric in shared_backends(plan) for group in fabric.shape.groups}
    for name, tenant in plan.intent.tenants.items():
        for position, text in enumerate(tenant.nics):
            where: IntentPath = ("tenants", name, "nics", position)
            yield from _missing_rails(text, groups.get(text.partition("[")[0]), where)


def _missing_rails(text: str, group: GroupShape | None, where: IntentPath) -> Iterator[Problem]:
    if group is None:
        return
    rails = {port.rail for port in group.nics.ports}
    wanted_rails = {rail for claim in claims(text) for rail in range(claim.rails.first, claim.rails.last + 1)}
    if not wanted_rails <= rails:
        yield Problem(
            code="nic-rail",
            what=f"{text} names rail {min(wanted_rails - rails)}, and {group.name} has none",
            where=where,
            why=f"its servers have NICs on the rails {min(rails)}-{max(rails)}",
            fix=f"write rails of {min(rails)}-{max(rails)}",
        )


def pairs_of_leaves(plan: Plan) -> Iterator[Problem]:
    """No NIC of a shared backend is bonded over two leaves, as this would need a bridged segment.

    Pure type 5 (RFC 9136) announces the link of one leaf; the address of a bond is on two.
    """
    for name, _, fabric in shared_backends(plan):
        if any(group.indexes > 1 for group in fabric.shape.groups):
            yield Problem(
                code="tenancy-leaf-pairs",
                what=f"{name} is shared, and its NICs are bonded over pairs of leaves",
                where=("fabrics", name, "topology", "leaves_per_rail"),
                why="a bond needs its address on both leaves, so a bridged segment; a shared backend only routes",
                fix="write leaves_per_rail: 1, or planes: 2, where each half of a NIC is a port of its own",
            )


def route_scale(plan: Plan) -> Iterator[Problem]:
    """The chip of a leaf holds a route per NIC of every tenant on it, and the underlay. Unknown sizes are not compared.

    Source: `routes_ipv4` and `routes_ipv6` of the chip's hardware file; `plan` prints the numbers, and which chip is
    unknown.
    """
    for name, backend, fabric in shared_backends(plan):
        family = backend.addressing.hosts
        hosts = fullest_leaf(fabric, plan.tenants[name])
        total = hosts + underlay_routes(fabric, family)
        for asic in {group.leaf.asic.name: group.leaf.asic for group in fabric.shape.groups}.values():
            limit = asic.routes_ipv4 if family == "ipv4" else asic.routes_ipv6
            if limit is not None and total > limit:
                yield Problem(
                    code="route-scale",
                    what=f"a leaf of {name} would need {total} {family} routes",
                    where=("fabrics", name, "tenancy"),
                    why=f"{asic.name} holds {limit}; a leaf has a route to each NIC of every tenant on it, {hosts} at "
                    f"most, and {total - hosts} loopbacks",
                    fix="plan for fewer tenants per leaf, or choose a leaf model with a larger table",
                )


def tunnel_mtu(plan: Plan) -> Iterator[Problem]:
    """The largest packet of a NIC fits the fabric inside VXLAN. VTEPs are IPv4: 50 octets (RFC 7348 section 5).

    On a shared backend, and on a lossless frontend.
    """
    overhead = VXLAN_OVERHEAD["ipv4"]
    for name, fabric in plan.intent.fabrics.items():
        mtu = fabric.roce.host_mtu
        if overlay_of(fabric) is not None and has_roce_nics(fabric) and mtu <= fabric.mtu < mtu + overhead:
            at, fix = room_for_hosts(plan, name, fabric)
            yield Problem(
                code="tunnel-mtu",
                what=f"{name} drops the largest packets of the servers' NICs inside VXLAN",
                where=at,
                why=f"host MTU {mtu} + VXLAN overhead {overhead} = {mtu + overhead} is above fabric MTU {fabric.mtu}",
                fix=fix,
            )


class TenantLeak(NamedTuple):
    """A way in which tenants can meet on a switch: code, and the reason as text."""

    code: str
    why: str


def faults(device: Device) -> Iterator[TenantLeak]:
    """Yield why tenants of a shared backend are not isolated on a switch; nothing where they are.

    Each VRF imports only its own route target, and no two share one; nothing is bridged, so there are no MAC and
    flooding routes (types 2 and 3); a port in use is in a tenant's VRF, and the default VRF leads nowhere.
    Source: RFC 4364 section 4.3.5, RFC 9136 section 4.4.2.
    """
    targets: dict[str, str] = {}
    for vrf in device.routing.bgp.vrfs:
        other = targets.setdefault(vrf.export_target, vrf.name)
        if other != vrf.name:
            yield TenantLeak("tenants-meet", f"{other} and {vrf.name} both export {vrf.export_target}")
        foreign = sorted({*vrf.import_targets} - {vrf.export_target})
        if foreign or vrf.imports:
            yield TenantLeak("tenants-meet", f"{vrf.name} imports routes of {', '.join((*foreign, *vrf.imports))}")
    if device.evpn is not None and (device.evpn.vlans or device.evpn.gateways):
        yield TenantLeak("backend-bridged", f"it bridges {len(device.evpn.vlans)} VLANs into the overlay")
    known = {vrf.name for vrf in device.routing.bgp.vrfs}
    for row in device.interfaces.ethernet:
        if row.profile.role == "host" and (row.switching is not None or row.lag):
            yield TenantLeak("backend-bridged", f"{row.name} is a switched port")
        elif row.profile.role == "host" and row.enabled and row.vrf not in known:
            yield TenantLeak("nic-in-no-vrf", f"{row.name} towards {row.peer} is up in {row.vrf or 'the default VRF'}")


WORDS = {
    "tenants-meet": "tenants of {} reach each other",
    "backend-bridged": "{} bridges tenants' packets",
    "nic-in-no-vrf": "a NIC of {} is in no tenant's VRF",
}
"""Code → what is wrong with a fabric, a format string."""


def leak_problems(fabric: str, leaks: Mapping[str, tuple[int, tuple[str, str]]], switches: int) -> Iterator[Problem]:
    """Yield problems of one fabric, one per code. leaks: code → number of switches, and the first with its reason."""
    for code, text in WORDS.items():
        if code in leaks:
            count, (first, why) = leaks[code]
            yield Problem(
                code=code,
                what=f"{text.format(fabric)} at {count} of {switches} switches, first {first}",
                where=("fabrics", fabric, "tenancy"),
                why=f"{why}; each tenant of a shared backend has a VRF of its own",
                fix="this is a bug in fabricgen; report it with your intent",
            )
