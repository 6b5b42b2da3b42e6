"""Settings from overrides: each set is checked like a fabric's settings, and ports by what their switch supports."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from fabricgen.checks.engine.check import Check
from fabricgen.checks.routing.mtu import IPV6_MTU, SERVER_MTU, overlay_octets
from fabricgen.device.interfaces import Ethernet
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import has_roce_nics
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
"""Checks of settings that a switch may have of its own."""

NOTED = ("link_loss", "load_balancing")
"""Settings that warnings depend on."""


def of_variants(plan: Plan, checks: Iterable[Check], reported: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems that these checks find in each set of settings from overrides, and not in the fabric itself.

    reported  problems of the plan with its fabrics' own blocks
    """
    known = {(problem.code, problem.what) for problem in reported}
    settings_checks = [check for check in checks if check.name in SETTINGS_CHECKS]
    for fabric in plan.fabrics.values():
        for variant in variants(fabric):
            changed = plan_of(plan, variant)
            problems = [problem for check in settings_checks for problem in check.run(changed)]
            for problem in (*problems, *hold_time(changed.intent)):
                if (problem.code, problem.what) not in known:
                    where = variant.placed(problem.where)
                    yield problem._replace(what=f"{problem.what}, in the override of {where[1]}", where=where)


def in_force(plan: Plan) -> Plan:
    """Return the plan with overrides of whole fabrics merged into their blocks, for warnings, which read only these."""
    fabrics = dict(plan.fabrics)
    for name, fabric in plan.fabrics.items():
        override = plan.intent.overrides.get(name)
        if override is not None:
            written = {key: getattr(override, key) for key in NOTED if key in override.model_fields_set}
            fabrics[name] = replace(fabric, fabric=fabric.fabric.model_copy(update=written))
    return plan._replace(fabrics=fabrics)


def port_overrides(plan: Plan) -> Iterator[Problem]:
    """Overrides give a port only what its switch and its lanes support, and no less headroom than the table requires.

    An MTU fits the packets of hosts, with the overlay's overhead. Source: the `mtu` of each hardware file; IEEE 802.3
    clauses 91, 119, 134 and 161 for FEC; the headroom tables.
    """
    for fabric in plan.fabrics.values():
        by_device: dict[str, dict[str, PortSettings]] = {}
        for key, settings in fabric.exceptions.port_settings.items():
            by_device.setdefault(key.device, {})[key.port] = settings
        for device, ports in by_device.items():
            yield from _ports(plan, fabric, device, ports)


def _ports(plan: Plan, fabric: FabricPlan, device: str, ports: dict[str, PortSettings]) -> Iterator[Problem]:
    place = place_of(fabric, device)
    if place is None:
        return
    # The same switch without port overrides: the values from the tables.
    bare = replace(fabric, exceptions=fabric.exceptions._replace(port_settings={}))
    site = make_site(plan._replace(fabrics={fabric.name: bare}), fabric.name)
    rows = {row.name: row for row in resolve_interfaces(make_context(site, place)).ethernet}
    most = chassis_of(fabric, place).switch.mtu
    for port, port_settings in ports.items():
        if port in rows:
            yield from _faults(
                PortKey(device, port), port_settings, rows[port], _sizes(fabric, device, rows[port], most)
            )


class _Sizes(NamedTuple):
    """Range of a port's MTU in octets, and the reason as text."""

    least: int
    most: int
    why: str


def _sizes(fabric: FabricPlan, device: str, row: Ethernet, most: int) -> _Sizes:
    """Return the MTU range of a port: packets of its leaf's hosts, inside the overlay if any. `most`: switch limit.

    Source: RFC 7348 section 5 for the overhead of the overlay, RFC 8200 section 5 for the minimum with IPv6.
    """
    role = row.profile.role
    device_settings = fabric.exceptions.settings.get(row.peer if role == "downlink" else device)
    settings = device_settings.fabric if device_settings is not None else fabric.fabric
    sent = settings.roce.host_mtu if has_roce_nics(settings) else SERVER_MTU
    more = overlay_octets(settings) if role in LINK_ROLES else 0
    reason = f"hosts send packets of {sent}" + (f", {sent + more} inside VXLAN" if more else "")
    least = sent + more
    if least < IPV6_MTU and (row.ipv6 or row.profile.unnumbered):
        least, reason = IPV6_MTU, f"IPv6 asks for {IPV6_MTU} (RFC 8200 section 5)"
    if role == "host" and overlay_octets(settings):
        # Packets from this port continue inside VXLAN.
        return _Sizes(
            least, row.profile.mtu, f"{reason}, and inside VXLAN the fabric carries {row.profile.mtu} at most"
        )
    return _Sizes(least, most, f"{reason}, and the switch takes {most} at most")


def _faults(key: PortKey, settings: PortSettings, row: Ethernet, sizes: _Sizes) -> Iterator[Problem]:
    """Yield the problems of one port."""
    name = f"{key.device}/{key.port}"
    if settings.mtu and not sizes.least <= settings.mtu <= sizes.most:
        yield Problem(
            code="port-mtu",
            what=f"{name} cannot carry packets of {max(settings.mtu, sizes.least)} octets",
            where=_where(settings, "mtu"),
            why=f"its MTU is {settings.mtu}; {sizes.why}",
            fix=f"write mtu: {sizes.least} or more, up to {sizes.most}",
        )
    lane = row.profile.speed_gbps // row.profile.lanes
    if settings.fec and settings.fec != "rs-fec" and lane >= RS_FEC_FROM_GBPS:
        yield Problem(
            code="fec-lanes",
            what=f"{name} has lanes of {lane}G and would have FEC {settings.fec}",
            where=_where(settings, "fec"),
            why="a PAM4 lane comes up with RS-FEC only (IEEE 802.3 clauses 91, 119, 134 and 161)",
            fix="write fec: rs-fec, or remove it",
        )
    if settings.headroom_octets and settings.headroom_octets < row.headroom_octets:
        yield Problem(
            code="headroom-low",
            what=f"{name} has only {settings.headroom_octets} octets of headroom",
            where=_where(settings, "headroom_octets"),
            why=f"at {row.profile.speed_gbps}G over {row.length_m:g} m {row.headroom_octets} are needed; with less "
            "a paused sender's packets are dropped",
            fix=f"write headroom_octets: {row.headroom_octets} or more, or waive headroom-low and write "
            "what was measured",
        )


def _where(settings: PortSettings, key: str) -> IntentPath:
    return ("overrides", dict(settings.sources)[key], key)
