"""Interfaces of a switch, as its kernel has them. A VRF is a kernel device or, without those, a network namespace.

Source: `ip -j -d addr show` of iproute2 6.1.0: VRF devices and VLANs on Linux 6.1, namespaces on 6.18; 2026-11-21.
"""

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_interface
from typing import NamedTuple

from fabricgen.platforms.linux.live.bridging import VLAN_NAME, bridging
from fabricgen.platforms.linux.live.decode import (
    CommandOutputs,
    Misread,
    Row,
    canonical,
    inner,
    number,
    rows,
    word,
    words,
)
from fabricgen.state.state import ETHERNET, LAG, LOOPBACK, OTHER, SUBINTERFACE, SVI, Interface

ADDRESSES = "ip -j -d addr show"
ABSENT = "network namespace"
"""Words of iproute2's error for an unknown namespace: the VRF is a device, or does not exist."""
KINDS = {"": ETHERNET, "veth": ETHERNET, "bond": LAG, "dummy": LOOPBACK}
"""Kind of a device by the kernel's name of it; a hardware port has none."""


class NetDevice(NamedTuple):
    """One device and its namespace (the switch's name of the VRF; empty for the switch's own namespace)."""

    space: str
    row: Row


class NetDevices(NamedTuple):
    """All devices of a switch. devices: name of a VRF device → its routing table."""

    found: tuple[NetDevice, ...]
    devices: Mapping[str, int]


def within(command: str, vrf: str) -> str:
    """A command of iproute2 in the namespace of a VRF."""
    program, _, rest = command.partition(" ")
    return f"{program} -n {vrf} {rest}" if vrf else command


def spaces(answers: CommandOutputs, command: str, devices: Mapping[str, int]) -> Iterator[tuple[str, list[Row]]]:
    """Rows of a command by namespace: the switch's own first, then those of its VRFs that are namespaces."""
    yield "", answers.rows(command)
    program, _, rest = command.partition(" ")
    pattern = re.compile(rf"{program} -n (\S+) {re.escape(rest)}")
    for asked, output in answers.outputs.items():
        match = pattern.fullmatch(asked)
        if match is None or match[1] in devices or (output.value is None and ABSENT in output.error):
            continue
        yield match[1], answers.rows(asked)


def links(answers: CommandOutputs) -> NetDevices:
    """Every device of the switch and of its VRFs' namespaces."""
    own_rows = answers.rows(ADDRESSES)
    if not own_rows:
        raise Misread(f"`{ADDRESSES}` shows no interface at all")
    vrfs = (row for row in own_rows if kind_word(row) == "vrf")
    devices = {word(row, "ifname"): number(inner(inner(row, "linkinfo"), "info_data"), "table") for row in vrfs}
    net_devices = [
        NetDevice(space, row) for space, kernel_rows in spaces(answers, ADDRESSES, devices) for row in kernel_rows
    ]
    return NetDevices(tuple(net_devices), devices)


def interfaces(answers: CommandOutputs) -> tuple[Interface, ...]:
    """Interfaces by VRF and name.

    Of namespaces two kinds are left out: a loopback without an address, which is no part of a VRF, and a bridged device
    with the name of a port of the switch's own namespace, which is the port's other half.
    """
    devices = links(answers)
    bridges = {word(link.row, "ifname") for link in devices.found if kind_word(link.row) == "bridge"}
    own_rows = [link.row for link in devices.found if not link.space]
    vlans = bridging(answers, own_rows, [link.row for link in devices.found if link.space])
    kept: dict[tuple[str, str], Interface] = {}
    for link in devices.found:
        row = _interface(answers, link, devices.devices, bridges)
        if not link.space and row.kind in (ETHERNET, LAG):
            row = row._replace(vlans=vlans.of(link.row))
        if not (link.space and row.kind == LOOPBACK and not row.addresses):
            kept.setdefault((row.vrf, row.name), row)
    return tuple(row for _, row in sorted(kept.items()))


def _interface(answers: CommandOutputs, link: NetDevice, devices: Mapping[str, int], bridges: set[str]) -> Interface:
    row = link.row
    name, master, flags = word(row, "ifname"), word(row, "master", ""), words(row, "flags")
    kind, vlan_id = _kind(row, name, bridges)
    bridged = master in bridges
    space = "" if bridged else master if master in devices else link.space
    # Addresses in use: not link-local or host-local ones, nor duplicates of another host (dadfailed).
    addresses = set()
    for entry in rows(row.get("addr_info", []), "addr_info"):
        length = number(entry, "prefixlen")
        address = ip_interface(f"{canonical(word(entry, 'local'))}/{length}")
        if not (address.is_link_local or address.is_loopback or entry.get("dadfailed")):
            addresses.add(str(address))
    return Interface(
        name=name,
        kind=kind,
        admin_up="UP" in flags,
        oper_up="UP" in flags and "LOWER_UP" in flags and word(row, "operstate") in ("UP", "UNKNOWN"),
        mtu=number(row, "mtu"),
        addresses=tuple(sorted(addresses)),
        vrf=answers.vrf(space),
        vlan_id=vlan_id,
        mac=word(row, "address", "") if kind == SVI else "",
    )


def _kind(row: Row, name: str, bridges: set[str]) -> tuple[str, int]:
    """Kind and VLAN of a device. A bridge with a VLAN's name is that VLAN's SVI where no bridge is VLAN-aware."""
    match, kernel_kind = VLAN_NAME.fullmatch(name), kind_word(row)
    if kernel_kind == "bridge" and match:
        return SVI, int(match[1])
    if kernel_kind == "vlan":
        vlan_id = number(inner(inner(row, "linkinfo"), "info_data"), "id")
        return (SVI if match or word(row, "link", "") in bridges else SUBINTERFACE), vlan_id
    if not kernel_kind and word(row, "link_type", "") == "loopback":
        return LOOPBACK, 0
    return KINDS.get(kernel_kind, OTHER), 0


def kind_word(row: Row) -> str:
    """The kernel's name of a device's kind; empty for a hardware port."""
    return word(inner(row, "linkinfo"), "info_kind", "")
