"""The lossless class at both ends of a server's link: the port of the leaf by its text, the NIC as its files set it."""

from collections.abc import Iterator
from functools import cache

from fabricgen.audit.site_view import End, NicEnd, SiteView
from fabricgen.audit.switch import SwitchAudit
from fabricgen.audit.views import Lossless, PortView
from fabricgen.audit.violations import Violation
from fabricgen.base.text import listed
from fabricgen.device.device import Device
from fabricgen.intent.fabric import is_lossless
from fabricgen.plan.fabric import FabricPlan
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.policy.nics import priority_map

NAME = "nic-ends"
SERVER_ROLES = ("host", "server")
"""Roles of ports towards servers: routed ones, and switched ones of a frontend."""


def nics_of(fabric: FabricPlan, device: Device, audit: SwitchAudit) -> dict[End, NicEnd]:
    """What `export hosts` sets on the NICs of a lossless leaf, by the port of the leaf. Nothing without its text."""
    overridden = fabric.exceptions.settings.get(device.name)
    settings = overridden.fabric if overridden is not None else fabric.fabric
    hosts = [
        port.name
        for port in device.interfaces.ethernet
        if port.profile.role in SERVER_ROLES and port.enabled and port.profile.qos
    ]
    if not hosts or device.qos is None or not is_lossless(settings):
        return {}
    planned = audit.whole().planned
    if planned is None:
        return {}
    marking = MARKING_BY_NAME[device.qos.marking]
    priorities, ports = priority_map(marking), planned.ports
    # A switched port has no MTU of packets.
    routed = {port.name for port in device.interfaces.ethernet if port.profile.routed}
    return {
        End(device.name, name): NicEnd(
            marking.priority,
            priorities,
            settings.roce.host_mtu if name in routed else 0,
            watched=ports[name].watchdog,
        )
        for name in hosts
    }


def nic_ends(site: SiteView) -> Iterator[Violation]:
    """Port and NIC have one lossless priority, the same code points in it, an MTU that fits, and a watchdog."""
    for end, nic in site.nics.items():
        switch = site.switches.get(end.switch)
        if switch is None:
            continue
        port = switch.ports.get(end.port)
        if port is None:
            what = f"{end.port} is not configured, and a NIC is connected there"
            yield Violation(NAME, switch.name, switch.at, what, "the server does not reach the fabric by it")
            continue
        for what, why in _faults(port, nic):
            yield Violation(NAME, switch.name, port.at, f"{port.name}: {what}", why)


def _faults(port: PortView, nic: NicEnd) -> Iterator[tuple[str, str]]:
    priorities = port.lossless[0]
    if priorities != (nic.priority,):
        what = f"PFC is on for {listed(map(str, priorities), 'no priority')}, and on the NIC for {nic.priority}"
        yield what, "pauses of one end are not heard at the other"
    here, there = lossless_code_points(port.lossless), nic.code_points
    for words, dscps in (("lossless here and lossy", here - there), ("lossy here and lossless", there - here)):
        if priorities and dscps:
            yield (
                f"DSCP {listed(map(str, sorted(dscps)))}: {words} on the NIC",
                "packets of RoCE are dropped, or others paused",
            )
    if nic.mtu and not port.mtu:
        yield "no routed port, so it has no MTU of packets", "the server does not reach the fabric by it"
    elif port.mtu < nic.mtu:
        yield f"MTU {port.mtu}, and the NIC sends packets of {nic.mtu} octets", "the leaf drops full packets"
    if nic.watched and not port.watchdog:
        yield "no PFC watchdog", "a NIC that takes nothing any more stops all that send to it"


@cache
def lossless_code_points(lossless: Lossless) -> frozenset[int]:
    """Code points whose class is one of the PFC priorities: classes have the numbers of priorities (IEEE 802.1Q)."""
    priorities, classes, _ = lossless
    return frozenset(dscp for dscp, number in enumerate(classes) if number in priorities)
