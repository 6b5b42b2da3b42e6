"""Settings that overrides give: each set of them judged as a fabric's own is, and ports by what their switch can do."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from fabricgen.checks.engine.check import Check
from fabricgen.checks.routing.mtu import IPV6_MTU, SERVER_MTU, overlay_octets
from fabricgen.device.interfaces import Ethernet
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Backend
from fabricgen.intent.rules import hold_time
from fabricgen.plan.exceptions import PortKey, PortSettings
from fabricgen.plan.fabric import FabricPlan, chassis_of, place_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_context, make_site
from fabricgen.resolve.interfaces import resolve_interfaces
from fabricgen.resolve.profiles import LINK_ROLES, RS_FEC_FROM_GBPS
from fabricgen.resolve.variants import plan_of, variants

SETTINGS_CHECKS = frozenset(
    (
        "balancing-modes",
        "dynamic-groups",
        "link-loss",
        "switch-mtu",
        "host-mtu",
        "vxlan-mtu",
        "tunnel-mtu",
        "known-profiles",
        "markings",
        "expressible",
        "nic-markings",
        "sizes-known",
        "headroom-pool",
        "thresholds",
        "buffers",
        "telemetry",
    )
)
"""Checks that ask settings a switch may have of its own."""

NOTED = ("link_loss", "load_balancing")
"""Settings that notes ask."""


def of_variants(plan: Plan, checks: Iterable[Check], told: Iterable[Problem]) -> Iterator[Problem]:
    """What these checks say of each set of settings that overrides make, and do not say of the fabric itself.

    told  problems of the plan as its fabrics' blocks have it
    """
    known = {(problem.code, problem.what) for problem in told}
    asked = [check for check in checks if check.name in SETTINGS_CHECKS]
    for fabric in plan.fabrics.values():
        for variant in variants(fabric):
            changed = plan_of(plan, variant)
            found = [problem for check in asked for problem in check.run(changed)]
            for problem in (*found, *hold_time(changed.intent)):
                if (problem.code, problem.what) not in known:
                    more = f" and {len(variant.devices) - 1} more" if len(variant.devices) > 1 else ""
                    yield problem._replace(
                        what=f"{problem.what}, with the overrides of {variant.devices[0]}{more}",
                        where=variant.placed(problem.where),
                    )


def in_force(plan: Plan) -> Plan:
    """The plan with what overrides say of whole fabrics in their blocks: for notes, which look at nothing else."""
    fabrics = dict(plan.fabrics)
    for name, fabric in plan.fabrics.items():
        own = plan.intent.overrides.get(name)
        if own is not None:
            given = {key: getattr(own, key) for key in NOTED if key in own.model_fields_set}
            fabrics[name] = replace(fabric, fabric=fabric.fabric.model_copy(update=given))
    return plan._replace(fabrics=fabrics)


def port_overrides(plan: Plan) -> Iterator[Problem]:
    """What overrides give a port, its switch and its lanes can do, and no less headroom than the table asks.

    An MTU carries what hosts send, with the overlay's own octets. Source: the `mtu` of each hardware file; IEEE 802.3
    clauses 91, 119, 134 and 161 for FEC; the headroom tables.
    """
    for fabric in plan.fabrics.values():
        by_device: dict[str, dict[str, PortSettings]] = {}
        for key, own in fabric.exceptions.port_settings.items():
            by_device.setdefault(key.device, {})[key.port] = own
        for device, ports in by_device.items():
            yield from _ports(plan, fabric, device, ports)


def _ports(plan: Plan, fabric: FabricPlan, device: str, ports: dict[str, PortSettings]) -> Iterator[Problem]:
    place = place_of(fabric, device)
    if place is None:
        return
    # The same switch without what its ports have of their own: what the tables say of them.
    bare = replace(fabric, exceptions=fabric.exceptions._replace(port_settings={}))
    site = make_site(plan._replace(fabrics={fabric.name: bare}), fabric.name)
    rows = {row.name: row for row in resolve_interfaces(make_context(site, place)).ethernet}
    most = chassis_of(fabric, place).switch.mtu
    for port, own in ports.items():
        if port in rows:
            yield from _faults(PortKey(device, port), own, rows[port], _sizes(fabric, device, rows[port], most))


class _Sizes(NamedTuple):
    """The least and the most octets that a port's MTU may be, and why in words."""

    least: int
    most: int
    why: str


def _sizes(fabric: FabricPlan, device: str, row: Ethernet, most: int) -> _Sizes:
    """What a port carries: packets of the hosts of its leaf, inside the overlay if any. `most`: what its switch takes.

    Source: RFC 7348 section 5 for the overlay's own octets, RFC 8200 section 5 for the least with IPv6.
    """
    role = row.profile.role
    own = fabric.exceptions.settings.get(row.peer if role == "downlink" else device)
    settings = own.fabric if own is not None else fabric.fabric
    sent = settings.roce.host_mtu if isinstance(settings, Backend) else SERVER_MTU
    more = overlay_octets(settings) if role in LINK_ROLES else 0
    words = f"hosts send packets of {sent}" + (f", {sent + more} inside VXLAN" if more else "")
    least = sent + more
    if least < IPV6_MTU and (row.ipv6 or row.profile.unnumbered):
        least, words = IPV6_MTU, f"IPv6 asks for {IPV6_MTU} (RFC 8200 section 5)"
    if role == "host" and overlay_octets(settings):
        # What comes in here goes on inside VXLAN.
        return _Sizes(least, row.profile.mtu, f"{words}, and inside VXLAN the fabric carries {row.profile.mtu} at most")
    return _Sizes(least, most, f"{words}, and the switch takes {most} at most")


def _faults(key: PortKey, own: PortSettings, row: Ethernet, sizes: _Sizes) -> Iterator[Problem]:
    """Problems of one port."""
    name = f"{key.device}/{key.port}"
    if own.mtu and not sizes.least <= own.mtu <= sizes.most:
        yield Problem(
            code="port-mtu",
            what=f"{name} cannot carry packets of {max(own.mtu, sizes.least)} octets",
            where=_where(own, "mtu"),
            why=f"its MTU is {own.mtu}; {sizes.why}",
            fix=f"write mtu: {sizes.least} or more, up to {sizes.most}",
        )
    lane = row.profile.speed_gbps // row.profile.lanes
    if own.fec and own.fec != "rs-fec" and lane >= RS_FEC_FROM_GBPS:
        yield Problem(
            code="fec-lanes",
            what=f"{name} has lanes of {lane}G and would have FEC {own.fec}",
            where=_where(own, "fec"),
            why="a PAM4 lane comes up with RS-FEC only (IEEE 802.3 clauses 91, 119, 134 and 161)",
            fix="write fec: rs-fec, or remove it",
        )
    if own.headroom_octets and own.headroom_octets < row.headroom_octets:
        yield Problem(
            code="headroom-low",
            what=f"{name} has only {own.headroom_octets} octets of headroom",
            where=_where(own, "headroom_octets"),
            why=f"at {row.profile.speed_gbps}G over {row.length_m:g} m the table asks {row.headroom_octets}; with less "
            "a paused sender's packets are dropped",
            fix=f"write headroom_octets: {row.headroom_octets} or more, or waive it with what was measured",
        )


def _where(own: PortSettings, key: str) -> IntentPath:
    return ("overrides", dict(own.sources)[key], key)
