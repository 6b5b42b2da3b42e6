"""A large fabric by some of its switches: two of each kind, as policies tell switches apart by role and marks alone.

A route passes or not by the policies of the switches on its way, and those of two switches of one kind are equal but
for their own prefixes. So what holds for two of each kind at each place of the hierarchy holds for all: two, because a
circle of buffers needs at most two switches of a tier. A switch with other policies than its like is a kind of its own,
and so is one that announces other numbers of prefixes. Where prefixes of switches overlap, two of each kind are looked
at, too, and every switch that hands packets of a tenant on to another leaf. Policies of EVPN do not tell tenants apart,
but for those whose route targets they match: of each of these there are leaves, too, and so are there switches whose
prefixes a policy names. Who imports what is judged on all.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.audit.buffers import is_lossless
from fabricgen.audit.onward import DISCARD, static_ways
from fabricgen.audit.outlines import OF_EACH, Joined, chosen, outline
from fabricgen.audit.reach import exported, imported, matched_marks
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.tunnels import relays
from fabricgen.audit.views import SwitchView

WHOLE = 150
"""Switches of a fabric up to which all are looked at: the work grows with the square of their number."""
WHOLE_AS_PLANNED = 24
"""The same where every text says what the plan asks for, and no limit of routes can be met: nothing is lost then."""


MOST_ODD = 16
"""Switches with a text that is not as planned, of a fabric, that are looked at whatever their kind."""


class Sample(NamedTuple):
    """The part of a site that is looked at, and how many switches its fabrics have in all."""

    site: SiteView
    examined: int
    switches: int


def sample(site: SiteView, whole: int = WHOLE, odd: Iterable[str] = ()) -> Sample:
    """The whole site; of its fabrics with more than `whole` switches two of each kind, and some of the `odd` ones."""
    if all(len(switches) <= whole for switches in site.fabrics.values()):
        return Sample(site, len(site.switches), len(site.switches))
    kept: set[str] = set()
    for switches in site.fabrics.values():
        kept |= (
            _chosen(site, switches, frozenset(odd)) if len(switches) > whole else {switch.name for switch in switches}
        )
    part = SiteView(
        [switch for name, switch in site.switches.items() if name in kept],
        site.cables,
        site.outside,
        site.leaks,
        site.nics,
        site.absent,
    )
    return Sample(part, len(kept), len(site.switches))


def _chosen(site: SiteView, switches: list[SwitchView], odd: frozenset[str]) -> set[str]:
    """The representatives of a fabric, with those that tenants and static routes ask for, and the first odd ones."""
    outlines = {switch.name: outline(switch, _joined(site, switch)) for switch in switches}
    also = [*_of_named_tenants(site, switches), *[row.name for row in switches if row.name in odd][:MOST_ODD]]
    fabric = switches[0].fabric
    # In others every leaf has the subnets of tenants, and no buffers wait for each other.
    for relay in relays(site, fabric, bridged=False) if is_lossless(site, fabric) else ():
        also += [relay.switch, relay.far]
    return chosen(outlines, also, lambda name: _static_targets(site, name))


def _joined(site: SiteView, switch: SwitchView) -> Iterator[Joined]:
    for session in site.sessions_of(switch.name):
        far = site.switches[session.far]
        yield Joined(session.near, far.name, far.role, far.asn == switch.asn, site.is_up(session))


def _static_targets(site: SiteView, name: str) -> Iterator[str]:
    """Switches that static routes of a switch lead to."""
    for (vrf, _), (next_hop, _) in site.switches[name].statics.items():
        if not vrf and next_hop != DISCARD:
            yield from sorted(static_ways(site, name, next_hop))


def _of_named_tenants(site: SiteView, switches: list[SwitchView]) -> Iterator[str]:
    """Where an EVPN policy matches a route target: two switches that export it, two that import it, and neighbors."""
    for switch in switches:
        near = [site.switches[session.far] for session in site.sessions_of(switch.name)]
        for target in sorted(matched_marks([switch]).targets):
            for those in (switches, near):
                yield from [row.name for row in those if target in exported(row)][:OF_EACH]
                yield from [row.name for row in those if target in imported(row)][:OF_EACH]
