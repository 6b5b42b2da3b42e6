"""Make a Lab from a plan, or from a part of it. Pure: nothing is made on this host."""

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
    """The lab of a plan: every kept switch with the lab's operating system, servers, cables, and what is not exercised.

    built  ends of the cables of a running lab, to show its part of the plan: it has what was declared dead since
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
        systems={
            switch.name: f"{switch.system}-{switch.version}"
            for switch, _ in switches
            if is_own(f"{switch.system}-{switch.version}")
        },
    )


def _with_lines_read(plan: Plan, device: Device) -> Device:
    """The switch without the user's raw lines, unless they were written for its operating system in the lab."""
    is_read = platform_of(plan.fabrics[device.fabric], device.name) == device.system
    return device if is_read else device._replace(raw=())
