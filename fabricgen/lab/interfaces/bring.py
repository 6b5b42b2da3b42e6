"""Bring the interfaces of a switch from what stands to what is wanted, noted so that it can be ended at any moment.

What is touched is noted as unsure before, and as it is after. Whoever finds unsure notes unmakes each form of such a
unit, whether it is there or not, and makes what is wanted. Where the kernel refuses a line, what stood is put back.
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
from fabricgen.lab.interfaces.standing import read_notes, write_notes
from fabricgen.lab.interfaces.units import NFT, OWN, KernelObject, KernelState, Lines, Order, change

SEEN_SECONDS, LOOK_SECONDS, POLL_SECONDS = 30, 5, 0.05
"""Longest that FRR is waited for, that a look may take, and between two looks: a host with many labs is slow."""
QUIET_SECONDS = 1
"""What zebra takes to hand on to its own thread for the kernel what it has to do after an interface went."""
RETELL_SECONDS, RETOLD = 0.5, 10
"""Between two looks at what zebra has not heard of, and how often the kernel is made to tell it again."""
ADDRESS = re.compile(r"^address add (\S+) dev (\S+)$")


class SwitchPorts(NamedTuple):
    """A switch whose interfaces are changed.

    settings  of the kernel, which each new namespace gets
    folder    with its notes, see standing.py
    outside   what spaces.host_run says outside of every switch; empty: this process is outside
    """

    shell: LabShell
    space: Space
    settings: Mapping[str, str]
    folder: Path
    outside: str = ""


class Told(NamedTuple):
    """An address that the kernel told of."""

    vrf: str
    interface: str
    address: str


def bring(box: SwitchPorts, wanted: tuple[KernelObject, ...], file: str) -> None:
    """Make what is wanted stand, and nothing else.

    file  digest of the interfaces file that asks for it

    Raises FabricError with what the kernel refused; then all is as before.
    Interfaces of a tenant are handed back to this process's namespace: the switch's own, unless nothing stands yet.
    """
    notes = read_notes(box.folder)
    todo = change(notes, wanted)
    after = KernelState(wanted, file=file)
    if not todo.touched and notes == after:
        return
    write_notes(box.folder, KernelState(tuple(dict.fromkeys((*notes.units, *wanted))), todo.touched, notes.file))
    _unmake(box, todo.unmake)
    try:
        _make(box, todo.make)
    except FabricError as error:
        # Return to what stood for certain. Raises both where that fails too; it is noted as unsure then.
        back = change(read_notes(box.folder), notes.sure)
        _unmake(box, back.unmake)
        try:
            _make(box, back.make)
        except FabricError as again:
            raise FabricError([*error.problems, *map(_worse, again.problems)]) from None
        write_notes(box.folder, KernelState(notes.sure, file=notes.file))
        raise
    write_notes(box.folder, after)


def _worse(problem: Problem) -> Problem:
    return problem._replace(what=f"what stood before could not be put back: {problem.what}")


def _make(box: SwitchPorts, units: tuple[KernelObject, ...]) -> None:
    for order, group in groupby(units, key=lambda unit: unit.order):
        found = tuple(group)
        if order is Order.VRF:
            for unit in found:
                _make_vrf(box, unit.key, unit.make.lines[0].split()[-1])
            _let_find(box, frozenset(unit.make.lines[0].split()[-1] for unit in found))
        else:
            for vrf, tool, lines in _batches(unit.make for unit in found):
                words = [*_enter(box.space, vrf), *(("nft", "-f") if tool == NFT else ("ip", "-batch")), "-"]
                box.shell.must(words, lines, doing=f"interfaces of {box.space.name}")
    _retell(box, frozenset(unit.make.vrf for unit in units if any(map(ADDRESS.match, unit.make.lines))))


def _make_vrf(box: SwitchPorts, key: str, vrf: str) -> None:
    """A VRF's namespace, with the switch's settings."""
    make_vrf(box.shell, box.space, vrf, box.outside)
    apply_settings(box.shell, box.space.enter_vrf(vrf), box.settings, doing=f"{key} of {box.space.name}")


def _unmake(box: SwitchPorts, units: Iterable[KernelObject]) -> None:
    """Take away what is there of units: every line is tried, whatever became of those before it."""
    for is_vrf, group in groupby(units, key=lambda unit: unit.order is Order.VRF):
        found = tuple(group)
        if is_vrf:
            names = frozenset(unit.unmake.lines[0].split()[-1] for unit in found)
            _let_go(box, names)
            for name in sorted(names):
                remove_vrf(box.shell, box.space, name, box.outside)
                _let_forget(box, name)
        else:
            for vrf, tool, lines in _batches(unit.unmake for unit in found):
                words = ("nft", "-f", "-") if tool == NFT else ("ip", "-force", "-batch", "-")
                box.shell.run([*_enter(box.space, vrf), *words], lines)


def _let_go(box: SwitchPorts, vrfs: frozenset[str]) -> None:
    """Wait until zebra has seen that a VRF's interfaces are gone, but for the loopback, before the namespace goes.

    It hears of each namespace by a socket of its own. Of one that goes first it tells bgpd nothing any more, and it
    crashes over what it still had to do there (8.4.4). With VRF devices it hears all in order.
    """
    if _waited(box, lambda: not any(_has_interfaces(box, vrf) for vrf in vrfs)):
        time.sleep(QUIET_SECONDS)
        _waited(box, lambda: _is_idle(box))


def _let_forget(box: SwitchPorts, vrf: str) -> None:
    """Wait until zebra has no more of a VRF whose namespace went.

    Of what it hears at once of namespaces it reads nothing behind one that went (FRRouting/frr 01b4cb3e, zebra/
    zebra_netns_notify.c, zebra_ns_notify_read): what goes next would stay for good, what comes next never be found.
    """
    _waited(box, lambda: _lacks(box, vrf))


def _let_find(box: SwitchPorts, vrfs: frozenset[str]) -> None:
    """Wait until zebra has found new VRFs, so that it hears of all that comes into them in order, as on a box.

    One whose interfaces it reads at once, with its L3 VNI configured before, has no interface for that VNI (8.4.4).
    """
    _waited(box, lambda: vrfs <= (_vrfs(box) or frozenset()))


def _retell(box: SwitchPorts, vrfs: frozenset[str]) -> None:
    """Have the kernel tell zebra again of addresses that it dropped; `ip address replace` changes nothing else.

    FRR before 10.0 drops an address that it hears of before it has read of its interface
    (github.com/FRRouting/frr issue 13288; with a busy host 8.4.4 dropped 31 of 60).
    """
    before: set[Told] = set()
    for _ in range(RETOLD):
        looks = [_unheard(box, vrf) for vrf in vrfs]
        found = {row for look in looks for row in look or ()}
        for vrf, name, address in sorted(found & before):
            box.shell.run([*_enter(box.space, vrf), "ip", "address", "replace", address, "dev", name])
        if not found and None not in looks:
            return
        before = found
        time.sleep(RETELL_SECONDS)


def _unheard(box: SwitchPorts, vrf: str) -> set[Told] | None:
    """What stands in a VRF and zebra does not have; nothing where no zebra runs, None where it does not say."""
    said = _zebra(box, f"show interface vrf {vrf or 'default'}") if box.outside else ""
    if not said:
        return None if said is None else set()
    heard = {
        Told(vrf, name, address)
        for name, text in re.findall(r"^Interface (\S+)(.*?)(?=^Interface |\Z)", said, re.MULTILINE | re.DOTALL)
        for address in re.findall(r"^  inet6? (\S+)", text, re.MULTILINE)
    }
    command = ["ip", "-o", "address", "show", "scope", "global", "permanent", "-tentative"]
    lines = box.shell.run([*_enter(box.space, vrf), *command]).stdout.splitlines()
    return {Told(vrf, name, address) for _, name, _, address, *_ in map(str.split, lines)} - heard


def _is_idle(box: SwitchPorts) -> bool:
    """Whether zebra's thread for the kernel has done all that it was given, or zebra does not say so.

    A namespace that goes while that thread writes to it ends zebra: it finds the socket closed (8.4.4,
    netlink_recv_msg of zebra/kernel_netlink.c).
    """
    said = _zebra(box, "show zebra dplane providers")
    return said is not None and all(given == done for given, done in re.findall(r" in: (\d+),.* out: (\d+),", said))


def _waited(box: SwitchPorts, holds: Callable[[], bool]) -> bool:
    """Wait for zebra, where one runs; whether one does. Nothing runs yet while a lab is built."""
    if not box.outside or _zebra(box, "show version") == "":
        return False
    deadline = time.monotonic() + SEEN_SECONDS
    while not holds() and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return True


def _has_interfaces(box: SwitchPorts, vrf: str) -> bool:
    """Whether zebra has interfaces of a VRF, or does not say so; those that are gone stay "down" while configured."""
    said = _zebra(box, f"show interface vrf {vrf} brief")
    return said is None or bool(set(re.findall(r"^(\S+) +up ", said, re.MULTILINE)) - {"lo"})


def _lacks(box: SwitchPorts, vrf: str) -> bool:
    found = _vrfs(box)
    return found is not None and vrf not in found


def _vrfs(box: SwitchPorts) -> frozenset[str] | None:
    """VRFs whose namespace zebra has found; None where it takes too long to say so."""
    said = _zebra(box, VRFS)
    return None if said is None else vrfs_in(said)


def _zebra(box: SwitchPorts, command: str) -> str | None:
    """What zebra says; "" where none runs, None where one takes too long to say anything."""
    try:
        return ask(box.space.mount, "zebra", command, LOOK_SECONDS) or ""
    except TimeoutError:
        return None


def _batches(found: Iterable[Lines]) -> Iterator[tuple[str, str, str]]:
    """Namespace, tool and text of what can be run at once."""
    wanted = (lines for lines in found if lines.lines)
    for (vrf, tool), group in groupby(wanted, key=lambda lines: (lines.vrf, lines.tool)):
        yield vrf, tool, "".join(f"{line.replace(OWN, str(os.getpid()))}\n" for lines in group for line in lines.lines)


def _enter(space: Space, vrf: str) -> list[str]:
    return space.enter_vrf(vrf) if vrf else space.enter()
