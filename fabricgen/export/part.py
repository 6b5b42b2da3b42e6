"""Which switches, servers and cables of a plan an export holds, each with its own operating system."""

from itertools import chain

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Lag
from fabricgen.lab.model import End, Lab, Link
from fabricgen.lab.restrict import restrict, sessions
from fabricgen.lab.selection import Uplink, kept_places, kept_slots, kept_uplinks
from fabricgen.lab.servers import make_servers, server_links
from fabricgen.lab.subset import Subset
from fabricgen.plan.fabric import FabricPlan, name_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve


def make_part(plan: Plan, subset: Subset) -> Lab:
    """The part as a lab whose switches run what the intent says. `skipped` is empty: it depends on what runs them."""
    kept = {name: kept_places(fabric, subset) for name, fabric in plan.fabrics.items()}
    uplinks = {name: tuple(kept_uplinks(plan.fabrics[name], found, subset)) for name, found in kept.items()}
    sites = {name: make_site(plan, name) for name in kept}
    whole = {device.name: device for name in kept for device in (resolve(sites[name], place) for place in kept[name])}
    servers = make_servers(plan, kept, kept_slots(plan, subset), whole)
    links = (*server_links(servers), *(_link(plan.fabrics[name], up) for name in uplinks for up in uplinks[name]))
    cabled = frozenset(chain.from_iterable(links))
    alive = frozenset(s for name, found in uplinks.items() for s in sessions(plan.fabrics[name], found))
    return Lab(
        name=plan.intent.site,
        subset=subset,
        plan=plan,
        devices=tuple(_tidy(restrict(device, cabled, alive, keeps_raw=True), cabled) for device in whole.values()),
        servers=servers,
        links=links,
        skipped=(),
    )


def _link(fabric: FabricPlan, uplink: Uplink) -> Link:
    lower, link = uplink
    return Link(End(name_of(fabric, lower), link.name), End(link.far_name, link.far_port))


def _tidy(device: Device, cabled: frozenset[End]) -> Device:
    """The switch without aggregates that have no cable here."""
    lags = tuple(kept for lag in device.interfaces.lags if (kept := _members(device, lag, cabled)).members)
    return device._replace(interfaces=device.interfaces._replace(lags=lags))


def _members(device: Device, lag: Lag, cabled: frozenset[End]) -> Lag:
    return lag._replace(members=tuple(name for name in lag.members if End(device.name, name) in cabled))
