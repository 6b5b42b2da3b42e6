"""Make a running lab follow a changed intent: prepare it before its switches change, and finish it afterwards.

Switches change as real ones do, by their own files (ifreload.py). This module does the rest: which interfaces files a
switch knows, VRFs that import from each other, the cable that replaces a tagged VLAN where the kernel cannot tag, and
the addresses of servers, which real ones have from DHCP or from their own files.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.lab.build.converge import announce
from fabricgen.lab.host.inventory import Files, RunningLab, read_running_lab, write_facts, write_files
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.record import claimed, read_record
from fabricgen.lab.host.shell import LabShell, each
from fabricgen.lab.host.spaces import tagged_cable
from fabricgen.lab.interfaces import switch_notes
from fabricgen.lab.interfaces.hosts import build_host, clear_host
from fabricgen.lab.interfaces.ifreload import IMPORTS
from fabricgen.lab.interfaces.plain import layout, pairs
from fabricgen.lab.interfaces.units import VrfLeak, change, whole
from fabricgen.lab.model.lab import FULL, PLAIN, Lab, LabNic, LabServer


class Tag(NamedTuple):
    """A server's NIC for one tagged VLAN."""

    server: str
    nic: LabNic


def prepare(place: LabPlace, lab: Lab, rendered: Mapping[str, Files]) -> None:
    """Prepare a running lab for switches that change to another intent; nothing that exists is changed.

    rendered  switch → its files by name, of which `interfaces` is needed

    May be called again, and for several forms of one switch. Raises FabricError where the lab lacks switches or cables.
    """
    with claimed(place):
        running = read_running_lab(place.folder)
        _require(place, lab, running)
        shell = LabShell(place.id)
        if kind_of(place, lab) == PLAIN:
            old_tags = set(_tags(running.servers))
            for tag in _tags({server.name: server.nics for server in lab.servers}):
                if tag not in old_tags:
                    space = place.space(tag.server)
                    if shell.run(space.enter("ip", "link", "show", "dev", tag.nic.name)).returncode:
                        line = f"{tagged_cable(place, tag.nic, tag.server)}\n"
                        shell.must(["ip", "-batch", "-"], line, doing=f"VLAN {tag.nic.vlan_id} of {tag.server}")
            each(lambda device: _prepare(shell, place, device, rendered[device.name]), lab.devices, _nothing)


def rehost(place: LabPlace, lab: Lab, rendered: Mapping[str, Files]) -> tuple[str, ...]:
    """Update a lab after its switches have changed to another intent; return the servers whose addresses changed.

    Each of them gets the addresses that DHCP or its own files would give it, and pings its gateways once. What
    `prepare` kept of the previous intent is removed, and `status` expects the state of the new one.
    """
    with claimed(place):
        running = read_running_lab(place.folder)
        _require(place, lab, running)
        shell, kind = LabShell(place.id), kind_of(place, lab)
        changed = [server for server in lab.servers if running.servers[server.name] != server.nics]
        each(lambda server: _readdress(shell, place, lab, server, kind), changed, _nothing)
        if kind == PLAIN:
            each(lambda server: _drop_tags(shell, place, server), lab.servers, _nothing)
            each(lambda device: _set_pairs(shell, place, device.name, frozenset(pairs(device))), lab.devices, _nothing)
        for name, files in rendered.items():
            write_files(place, name, files)
        record = read_record(place)
        write_facts(place, lab, Path(record.intent if record is not None else ""), rendered)
        announce(changed, place, shell)
        return tuple(server.name for server in changed)


def kind_of(place: LabPlace, lab: Lab) -> str:
    """Kind of the kernel that a running lab was built on: PLAIN keeps notes of its interfaces."""
    folders = (place.files(device.name) / switch_notes.FOLDER for device in lab.devices)
    return PLAIN if any((folder / switch_notes.NOTES).exists() for folder in folders) else FULL


def _nothing() -> None:
    pass


def _tags(servers: Mapping[str, Iterable[LabNic]]) -> Iterator[Tag]:
    return (Tag(name, nic) for name, nics in servers.items() for nic in nics if nic.parent)


def _require(place: LabPlace, lab: Lab, running: RunningLab) -> None:
    """Raise FabricError where the lab was built without switches, servers or cables that are needed now."""
    missing = [f"{link.near.owner} {link.near.interface}" for link in lab.links if link not in running.links]
    missing += [server.name for server in lab.servers if server.name not in running.servers]
    missing += [device.name for device in lab.devices if not place.files(device.name).is_dir()]
    if missing:
        raise FabricError.of(
            code="lab-outgrown",
            what=f"the lab in {place.folder} lacks parts of the intent",
            why=f"it was built without {', '.join(missing[:3])}" + (", …" if missing[3:] else ""),
            fix="run fabricgen lab down and fabricgen lab up: a lab has the switches, servers and cables of the "
            "intent that it was built from",
        )


def _prepare(shell: LabShell, place: LabPlace, device: Device, files: Files) -> None:
    """Register an interfaces file of a switch, and let it import what the previous and the new intent import."""
    folder = place.files(device.name) / switch_notes.FOLDER
    switch_notes.write_layout(folder, files["interfaces"], layout(device))
    _set_pairs(shell, place, device.name, switch_notes.read_pairs(folder).union(pairs(device)))


def _set_pairs(shell: LabShell, place: LabPlace, name: str, leaks: frozenset[VrfLeak]) -> None:
    """Connect VRFs to the VLANs of the VRFs that they import from. A change that was killed is repeated."""
    folder = place.files(name) / switch_notes.FOLDER
    switch_notes.write_pairs(folder, leaks)
    notes = switch_notes.read_notes(folder)
    layout_units = switch_notes.read_layout(folder, notes.file)
    if layout_units is not None and change(notes, whole(layout_units, leaks)).touched:
        shell.must(place.space(name).enter("/usr/local/sbin/ifreload", IMPORTS), doing=f"imports of {name}")


def _drop_tags(shell: LabShell, place: LabPlace, server: LabServer) -> None:
    """Remove cables for tagged VLANs that a server no longer has, also those of an abandoned intent."""
    space, wanted_ports = place.space(server.name), {nic.name for nic in server.nics}
    vlan_ports = re.findall(r"^(vlan\d\S*?)@", shell.must(space.enter("ip", "-br", "link"), doing="ip"), re.MULTILINE)
    lines = "".join(f"link del dev {name}\n" for name in vlan_ports if name not in wanted_ports)
    if lines:
        shell.must(space.enter("ip", "-batch", "-"), lines, doing=f"VLANs of {server.name}")


def _readdress(shell: LabShell, place: LabPlace, lab: Lab, server: LabServer, kind: str) -> None:
    space = place.space(server.name)
    clear_host(shell, read_running_lab(place.folder).servers[server.name], space, kind)
    build_host(shell, lab, server, space, kind)
