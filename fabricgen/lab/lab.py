"""From a plan to the lab of it, or of a part of it. Pure: nothing is made on this host."""

from itertools import chain

from fabricgen.device.device import Device
from fabricgen.lab.model import End, Lab, Link
from fabricgen.lab.refit import platform_of, refit
from fabricgen.lab.restrict import restrict, sessions
from fabricgen.lab.selection import Uplink, kept_places, kept_slots, kept_uplinks
from fabricgen.lab.servers import make_servers, server_links
from fabricgen.lab.skipped import skipped
from fabricgen.lab.subset import Subset
from fabricgen.lab.systems import as_frr, is_own
from fabricgen.plan.fabric import FabricPlan, name_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve


def make_lab(plan: Plan, subset: Subset, built: frozenset[End] = frozenset()) -> Lab:
    """The lab of a plan: every kept switch with the lab's operating system, servers, cables, and what is left out.

    built  ends of the cables of a lab that stands, for what it shows of the plan: it has what was declared dead since
    """
    fitted = refit(plan)
    kept = {name: kept_places(fabric, subset, built) for name, fabric in fitted.fabrics.items()}
    uplinks = {name: tuple(kept_uplinks(fitted.fabrics[name], found, subset, built)) for name, found in kept.items()}
    sites = {name: make_site(fitted, name) for name in kept}
    whole = {device.name: device for name in kept for device in (resolve(sites[name], place) for place in kept[name])}
    servers = make_servers(fitted, kept, kept_slots(fitted, subset), whole, built)
    links = (*server_links(servers), *(_link(fitted.fabrics[name], up) for name in uplinks for up in uplinks[name]))
    cabled = frozenset(chain.from_iterable(links))
    alive = frozenset(s for name, found in uplinks.items() for s in sessions(fitted.fabrics[name], found))
    devices = tuple(
        as_frr(restrict(device, cabled, alive, keeps_raw=_is_read(plan, device))) for device in whole.values()
    )
    return Lab(
        name=fitted.intent.site,
        subset=subset,
        plan=fitted,
        devices=devices,
        servers=servers,
        links=links,
        skipped=tuple(skipped(plan, devices, servers)),
        systems={d.name: f"{d.system}-{d.version}" for d in whole.values() if is_own(f"{d.system}-{d.version}")},
    )


def _is_read(plan: Plan, device: Device) -> bool:
    """Whether the user's own lines for a switch were written for what it runs in the lab."""
    return platform_of(plan.fabrics[device.fabric], device.name) == device.system


def _link(fabric: FabricPlan, uplink: Uplink) -> Link:
    lower, link = uplink
    return Link(End(name_of(fabric, lower), link.name), End(link.far_name, link.far_port))
