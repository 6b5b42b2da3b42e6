"""Device → NVUE's terms: what the templates print, other than Device fields unchanged."""

from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.management import Login
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.cumulus.access import Acl, acls
from fabricgen.platforms.cumulus.bgp import (
    BfdContext,
    Family,
    GroupContext,
    RouteContext,
    SessionContext,
    VrfSpeaker,
    bfd_profile,
    families,
    groups,
    sessions,
    static_routes,
    vrf_speakers,
)
from fabricgen.platforms.cumulus.interfaces import (
    BondContext,
    CageContext,
    PortContext,
    RoutedContext,
    SubinterfaceContext,
    SviContext,
    VrfLink,
    bonds,
    cages,
    loopback_port,
    management_port,
    multihomed,
    ports,
    ra_guard,
    subinterfaces,
    svis,
    vrf_links,
)
from fabricgen.platforms.cumulus.keywords import Keywords, Parent, keywords, parent
from fabricgen.platforms.cumulus.policy import PolicyContext, policy_words
from fabricgen.platforms.cumulus.qos import QosContext, control_mark, qos_words
from fabricgen.platforms.cumulus.releases import NEGOTIATED, RENAMED, SYSLOG_MOVED, WAITS_BESIDE_EVPN
from fabricgen.platforms.cumulus.system import (
    GnmiContext,
    RelayContext,
    Sampling,
    TacacsServer,
    UserContext,
    api_certificate,
    gnmi,
    relays_ipv4,
    relays_ipv6,
    samplings,
    tacacs,
    tacacs_by_priority,
    users,
)


class VrfContext(NamedTuple):
    """A tenant's VRF: its L3 VNI, its BGP, its static routes."""

    link: VrfLink
    speaker: VrfSpeaker | None
    routes: tuple[RouteContext, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContext:
    """The configuration of one switch in NVUE's terms, and in the words of its release.

    forces_speed a port's speed is forced by a line of its own: until 5.13 its speed alone does so
    tacacs_by_priority  TACACS+ servers are known by their priority: in 5.11
    services     where DNS, NTP and LLDP are; syslog: where its servers are, if there are any
    login        banner and idle time
    control      mark of BGP's packets if it is not FRR's default; else 0
    snippet      there are FRR lines for which NVUE has no command
    adaptive     packets take the path with the shortest queue
    wait_install until 5.13 false with an EVPN session: FRR before 9.1 applies it to EVPN routes too, and sends none
    multihomed   some bond of the fabric is an Ethernet segment of two leaves, or may become one
    lldp         enabled or disabled
    acls         of the control plane: sources of the management services
    """

    keywords: Keywords
    acls: tuple[Acl, ...]
    management: RoutedContext
    loopbacks: RoutedContext
    forces_speed: bool
    cages: tuple[CageContext, ...]
    ports: tuple[PortContext, ...]
    bonds: tuple[BondContext, ...]
    subinterfaces: tuple[SubinterfaceContext, ...]
    svis: tuple[SviContext, ...]
    ra_guard: str
    lists: bool
    multihomed: bool
    detects_duplicates: bool
    qos: QosContext | None
    control: int
    snippet: bool
    adaptive: bool
    wait_install: bool
    bfd: BfdContext | None
    policy: PolicyContext
    groups: tuple[GroupContext, ...]
    sessions: tuple[SessionContext, ...]
    families: tuple[Family, ...]
    routes: tuple[RouteContext, ...]
    vrfs: tuple[VrfContext, ...]
    users: tuple[UserContext, ...]
    tacacs: tuple[TacacsServer, ...]
    tacacs_by_priority: bool
    services: Parent
    syslog: Parent
    login: Login
    gnmi: GnmiContext | None
    api_certificate: str
    samplings: tuple[Sampling, ...]
    lldp: str
    relays_ipv4: tuple[RelayContext, ...]
    relays_ipv6: tuple[RelayContext, ...]


def template_context(device: Device) -> TemplateContext:
    """The values that the templates print for one switch."""
    version = device.version
    links, speakers = vrf_links(device), vrf_speakers(device)
    peer_groups = tuple(groups(device))
    control, policy = control_mark(device), policy_words(device)
    management_acls, guard = acls(device), ra_guard(device)
    relays = tuple(relays_ipv4(device, links)), tuple(relays_ipv6(device, links))
    return TemplateContext(
        keywords=keywords(version),
        acls=management_acls,
        ra_guard=guard,
        lists=bool(management_acls or guard),
        management=management_port(device),
        loopbacks=loopback_port(device),
        forces_speed=is_at_least(version, NEGOTIATED),
        cages=cages(device),
        ports=tuple(ports(device)),
        bonds=tuple(bonds(device)),
        subinterfaces=tuple(subinterfaces(device)),
        svis=tuple(svis(device)),
        multihomed=multihomed(device),
        detects_duplicates=not multihomed(device),
        qos=qos_words(device),
        control=control,
        snippet=bool(control or policy.joined),
        adaptive=device.load_balancing.mode == "dlb-per-packet",
        wait_install=device.routing.bgp.wait_install
        and (is_at_least(version, WAITS_BESIDE_EVPN) or not any("evpn" in group.row.families for group in peer_groups)),
        bfd=bfd_profile(device),
        policy=policy,
        groups=peer_groups,
        sessions=tuple(sessions(device)),
        families=tuple(families(device, peer_groups)),
        routes=static_routes(device, ""),
        vrfs=tuple(VrfContext(link, speakers.get(link.name), static_routes(device, link.tenant)) for link in links),
        users=users(device),
        tacacs=tacacs(device),
        tacacs_by_priority=tacacs_by_priority(version),
        services=parent(version, RENAMED),
        login=device.management.login or Login("", 0, only_keys=False, strong=False),
        syslog=parent(version, SYSLOG_MOVED) if device.management.syslog else Parent(False, False),
        gnmi=gnmi(device),
        api_certificate=api_certificate(device),
        samplings=samplings(device),
        lldp="enabled" if device.management.lldp else "disabled",
        relays_ipv4=relays[0],
        relays_ipv6=relays[1],
    )
