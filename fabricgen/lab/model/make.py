"""From a plan to the lab of it, or of a part of it. Pure: nothing is made on this host."""

from itertools import chain

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import Lab, LabEnd
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.refit import platform_of, refit
from fabricgen.lab.model.routing_text import as_frr, is_own
from fabricgen.lab.model.servers import server_links
from fabricgen.lab.model.skipped import skipped
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.plan import Plan


def make_lab(plan: Plan, subset: Subset, built: frozenset[LabEnd] = frozenset()) -> Lab:
    """The lab of a plan: every kept switch with the lab's operating system, servers, cables, and what is left out.

    built  ends of the cables of a lab that stands, for what it shows of the plan: it has what was declared dead since
    """
    part = PlanSubset(refit(plan), subset, built)
    switches, servers = tuple(part.switches()), tuple(part.servers())
    devices = tuple(as_frr(_with_lines_read(plan, device)) for device, _ in switches)
    return Lab(
        name=part.name,
        subset=subset,
        plan=part.plan,
        devices=devices,
        servers=servers,
        links=tuple(chain(*map(server_links, servers), *(links for _, links in switches))),
        skipped=tuple(skipped(plan, devices, servers)),
        systems={d.name: f"{d.system}-{d.version}" for d, _ in switches if is_own(f"{d.system}-{d.version}")},
    )


def _with_lines_read(plan: Plan, device: Device) -> Device:
    """The switch without the user's own lines, unless they were written for what it runs in the lab."""
    is_read = platform_of(plan.fabrics[device.fabric], device.name) == device.system
    return device if is_read else device._replace(raw=())
