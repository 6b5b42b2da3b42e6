"""The properties that texts must have together, whatever the plan says."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from fabricgen.audit.buffers import NAME as NO_CYCLE
from fabricgen.audit.buffers import is_lossless, no_buffer_cycle
from fabricgen.audit.ends import link_ends, network_owners, session_ends, unique_addresses, unique_router_ids
from fabricgen.audit.nics import NAME as NIC_ENDS
from fabricgen.audit.nics import nic_ends
from fabricgen.audit.overlay import overlays
from fabricgen.audit.planned_reach import NAME, changed_reach
from fabricgen.audit.reach import limits_hold, reach
from fabricgen.audit.representatives import WHOLE, WHOLE_AS_PLANNED, sample
from fabricgen.audit.server_sessions import PASSED, TAKEN, has_servers, server_addresses, server_routes
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.tenants import tenant_routes
from fabricgen.audit.views import At
from fabricgen.audit.violations import Violation, ViolationGroup
from fabricgen.base.text import listed

Property = Callable[[SiteView], Iterator[Violation]]

PROPERTIES: Mapping[str, tuple[str, Property]] = {
    "session-ends": ("each BGP session has its other end, and both agree", session_ends),
    "link-ends": ("both ends of each link agree on subnet, MTU and the lossless class", link_ends),
    NIC_ENDS: ("both ends of each server's link agree on the lossless class and the MTU", nic_ends),
    "unique-addresses": ("no two ports have one address", unique_addresses),
    "unique-router-ids": ("no two switches of a fabric have one router id", unique_router_ids),
    "network-owners": ("each announced prefix has one owner, and no default route leaves a fabric", network_owners),
    "overlays": ("VNIs, RDs, gateways and Ethernet segments fit together on all leaves", overlays),
    "tenant-routes": (
        "VLANs and VRFs take all routes of their own and of allowed imports, and no others",
        tenant_routes,
    ),
    TAKEN: ("each server is believed for the address of its own NIC alone", server_addresses),
    PASSED: ("every leaf learns the address of a NIC, and passes it to the servers of that rail", server_routes),
    NO_CYCLE: ("no buffers of the lossless class can wait for each other in a circle", no_buffer_cycle),
    "reach": ("policies let every leaf reach every other, without valleys, around what is drained", reach),
}
"""Name → what holds, and the function that says where it does not."""
BY_SAMPLE = frozenset({NO_CYCLE, PASSED, "reach"})
"""Those that are worked out on two switches of each kind, where a fabric is large."""
NAMES = (*PROPERTIES, NAME)
"""All of them, with the one that needs the plan."""


def tried(*sites: SiteView, has_nics: bool = False) -> tuple[str, ...]:
    """Properties that say something about sites: some do not without an overlay or a lossless class.

    has_nics  NICs were looked at that are in none of the sites
    """
    names = dict.fromkeys(NAMES)
    if not any(switch.vtep for site in sites for switch in site.switches.values()):
        del names["overlays"], names["tenant-routes"]
    if not any(map(has_servers, sites)):
        del names[TAKEN], names[PASSED]
    if not has_nics and not any(site.nics for site in sites):
        del names[NIC_ENDS]
    if not any(is_lossless(site, fabric) for site in sites for fabric in site.fabrics):
        del names[NO_CYCLE]
    fabrics = {fabric for site in sites for fabric in (*site.fabrics, *site.absent)}
    if fabrics and fabrics <= frozenset(chain.from_iterable(map(_alone, sites))):
        names = {name: None for name in names if name not in JOINED}
    return tuple(names)


def not_judged(read: SiteView, planned: SiteView | None, names: Iterable[str]) -> dict[str, str]:
    """Properties that do not say about a site what they say of the plan, with the reason.

    names  of those that were tried; one that was tried in some fabrics may be among those of this answer
    """
    found = {}
    alone = sorted(_alone(read))
    if alone:
        where = f"in {listed(alone)} no session joins two switches that have a configuration"
        has_class = any(is_lossless(read, name) for name in alone if name in read.fabrics)
        found = {name: where for name in NAMES if name in JOINED and (name != NO_CYCLE or has_class)}
    if planned is not None:
        why = "the plan has what they are about, and no configuration has it"
        found |= {name: why for name in tried(planned) if name not in names and name not in found}
        lost = [name for name in read.fabrics if is_lossless(planned, name) and not is_lossless(read, name)]
        if lost:
            found[NO_CYCLE] = f"no port of {listed(lost)} has a lossless class, and one is planned"
    return found


JOINED = frozenset({"session-ends", "link-ends", NO_CYCLE, "reach", NAME})
"""Those that are about switches that are joined: of switches without a neighbor they say nothing."""


def _alone(site: SiteView) -> frozenset[str]:
    """Fabrics of which switches have no configuration, and no two others have a session."""
    joined = {site.switches[session.switch].fabric for session in site.sessions} if any(site.absent.values()) else ()
    return frozenset(fabric for fabric, absent in site.absent.items() if absent and fabric not in joined)


def violations(
    site: SiteView, planned: SiteView | None = None, representatives: SiteView | None = None
) -> Iterator[ViolationGroup]:
    """Every violation of every property; those of one line with one consequence are one group.

    planned          the same switches by their Devices; None where no text differs from them
    representatives  switches of large fabrics that are not in `site`: what their account does not say is judged here
    """
    part = sample(site, WHOLE_AS_PLANNED if planned is None and _limits_hold(site) else WHOLE, _odd(site, planned)).site
    rows = chain.from_iterable(prove(part if name in BY_SAMPLE else site) for name, (_, prove) in PROPERTIES.items())
    if representatives is not None:
        rows = chain(rows, *(PROPERTIES[name][1](representatives) for name in sorted(BY_SAMPLE)))
    groups: dict[tuple[str, str, At, str], list[str]] = {}
    for row in chain(rows, changed_reach(_as(planned, part), part) if planned is not None else ()):
        groups.setdefault((row.property, row.switch, row.at, row.why), []).append(row.what)
    for (name, switch, at, why), what in groups.items():
        yield ViolationGroup(name, switch, at, tuple(dict.fromkeys(what)), why)


def _odd(site: SiteView, planned: SiteView | None) -> Iterator[str]:
    """Switches whose texts are not as planned: both sides have one view of any other."""
    if planned is not None:
        yield from (name for name, view in site.switches.items() if planned.switches.get(name) is not view)


def _limits_hold(site: SiteView) -> bool:
    """Whether no limit of routes can be met in the fabrics that are a sample only where every text is as planned."""
    sizes = {fabric: len(switches) for fabric, switches in site.fabrics.items()}
    return all(limits_hold(site, fabric) for fabric, size in sizes.items() if WHOLE_AS_PLANNED < size <= WHOLE)


def _as(planned: SiteView, part: SiteView) -> SiteView:
    """The planned side of the switches that a part has."""
    switches = [switch for name, switch in planned.switches.items() if name in part.switches]
    return SiteView(switches, planned.cables, planned.outside, planned.leaks, planned.nics, planned.absent)
