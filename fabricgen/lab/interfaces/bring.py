"""Change the interfaces of a switch from their current to the desired state. It can be interrupted at any moment.

Units are noted as unsure before they are changed, and with their new state afterwards. A run that finds unsure notes
removes every form of such a unit, and creates the desired one. If the kernel refuses a line, the old state is restored.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.place import Space
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.host.spaces import apply_settings, make_vrf, remove_vrf
from fabricgen.lab.host.vty import VRFS, ask, vrfs_in
from fabricgen.lab.interfaces.switch_notes import read_notes, write_notes
from fabricgen.lab.interfaces.units import NFT, OWN, KernelObject, KernelState, Lines, Order, change

SEEN_SECONDS, LOOK_SECONDS, POLL_SECONDS = 30, 5, 0.05
"""Longest wait for FRR, timeout of a query, and pause between two queries: a host with many labs is slow."""
QUIET_SECONDS = 1
"""Time that zebra needs to pass its work on to its kernel thread after an interface was removed."""
NOTIFY_SECONDS, NOTIFICATIONS = 0.5, 10
"""Pause between two checks of addresses that zebra lacks, and how often the kernel must report them again."""
ADDRESS = re.compile(r"^address add (\S+) dev (\S+)$")


class SwitchPorts(NamedTuple):
    """A switch whose interfaces are changed.

    settings  of the kernel, which each new namespace gets
    folder    with its notes, see switch_notes.py
    outside   result of spaces.host_run outside of every switch; empty: this process is outside
    """

    shell: LabShell
    space: Space
    settings: Mapping[str, str]
    folder: Path
    outside: str = ""


class VrfAddress(NamedTuple):
    """An address that the kernel has reported."""

    vrf: str
    interface: str
    address: str


def bring(box: SwitchPorts, desired: tuple[KernelObject, ...], file: str) -> None:
    """Create the desired units, and remove all others.

    file  digest of the interfaces file that defines them

    Raises FabricError with the kernel's refusals; then the previous state is restored. Interfaces of a removed tenant
    return to this process's namespace, the switch's own; the process that builds a lab has none to return.
    """
    notes = read_notes(box.folder)
    planned = change(notes, desired)
    after = KernelState(desired, file=file)
    if not planned.touched and notes == after:
        return
    write_notes(box.folder, KernelState(tuple(dict.fromkeys((*notes.units, *desired))), planned.touched, notes.file))
    _unmake(box, planned.unmake)
    try:
        _make(box, planned.make)
    except FabricError as error:
        # Restore the units that were certain. If that fails too, raise both errors; the units are then noted as unsure.
        restore = change(read_notes(box.folder), notes.sure)
        _unmake(box, restore.unmake)
        try:
            _make(box, restore.make)
        except FabricError as second_error:
            raise FabricError([*error.problems, *map(_worse, second_error.problems)]) from None
        write_notes(box.folder, KernelState(notes.sure, file=notes.file))
        raise
    write_notes(box.folder, after)


def _worse(problem: Problem) -> Problem:
    return problem._replace(what=f"the previous interfaces could not be restored: {problem.what}")


def _make(box: SwitchPorts, units: tuple[KernelObject, ...]) -> None:
    for order, group in groupby(units, key=lambda unit: unit.order):
        same_order = tuple(group)
        if order is Order.VRF:
            for unit in same_order:
                vrf = unit.make.lines[0].split()[-1]
                make_vrf(box.shell, box.space, vrf, box.outside)
                doing = f"{unit.key} of {box.space.name}"
                apply_settings(box.shell, box.space.enter_vrf(vrf), box.settings, doing=doing)
            _let_find(box, frozenset(unit.make.lines[0].split()[-1] for unit in same_order))
        else:
            for vrf, tool, lines in _batches(unit.make for unit in same_order):
                argv = [*_enter(box.space, vrf), *(("nft", "-f") if tool == NFT else ("ip", "-batch")), "-"]
                box.shell.must(argv, lines, doing=f"interfaces of {box.space.name}")
    _notify_zebra(box, frozenset(unit.make.vrf for unit in units if any(map(ADDRESS.match, unit.make.lines))))


def _unmake(box: SwitchPorts, units: Iterable[KernelObject]) -> None:
    """Remove units: every line is tried, even if earlier ones failed."""
    for is_vrf, group in groupby(units, key=lambda unit: unit.order is Order.VRF):
        same_order = tuple(group)
        if is_vrf:
            names = frozenset(unit.unmake.lines[0].split()[-1] for unit in same_order)
            _let_go(box, names)
            for name in sorted(names):
                remove_vrf(box.shell, box.space, name, box.outside)
                _let_forget(box, name)
        else:
            for vrf, tool, lines in _batches(unit.unmake for unit in same_order):
                argv = ("nft", "-f", "-") if tool == NFT else ("ip", "-force", "-batch", "-")
                box.shell.run([*_enter(box.space, vrf), *argv], lines)


def _let_go(box: SwitchPorts, vrfs: frozenset[str]) -> None:
    """Before a VRF's namespace is removed, wait until zebra has seen its interfaces go, except for the loopback.

    zebra reads each namespace from its own socket. If the namespace goes first, zebra reports nothing about it to bgpd
    any more, and crashes on its remaining work there (8.4.4). With VRF devices it reads all events in order.
    """
    if _waited(box, lambda: not any(_has_interfaces(box, vrf) for vrf in vrfs)):
        time.sleep(QUIET_SECONDS)
        _waited(box, lambda: _is_idle(box))


def _let_forget(box: SwitchPorts, vrf: str) -> None:
    """Wait until zebra has dropped a VRF whose namespace was removed.

    Of namespace events that it reads together, zebra ignores all after a removed one (FRRouting/frr 01b4cb3e, zebra/
    zebra_netns_notify.c, zebra_ns_notify_read): it would miss a later removal, and never find a later namespace.
    """
    _waited(box, lambda: _lacks(box, vrf))


def _let_find(box: SwitchPorts, vrfs: frozenset[str]) -> None:
    """Wait until zebra has found new VRFs, so that it reads all of their interfaces in order, as on a real switch.

    If it reads them all at once, with the VRF's L3 VNI configured before, it finds no interface for that VNI (8.4.4).
    """
    _waited(box, lambda: vrfs <= (_vrfs(box) or frozenset()))


def _notify_zebra(box: SwitchPorts, vrfs: frozenset[str]) -> None:
    """Make the kernel report addresses again that zebra dropped; `ip address replace` changes nothing else.

    FRR before 10.0 drops an address that it hears of before it has read of its interface
    (github.com/FRRouting/frr issue 13288; with a busy host 8.4.4 dropped 31 of 60).
    """
    missing_before: set[VrfAddress] = set()
    for _ in range(NOTIFICATIONS):
        answers = [_unknown_to_zebra(box, vrf) for vrf in vrfs]
        missing = {row for answer in answers for row in answer or ()}
        for vrf, name, address in sorted(missing & missing_before):
            box.shell.run([*_enter(box.space, vrf), "ip", "address", "replace", address, "dev", name])
        if not missing and None not in answers:
            return
        missing_before = missing
        time.sleep(NOTIFY_SECONDS)


def _unknown_to_zebra(box: SwitchPorts, vrf: str) -> set[VrfAddress] | None:
    """Addresses of a VRF that zebra lacks; empty where zebra does not run, None where it does not answer."""
    output = _zebra(box, f"show interface vrf {vrf or 'default'}") if box.outside else ""
    if not output:
        return None if output is None else set()
    zebra_addresses = {
        VrfAddress(vrf, name, address)
        for name, text in re.findall(r"^Interface (\S+)(.*?)(?=^Interface |\Z)", output, re.MULTILINE | re.DOTALL)
        for address in re.findall(r"^  inet6? (\S+)", text, re.MULTILINE)
    }
    command = ["ip", "-o", "address", "show", "scope", "global", "permanent", "-tentative"]
    lines = box.shell.run([*_enter(box.space, vrf), *command]).stdout.splitlines()
    return {VrfAddress(vrf, name, address) for _, name, _, address, *_ in map(str.split, lines)} - zebra_addresses


def _is_idle(box: SwitchPorts) -> bool:
    """Whether zebra's kernel thread has done all of its work, or zebra does not report it.

    A namespace that is removed while that thread writes to it ends zebra: it finds the socket closed (8.4.4,
    netlink_recv_msg of zebra/kernel_netlink.c).
    """
    output = _zebra(box, "show zebra dplane providers")
    return output is not None and all(given == done for given, done in re.findall(r" in: (\d+),.* out: (\d+),", output))


def _waited(box: SwitchPorts, condition: Callable[[], bool]) -> bool:
    """Wait for zebra if it runs; return whether it does. It does not run yet while a lab is built."""
    if not box.outside or _zebra(box, "show version") == "":
        return False
    deadline = time.monotonic() + SEEN_SECONDS
    while not condition() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return True


def _has_interfaces(box: SwitchPorts, vrf: str) -> bool:
    """Whether zebra has interfaces of a VRF, or does not answer. Removed but configured ones remain as "down"."""
    output = _zebra(box, f"show interface vrf {vrf} brief")
    return output is None or bool(set(re.findall(r"^(\S+) +up ", output, re.MULTILINE)) - {"lo"})


def _lacks(box: SwitchPorts, vrf: str) -> bool:
    vrfs = _vrfs(box)
    return vrfs is not None and vrf not in vrfs


def _vrfs(box: SwitchPorts) -> frozenset[str] | None:
    """VRFs whose namespace zebra has found; None where it answers too late."""
    output = _zebra(box, VRFS)
    return None if output is None else vrfs_in(output)


def _zebra(box: SwitchPorts, command: str) -> str | None:
    """Output of zebra; "" where it does not run, None where it answers too late."""
    try:
        return ask(box.space.mount, "zebra", command, LOOK_SECONDS) or ""
    except TimeoutError:
        return None


def _batches(all_lines: Iterable[Lines]) -> Iterator[tuple[str, str, str]]:
    """Namespace, tool and text of lines that can run together."""
    non_empty = (lines for lines in all_lines if lines.lines)
    for (vrf, tool), group in groupby(non_empty, key=lambda lines: (lines.vrf, lines.tool)):
        yield vrf, tool, "".join(f"{line.replace(OWN, str(os.getpid()))}\n" for lines in group for line in lines.lines)


def _enter(space: Space, vrf: str) -> list[str]:
    return space.enter_vrf(vrf) if vrf else space.enter()
