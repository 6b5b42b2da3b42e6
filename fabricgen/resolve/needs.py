"""Features that the intent asks for explicitly, with their paths: a refusal can then name the line to change.

`device/needs.py` derives all needs of a switch from its Device; a test checks that these are a subset.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Backend, Fabric, Frontend, Roce, ServerPorts, is_lossless, is_unnumbered, overlay_of
from fabricgen.intent.site import Management, Snmp
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import UPPER
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import WEIGHTED_PATHS
from fabricgen.resolve.control import can
from fabricgen.resolve.telemetry import telemetry_needs
from fabricgen.resolve.variants import Variant, plan_of, sets, variants
from fabricgen.topologies.nics import leaves_a_rail


class FeatureNeed(NamedTuple):
    """One feature that all switches of a role need. system and version: operating system and its release."""

    fabric: str
    role: str
    system: str
    version: str
    feature: str
    where: IntentPath


class Role(NamedTuple):
    """A role of a fabric, its operating system, and the path of that in the intent."""

    name: str
    system: str
    where: IntentPath


def roles(plan: FabricPlan) -> tuple[Role, ...]:
    """Return the roles of a fabric, one entry for each operating system that switches of the role run."""
    entries = [*_own_roles(plan)]
    for variant in variants(plan):
        system = variant.settings.system
        if system:
            where = variant.placed((*_PATH, plan.name, "os"))
            entries += [Role(tier.value, system, where) for tier in variant.tiers]
    return tuple(dict.fromkeys(entries))


_PATH = ("fabrics",)


def _own_roles(plan: FabricPlan) -> tuple[Role, ...]:
    """Return the roles with the operating systems of the fabric's block."""
    fabric = plan.fabric
    path: IntentPath = ("fabrics", plan.name)
    entries = [Role("leaf", fabric.leaf.os, (*path, "leaf", "os"))]
    if plan.shape.spine is not None and fabric.spine is not None:
        entries.append(Role("spine", fabric.spine.os, (*path, "spine", "os")))
    if plan.shape.core is not None and fabric.superspine is not None:
        entries.append(Role("superspine", fabric.superspine.os, (*path, "superspine", "os")))
    if plan.shape.border is not None and isinstance(fabric, Frontend):
        border = "border" if fabric.border else "leaf"
        entries.append(Role("border-leaf", plan.shape.border.system, (*path, border, "os")))
    return tuple(entries)


class Party(NamedTuple):
    """Switches of a role that have the same settings, and the features that these need.

    system, version  operating system and its release
    variant   their own settings; None for switches with the fabric's
    features  feature → path in the intent that asks for it
    """

    fabric: str
    role: str
    system: str
    version: str
    variant: Variant | None
    features: Mapping[str, IntentPath]


def needs(plan: Plan) -> Iterator[FeatureNeed]:
    """Yield the needs of every role, fabric by fabric; then those of switches with their own settings."""
    for name, fabric in plan.fabrics.items():
        for party in parties(plan, name):
            for feature, where in party.features.items():
                if party.variant is not None or not set_apart(fabric, party.role, where):
                    yield FeatureNeed(name, party.role, party.system, party.version, feature, where)


def set_apart(fabric: FabricPlan, role: str, where: IntentPath) -> bool:
    """Return whether overrides set the value at a path for every switch of a role: none has the fabric's value."""
    own = fabric.exceptions.settings
    # Switches with the same overrides share one object.
    changing = {key for key, one in {id(one): one for one in own.values()}.items() if sets(one, fabric.name, where)}
    if not changing:
        return False
    apart = {name for name, one in own.items() if id(one) in changing}
    return all(name_of(fabric, place) in apart for place in places(fabric) if place.tier.value == role)


def parties(plan: Plan, name: str) -> Iterator[Party]:
    """Yield each role of a fabric; then for each set of settings from overrides each role that has it."""
    fabric = plan.fabrics[name]
    roles_by_name = {role.name: role for role in _own_roles(fabric)}
    for role in roles_by_name.values():
        features = _first(_features(plan, fabric, role))
        system, _, version = role.system.partition("-")
        yield Party(name, role.name, system, version, None, features)
    for variant in variants(fabric):
        changed = plan_of(plan, variant)
        for tier in variant.tiers:
            system, _, version = (variant.settings.system or roles_by_name[tier.value].system).partition("-")
            asked = _features(changed, changed.fabrics[name], Role(tier.value, f"{system}-{version}", ()))
            features = _first((feature, variant.placed(where)) for feature, where in asked)
            yield Party(name, tier.value, system, version, variant, features)


def _first(features: "Iterable[Feature]") -> Mapping[str, IntentPath]:
    """Return feature → the first path that asks for it."""
    first: dict[str, IntentPath] = {}
    for feature, where in features:
        first.setdefault(feature, where)
    return first


Feature = tuple[str, IntentPath]


def _features(plan: Plan, fabric_plan: FabricPlan, switches: Role) -> Iterator[Feature]:
    path: IntentPath = ("fabrics", fabric_plan.name)
    fabric, role = fabric_plan.fabric, switches.name
    yield from _routing(fabric_plan, path, role)
    if fabric_plan.shape.spine is not None:
        yield from _session_guards(fabric, path, switches.system)
    if isinstance(fabric, Backend):
        yield from _backend(fabric, path, role)
    else:
        yield from _lossless(fabric, path)
        if role not in UPPER:
            yield from _frontend(plan, fabric_plan, fabric, role)
    yield from telemetry_needs(fabric.telemetry, (*path, "telemetry"))
    yield from _management(plan.intent.management, role)


def _backend(fabric: Backend, path: IntentPath, role: str) -> Iterator[Feature]:
    if role == "leaf" and leaves_a_rail(fabric.topology) > 1:
        yield "dual-tor", (*path, "topology", "leaves_per_rail")
        yield "unnumbered", (*path, "topology", "leaves_per_rail")
    yield from _lossless(fabric, path)
    if fabric.tenancy is not None:
        # Switches above the leaves only pass EVPN routes on; tunnels end on leaves.
        yield "evpn", (*path, "tenancy")
        if role not in UPPER and is_lossless(fabric):
            yield "roce-over-vxlan", (*path, "tenancy")


def _frontend(plan: Plan, fabric_plan: FabricPlan, fabric: Frontend, role: str) -> Iterator[Feature]:
    path: IntentPath = ("fabrics", fabric_plan.name)
    yield from _overlay(plan, fabric, path, role)
    if is_lossless(fabric):
        yield "roce-over-vxlan", (*path, "transport")
        if role != "border-leaf":
            yield from _lossless_servers(plan, fabric_plan, fabric)
    for tenant in plan.tenants.get(fabric_plan.name, ()):
        if plan.intent.tenants[tenant.name].imports:
            yield "tenant-imports", ("tenants", tenant.name, "imports")


def _routing(plan: FabricPlan, path: IntentPath, role: str) -> Iterator[Feature]:
    fabric = plan.fabric
    yield "bgp", (*path, "kind")
    yield "graceful-shutdown", (*path, "kind")
    if is_unnumbered(fabric.addressing):
        yield "unnumbered", (*path, "addressing", "links")
    if overlay_of(fabric) is not None and role not in UPPER and fabric.addressing.ipv4 is None:
        yield "vtep-ipv6", (*path, "addressing")
    if fabric.bgp.bfd:
        yield "bfd", (*path, "bgp", "bfd")
    if fabric.load_balancing == "cluster":
        if role == "leaf":
            yield "cluster", (*path, "load_balancing")
    elif fabric.load_balancing != "ecmp":
        yield fabric.load_balancing, (*path, "load_balancing")
    yield from _link_loss(plan, path)


def _session_guards(fabric: Fabric, path: IntentPath, system: str) -> Iterator[Feature]:
    """Yield the needs of what guards sessions. A system that cannot check the TTL sends 255: a note says so."""
    way = fabric.bgp.ttl_security
    if way != "none":
        checks = way == "check" and can(system, "ttl-check")
        yield "ttl-check" if checks else "ttl-send", (*path, "bgp", "ttl_security")
    if fabric.bgp.password is not None:
        yield "fabric-password", (*path, "bgp", "password")


def _link_loss(plan: FabricPlan, path: IntentPath) -> Iterator[Feature]:
    """Yield the need of link loss. With many paths weights must be finer, as each path is a smaller part."""
    loss = plan.fabric.link_loss
    if loss != "keep":
        wide = "-wide" if loss == "weighted" and plan.shape.uplinks_laid > WEIGHTED_PATHS else ""
        yield f"link-loss-{loss}{wide}", (*path, "link_loss")


def _lossless(fabric: Fabric, path: IntentPath) -> Iterator[Feature]:
    if is_lossless(fabric):
        for feature in ("pfc", "ecn", "pfc-watchdog", "headroom"):
            yield feature, (*path, "transport")
        if fabric.roce.alpha != Roce.model_fields["alpha"].default:
            yield "alpha", (*path, "roce", "alpha")
        if fabric.roce.watchdog.action == "notify":
            yield "pfc-watchdog-notify", (*path, "roce", "watchdog", "action")


def _lossless_servers(plan: Plan, fabric_plan: FabricPlan, fabric: Frontend) -> Iterator[Feature]:
    """Yield the needs of switched ports with a lossless class: their frames have tags, or they are in bonds."""
    path: IntentPath = ("fabrics", fabric_plan.name)
    yield "pfc-switched", (*path, "transport")
    for tenant in plan.tenants.get(fabric_plan.name, ()):
        if len(tenant.networks) > 1:
            yield "pfc-tagged", ("tenants", tenant.name, "networks")
    if fabric.server_ports.multihoming == "evpn-esi" and any(group.indexes > 1 for group in fabric_plan.shape.groups):
        yield "pfc-bonds", (*path, "server_ports", "multihoming")


def _overlay(plan: Plan, fabric: Frontend, path: IntentPath, role: str) -> Iterator[Feature]:
    yield "evpn", (*path, "kind")
    if role == "border-leaf":
        return
    yield from _server_ports(fabric.server_ports, (*path, "server_ports"))
    duplicates = fabric.duplicate_mac
    if duplicates is not None:
        bonds = fabric.server_ports.multihoming == "evpn-esi"
        yield "duplicate-mac-bonds" if bonds else "duplicate-mac", (*path, "duplicate_mac")
        if duplicates.recovery_minutes:
            yield "duplicate-mac-recovery", (*path, "duplicate_mac", "recovery_minutes")
    for name, tenant in plan.intent.tenants.items():
        for network, body in tenant.networks.items():
            if body.dhcp_relay:
                yield "dhcp-relay", ("tenants", name, "networks", network, "dhcp_relay")
        if tenant.guards:
            yield "ra-guard", ("tenants", name, "guards")


def _server_ports(ports: ServerPorts, where: IntentPath) -> Iterator[Feature]:
    bonds = ports.multihoming == "evpn-esi"
    storm = ports.storm_control
    flooded = storm is not None and bool(storm.broadcast_percent or storm.multicast_percent)
    by_preference = ports.df_election == "preference" and "df_election" in ports.model_fields_set
    rows = (
        ("esi-multihoming", bonds, "multihoming"),
        ("df-preference", bonds and by_preference, "df_election"),
        ("lacp-fallback", bonds and ports.lacp_fallback, "lacp_fallback"),
        ("storm-control", flooded, "storm_control"),
        ("bpdu-guard", ports.bpdu_guard, "bpdu_guard"),
        ("uplink-tracking", ports.uplink_tracking, "uplink_tracking"),
        ("mac-limit", isinstance(ports.mac_limit, int) and not bonds, "mac_limit"),
        ("mac-limit-bonds", isinstance(ports.mac_limit, int) and bonds, "mac_limit"),
    )
    for feature, is_asked, key in rows:
        if is_asked:
            yield feature, (*where, key)
    if storm is not None and storm.unknown_unicast_percent:
        yield "storm-control-unknown-unicast", (*where, "storm_control", "unknown_unicast_percent")


def _login(management: Management) -> Iterator[Feature]:
    login = management.login
    if login is None:
        return
    wanted = {
        "banner": ("login-banner", login.banner is not None),
        "idle_timeout": ("login-idle", login.idle_timeout is not None),
        "password_login": ("login-keys", not login.password_login),
        "ssh_ciphers": ("ssh-ciphers", login.ssh_ciphers is not None),
    }
    for key, (feature, is_wanted) in wanted.items():
        if is_wanted:
            yield feature, ("management", "login", key)


def _management(management: Management, role: str) -> Iterator[Feature]:
    """Yield the needs of management. Only leaves sample flows, where packets enter the fabric.

    eAPI is no need of a system: the key is for the whole site, and applies to switches that have one.
    """
    for feature in ("aaa", "snmp", "gnmi", "sflow"):
        if getattr(management, feature) is not None and (feature != "sflow" or role not in UPPER):
            yield feature, ("management", feature)
    yield from _snmp(management.snmp)
    if management.access is not None and "access" in management.model_fields_set:
        yield "access-ssh", ("management", "access")
    yield from _login(management)
    if management.lldp:
        yield "lldp", ("management", "lldp")
    if management.users:
        yield "users", ("management", "users")
    for name, user in management.users.items():
        if user.ssh_keys:
            yield "ssh-keys", ("management", "users", name, "ssh_keys")


def _snmp(snmp: Snmp | None) -> Iterator[Feature]:
    """Yield the algorithms that not every system with SNMP has."""
    if snmp is not None and snmp.auth_algorithm == "sha256":
        yield "snmp-sha256", ("management", "snmp", "auth_algorithm")
    if snmp is not None and snmp.privacy_algorithm == "aes256":
        yield "snmp-aes256", ("management", "snmp", "privacy_algorithm")
