"""Both ends of each session, link and address say the same."""

from collections.abc import Iterator, Mapping

from fabricgen.audit.onward import port_to
from fabricgen.audit.site_view import End, Session, SiteView
from fabricgen.audit.views import LOOPBACK, Lossless, PortView, SessionView, SwitchView, covers, network_of
from fabricgen.audit.violations import Violation
from fabricgen.base.secret import WRITTEN
from fabricgen.device.routing import MOST_HOPS

DEFAULT_ROUTES = ("0.0.0.0/0", "::/0")


def session_ends(site: SiteView) -> Iterator[Violation]:
    """Each session has its other end, with the AS numbers, families and password that the two expect of each other."""
    for switch in site.switches.values():
        inside = site.sessions_of(switch.name)
        if len(inside) == len(switch.sessions):
            continue
        known = {(session.near.vrf, session.near.peer) for session in inside}
        for near in switch.sessions:
            is_known = (near.vrf, near.peer) in known or (switch.name, near.vrf, near.peer) in site.outside
            if not is_known and not _may_be_absent(site, switch, near):
                what = f"session {_name(near.vrf, near.peer)}: no switch has this address"
                yield Violation("session-ends", switch.name, near.at, what, "the session never comes up")
    for session in site.sessions:
        for what in _session_faults(site, session):
            name = _name(session.near.vrf, session.near.peer)
            why = "the session does not come up, or does not carry what the plan routes over it"
            yield Violation("session-ends", session.switch, session.near.at, f"session {name}: {what}", why)


def _may_be_absent(site: SiteView, switch: SwitchView, near: SessionView) -> bool:
    """Whether the other end may be a switch without a configuration: nobody knows its addresses."""
    absent = site.absent.get(switch.fabric, {})
    far = site.cables.get(End(switch.name, port_to(switch, near.vrf, near.peer)))
    return far.switch in absent if far is not None else bool(absent and near.source)


def _name(vrf: str, peer: str) -> str:
    return f"{vrf} {peer}" if vrf else peer


def _session_faults(site: SiteView, session: Session) -> Iterator[str]:
    near, far, back = session.near, site.switches[session.far], session.back
    if near.remote_as != far.asn:
        yield f"it expects AS {near.remote_as}, and {far.name} has {far.asn}"
    if not near.enabled:
        yield "it is shut down"
    if "evpn" in near.families and not near.extended:
        yield "extended communities are not sent, so that route targets are lost"
    if back is None:
        yield f"{far.name} has no session back"
    else:
        yield from _unequal(near, back, far.name)


def _unequal(near: SessionView, back: SessionView, far: str) -> Iterator[str]:
    """What the two ends must have alike."""
    if not near.families <= back.families:
        yield f"{far} does not have {', '.join(sorted(near.families - back.families))} in its session back"
    if near.password != back.password and password_text(near.password) != password_text(back.password):
        yield f"its password is not that of {far}"
    if near.timers != back.timers:
        yield f"timers are {_timers(near.timers)}, and {_timers(back.timers)} on {far}"
    if near.bfd and not back.bfd:
        yield f"BFD is on, and off on {far}"
    if near.source and near.reach and not back.reach:
        yield f"it may be {near.reach} hops long, and that of {far} must be on the link"
    if not near.takes(back):
        yield f"packets must arrive with a TTL of {MOST_HOPS + 1 - near.ttl_hops}, and {far} sends {back.multihop or 1}"


def password_text(reference: str) -> str:
    """References are compared; values are not kept, so that one is like another."""
    return reference if WRITTEN.fullmatch(reference) else "a value" if reference else ""


def _timers(timers: tuple[int, int]) -> str:
    return f"keepalive {timers[0]} s, hold {timers[1]} s"


def unique_addresses(site: SiteView) -> Iterator[Violation]:
    """No two ports have one address. Tenants are apart from each other, and so are fabrics."""
    for key, others in site.other_owners.items():
        first = site.owners[key]
        for switch, port, _ in others:
            what = f"{port.name}: {_name(*key[1:])} is also the address of {first.switch} {first.port.name}"
            yield Violation("unique-addresses", switch, port.at, what, "packets reach one of the two by chance")


def unique_router_ids(site: SiteView) -> Iterator[Violation]:
    """No two switches of a fabric have one router id, whether it is an address or a number alone."""
    first: dict[tuple[str, str], str] = {}
    for switch in site.switches.values():
        if switch.router_id:
            other = first.setdefault((switch.fabric, switch.router_id), switch.name)
            if other != switch.name:
                what = f"bgp: router id {switch.router_id} is also that of {other}"
                why = "a BGP identifier is of one speaker (RFC 6286)"
                yield Violation("unique-router-ids", switch.name, switch.router_id_at, what, why)


def link_ends(site: SiteView) -> Iterator[Violation]:
    """The two ends of a cable are in one subnet, of one MTU, and treat the lossless class alike."""
    for near, far in site.cables.items():
        if far.switch not in site.switches or near.switch not in site.switches or near > far:
            continue
        here, there = (site.switches[end.switch].ports.get(end.port) for end in (near, far))
        if here is None or there is None:
            missing = near if here is None else far
            what = f"{missing.port} is not configured, and a cable leads there"
            yield Violation("link-ends", missing.switch, site.switches[missing.switch].at, what, "the link is not used")
            continue
        faults = [*_link_faults(here, there)]
        for what, why in faults:
            yield Violation("link-ends", near.switch, here.at, f"{here.name}: {what} at {far.switch} {far.port}", why)
        for what, why in _link_faults(there, here) if faults else ():
            yield Violation(
                "link-ends", far.switch, there.at, f"{there.name}: {what} at {near.switch} {near.port}", why
            )


def _link_faults(here: PortView, there: PortView) -> Iterator[tuple[str, str]]:
    """What differs between two ends, as it is seen from the first."""
    if here.enabled != there.enabled:
        yield f"{_on(here.enabled)}, {_on(there.enabled)}", "the link is down, and its capacity is missing"
    if here.mtu != there.mtu:
        yield _mtu_fault(here, there)
    mine, theirs = set(map(network_of, here.addresses)), set(map(network_of, there.addresses))
    if mine != theirs:
        only = ", ".join(sorted(mine ^ theirs))
        yield f"{only} is a subnet of one end only, not", "the two ends do not reach each other"
    if here.unnumbered != there.unnumbered:
        yield f"unnumbered {_on(here.unnumbered)}, {_on(there.unnumbered)}", "the session finds no neighbor"
    if here.lossless != there.lossless:
        yield from _lossless_faults(here.lossless, there.lossless)
    if here.watchdog != there.watchdog:
        yield f"PFC watchdog {_on(here.watchdog)}, {_on(there.watchdog)}", "pauses of a stuck NIC spread past this link"


def _mtu_fault(here: PortView, there: PortView) -> tuple[str, str]:
    if here.mtu and there.mtu:
        return f"MTU {here.mtu}, {there.mtu}", "the end with the smaller MTU drops full packets"
    return f"{_routed(here)}, {_routed(there)}", "the two ends do not reach each other"


def _routed(port: PortView) -> str:
    """A port without an MTU of packets has no packets: it is bridged, or nothing is on it."""
    return "routed" if port.mtu else "not routed"


def _lossless_faults(here: Lossless, there: Lossless) -> Iterator[tuple[str, str]]:
    for name, mine, theirs in zip(("PFC priorities", "DSCP classes", "queues"), here, there, strict=True):
        if mine != theirs:
            values = f" {_listed(mine)}, {_listed(theirs)}" if name == "PFC priorities" else " differ from those"
            yield f"{name}{values}", "a packet that one end protects is dropped by the other"


def _listed(numbers: tuple[int, ...]) -> str:
    return " and ".join(map(str, numbers)) or "none"


def _on(value: bool) -> str:
    return "on" if value else "off"


def network_owners(site: SiteView) -> Iterator[Violation]:
    """Each announced prefix is here: on a port, a gateway, or a discard route that holds ports; and on no other switch.

    Prefixes of tenants are on every leaf that has the tenant. A backend has no default route.
    """
    first: dict[tuple[str, str], End] = {}
    for switch in site.switches.values():
        for (vrf, prefix), at in switch.networks.items():
            if vrf == "" and prefix in DEFAULT_ROUTES:
                what = f"{prefix} is announced"
                yield Violation(
                    "network-owners", switch.name, at, what, "packets to any address are drawn to this switch"
                )
                continue
            is_aggregate = (vrf, prefix) in switch.statics and any(
                covers(prefix, inner) for inner in _local(switch, vrf)
            )
            if not is_aggregate and prefix not in _local(switch, vrf):
                what = f"{_name(vrf, prefix)} is announced, and no port or gateway of the switch is in it"
                yield Violation("network-owners", switch.name, at, what, "packets to it are drawn here and dropped")
            other = first.setdefault((switch.fabric, prefix), End(switch.name, "")) if not vrf else None
            if other is not None and other.switch != switch.name:
                what = f"{prefix} is announced by {other.switch}, too"
                yield Violation("network-owners", switch.name, at, what, "packets reach one of the two by chance")
        yield from _default_routes(switch)
    for switch in site.switches.values():
        yield from _hidden(switch, first)


def _hidden(switch: SwitchView, owners: Mapping[tuple[str, str], End]) -> Iterator[Violation]:
    """Static routes that a switch prefers to a prefix of another one. owners: fabric and prefix → who announces it."""
    for (vrf, prefix), (next_hop, at) in switch.statics.items():
        if vrf or (vrf, prefix) in switch.networks:
            continue
        for (fabric, other), owner in owners.items():
            if fabric == switch.fabric and owner.switch != switch.name and covers(other, prefix):
                what = f"{prefix} leads to {next_hop} by a static route, and {owner.switch} announces {other}"
                yield Violation("network-owners", switch.name, at, what, "packets to it do not get there")


def _local(switch: SwitchView, vrf: str) -> Iterator[str]:
    """Subnets of a VRF: of loopbacks, gateways and ports."""
    ports = [port for port in switch.ports.values() if port.vrf == vrf]
    for port in sorted(ports, key=lambda port: not port.name.startswith(LOOPBACK)):
        yield from map(network_of, port.addresses)
    for gateway in switch.gateways:
        if gateway.vrf == vrf:
            yield from map(network_of, gateway.addresses)


def _default_routes(switch: SwitchView) -> Iterator[Violation]:
    for (vrf, prefix), (next_hop, at) in switch.statics.items():
        if prefix in DEFAULT_ROUTES and not vrf:
            what = f"{prefix} leads to {next_hop} by a static route"
            yield Violation(
                "network-owners", switch.name, at, what, "packets to unknown addresses leave the fabric there"
            )
