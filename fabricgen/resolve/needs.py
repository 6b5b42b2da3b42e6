"""Features that the intent asks for in so many words, and where: each refusal then has the line to change.

What a switch needs in all is read off its Device (`device/needs.py`); a test holds this list to be a part of that.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Backend, Frontend, Roce, is_unnumbered
from fabricgen.intent.site import Management
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.place import UPPER
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import WEIGHTED_PATHS
from fabricgen.resolve.telemetry import telemetry_needs
from fabricgen.resolve.variants import Variant, plan_of, variants
from fabricgen.topologies.nics import leaves_a_rail


class FeatureNeed(NamedTuple):
    """One feature that all switches of a role need."""

    fabric: str
    role: str
    system: str
    feature: str
    where: IntentPath


class Role(NamedTuple):
    """A role of a fabric, the operating system it runs, and where the intent says so."""

    name: str
    system: str
    where: IntentPath


def roles(plan: FabricPlan) -> tuple[Role, ...]:
    """Roles that a fabric has, each once, and again for each other operating system of some of its switches."""
    found = [*_own_roles(plan)]
    for variant in variants(plan):
        system = variant.settings.system
        if system:
            where = variant.placed((*_PATH, plan.name, "os"))
            found += [Role(tier.value, system, where) for tier in variant.tiers]
    return tuple(dict.fromkeys(found))


_PATH = ("fabrics",)


def _own_roles(plan: FabricPlan) -> tuple[Role, ...]:
    """Roles as the fabric's block has them."""
    fabric = plan.fabric
    path: IntentPath = ("fabrics", plan.name)
    found = [Role("leaf", fabric.leaf.os, (*path, "leaf", "os"))]
    if plan.shape.spine is not None and fabric.spine is not None:
        found.append(Role("spine", fabric.spine.os, (*path, "spine", "os")))
    if plan.shape.core is not None and fabric.superspine is not None:
        found.append(Role("superspine", fabric.superspine.os, (*path, "superspine", "os")))
    if plan.shape.border is not None and isinstance(fabric, Frontend):
        border = "border" if fabric.border else "leaf"
        found.append(Role("border-leaf", plan.shape.border.system, (*path, border, "os")))
    return tuple(found)


class Party(NamedTuple):
    """Switches of a role that have the same settings, and what these ask of their operating system.

    variant   the settings of their own; None of those that have the fabric's
    features  feature → where the intent asks for it
    """

    fabric: str
    role: str
    system: str
    variant: Variant | None
    features: Mapping[str, IntentPath]


def needs(plan: Plan) -> Iterator[FeatureNeed]:
    """What is asked of every role, fabric by fabric; then of switches with settings of their own."""
    for name in plan.fabrics:
        for party in parties(plan, name):
            for feature, where in party.features.items():
                yield FeatureNeed(name, party.role, party.system, feature, where)


def parties(plan: Plan, name: str) -> Iterator[Party]:
    """Each role of a fabric; then, of each set of settings that overrides give, each role that has some of it."""
    fabric = plan.fabrics[name]
    own = {role.name: role for role in _own_roles(fabric)}
    for role in own.values():
        features = _first(_features(plan, fabric, role.name))
        yield Party(name, role.name, role.system.partition("-")[0], None, features)
    for variant in variants(fabric):
        changed = plan_of(plan, variant)
        for tier in variant.tiers:
            system = (variant.settings.system or own[tier.value].system).partition("-")[0]
            found = _features(changed, changed.fabrics[name], tier.value)
            features = _first((feature, variant.placed(where)) for feature, where in found)
            yield Party(name, tier.value, system, variant, features)


def _first(found: "Iterable[Feature]") -> Mapping[str, IntentPath]:
    """Feature → the first place that asks for it."""
    kept: dict[str, IntentPath] = {}
    for feature, where in found:
        kept.setdefault(feature, where)
    return kept


Feature = tuple[str, IntentPath]


def _features(plan: Plan, fabric_plan: FabricPlan, role: str) -> Iterator[Feature]:
    path: IntentPath = ("fabrics", fabric_plan.name)
    fabric = fabric_plan.fabric
    yield from _routing(fabric_plan, path, role)
    if isinstance(fabric, Backend):
        if role == "leaf" and leaves_a_rail(fabric.topology) > 1:
            yield "dual-tor", (*path, "topology", "leaves_per_rail")
        yield from _lossless(fabric, path)
        if fabric.tenancy is not None:
            # Switches above leaves hand EVPN on; only a leaf puts packets into tunnels.
            yield "evpn", (*path, "tenancy")
            if role not in UPPER and fabric.transport == "roce-lossless":
                yield "roce-over-vxlan", (*path, "tenancy")
    elif role not in UPPER:
        yield from _overlay(plan, fabric, path, role)
        # Tenants of the fabric that take over routes of others.
        for tenant in plan.tenants.get(fabric_plan.name, ()):
            body = plan.intent.tenants[tenant.name]
            if body.imports:
                yield "tenant-imports", ("tenants", tenant.name, "imports")
    yield from telemetry_needs(fabric.telemetry, (*path, "telemetry"))
    yield from _management(plan.intent.management, role)


def _routing(plan: FabricPlan, path: IntentPath, role: str) -> Iterator[Feature]:
    fabric = plan.fabric
    yield "bgp", (*path, "kind")
    yield "graceful-shutdown", (*path, "kind")
    if is_unnumbered(fabric.addressing):
        yield "unnumbered", (*path, "addressing", "links")
    if fabric.bgp.bfd:
        yield "bfd", (*path, "bgp", "bfd")
    if fabric.load_balancing == "cluster":
        if role == "leaf":
            yield "cluster", (*path, "load_balancing")
    elif fabric.load_balancing != "ecmp":
        yield fabric.load_balancing, (*path, "load_balancing")
    yield from _link_loss(plan, path)


def _link_loss(plan: FabricPlan, path: IntentPath) -> Iterator[Feature]:
    """Weights of many paths must be finer: each is a smaller part of the whole."""
    loss = plan.fabric.link_loss
    if loss != "keep":
        wide = "-wide" if loss == "weighted" and plan.shape.uplinks_laid > WEIGHTED_PATHS else ""
        yield f"link-loss-{loss}{wide}", (*path, "link_loss")


def _lossless(fabric: Backend, path: IntentPath) -> Iterator[Feature]:
    if fabric.transport == "roce-lossless":
        for feature in ("pfc", "ecn", "pfc-watchdog", "headroom"):
            yield feature, (*path, "transport")
        if fabric.roce.alpha != Roce.model_fields["alpha"].default:
            yield "alpha", (*path, "roce", "alpha")
        if fabric.roce.watchdog.action == "notify":
            yield "pfc-watchdog-notify", (*path, "roce", "watchdog", "action")


def _overlay(plan: Plan, fabric: Frontend, path: IntentPath, role: str) -> Iterator[Feature]:
    yield "evpn", (*path, "kind")
    if role == "border-leaf":
        return
    ports = fabric.server_ports
    where = (*path, "server_ports")
    bonds = ports.multihoming == "evpn-esi"
    by_preference = ports.df_election == "preference" and "df_election" in ports.model_fields_set
    wanted = (
        ("esi-multihoming", bonds, "multihoming"),
        ("df-preference", bonds and by_preference, "df_election"),
        ("lacp-fallback", bonds and ports.lacp_fallback, "lacp_fallback"),
        ("storm-control", ports.storm_control is not None, "storm_control"),
        ("bpdu-guard", ports.bpdu_guard, "bpdu_guard"),
        ("uplink-tracking", ports.uplink_tracking, "uplink_tracking"),
        ("mac-limit", isinstance(ports.mac_limit, int) and not bonds, "mac_limit"),
        ("mac-limit-bonds", isinstance(ports.mac_limit, int) and bonds, "mac_limit"),
    )
    for feature, asked, key in wanted:
        if asked:
            yield feature, (*where, key)
    for name, tenant in plan.intent.tenants.items():
        for network, body in tenant.networks.items():
            if body.dhcp_relay:
                yield "dhcp-relay", ("tenants", name, "networks", network, "dhcp_relay")


def _management(management: Management, role: str) -> Iterator[Feature]:
    """Packets are sampled where they enter the fabric, so by leaves alone.

    eAPI is asked of no system in particular: the key is of the whole site, and speaks to switches that have one.
    """
    for feature in ("aaa", "snmp", "gnmi", "sflow"):
        if getattr(management, feature) is not None and (feature != "sflow" or role not in UPPER):
            yield feature, ("management", feature)
    if management.lldp:
        yield "lldp", ("management", "lldp")
    if management.users:
        yield "users", ("management", "users")
