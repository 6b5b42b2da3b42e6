"""Build a lab: files, namespaces, cables, interfaces, daemons; then wait until every session is established."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.lab.build.converge import converge, settle
from fabricgen.lab.build.remove import is_left, remove, remove_files
from fabricgen.lab.host.daemons import start_host, start_switch
from fabricgen.lab.host.inventory import Files, render_files, write_facts, write_files
from fabricgen.lab.host.neighbors import is_of_the_host, raise_thresholds, thresholds
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.record import STARTING, UP, Record, claimed, host_lock, read_record, write_record
from fabricgen.lab.host.shell import LabShell, each
from fabricgen.lab.host.signals import ended_by_signals, signals_ignored
from fabricgen.lab.host.spaces import apply_settings, hold, make_cables, make_space, parse_settings
from fabricgen.lab.interfaces import ifupdown, plain, switch_notes
from fabricgen.lab.interfaces.box import write_box
from fabricgen.lab.interfaces.bring import SwitchPorts, bring
from fabricgen.lab.interfaces.hosts import build_host
from fabricgen.lab.interfaces.units import whole
from fabricgen.lab.model import queues
from fabricgen.lab.model.brief import NOT_EXERCISED, in_full
from fabricgen.lab.model.lab import FULL, PLAIN, Lab, LabServer
from fabricgen.lab.model.routing_text import unread_routing


class Times(NamedTuple):
    """Duration of the steps in seconds; the last two are near 0 without waiting.

    converged  until every session was established
    settled    from then until servers were known everywhere and routes no longer changed
    """

    links: float
    daemons: float
    converged: float
    settled: float


class BuiltLab(NamedTuple):
    """A lab that is up.

    complaints  switch → FRR's errors in its configuration
    missing     settings that this kernel does not have
    short       switch → sessions established and expected, where some are missing; empty without waiting
    """

    times: Times
    complaints: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...]
    short: Mapping[str, tuple[int, int]]


class Job(NamedTuple):
    """A lab to build.

    kind          of the kernel, PLAIN or FULL
    progress      called with a step's name and size; returns a function to call for each part that is done
    wait_seconds  for sessions to be established; 0: no waiting
    queues_mbps   rate of ports with the plan's queues, Mbit/s; 0: ports have none
    templates     the user's, which override ours
    """

    lab: Lab
    place: LabPlace
    intent: Path
    kind: str
    progress: Callable[[str, int], Callable[[], None]]
    wait_seconds: float
    queues_mbps: int = 0
    templates: Path | None = None


def up(job: Job) -> BuiltLab:
    """Build the lab. If it is ended by a signal or fails, everything made so far is removed.

    Raises FabricError where it cannot be built or another lab is up in the folder. Sessions that are missing at the end
    of the wait are in the result: the lab remains up, to be examined.
    """
    place = job.place
    with claimed(place):
        _refuse_running(place)
        if read_record(place) is not None or list(place.netns()):
            remove(place)  # left by a killed process: a live one would hold the lab
        remove_files(place.folder)
        _refuse_files(place.folder)
        is_folder_new = not place.folder.exists()
        with ended_by_signals(), ExitStack() as undo:
            undo.callback(_remove, place)
            result = _build(job, made=is_folder_new)
            undo.pop_all()
            return result


def _remove(place: LabPlace) -> None:
    """Remove everything made so far; a second signal does not stop it."""
    with signals_ignored():
        remove(place)


def require_free(place: LabPlace) -> None:
    """Raise FabricError where a folder cannot take a lab: one is up or being made there, or it has other files."""
    with claimed(place):
        _refuse_running(place)
        if read_record(place) is None and not list(place.netns()):
            _refuse_files(place.folder)


def _refuse_running(place: LabPlace) -> None:
    record = read_record(place)
    if record is not None and record.state == UP:
        raise FabricError.of(
            code="lab-running",
            what=f"a lab is already running in {place.folder}",
            why=f"it was built from {record.intent}" + (f" with {record.subset}" if record.subset else ""),
            fix=f"run fabricgen lab down --dir {place.folder}, or use another folder with --dir",
        )


def _refuse_files(folder: Path) -> None:
    """Raise FabricError for a folder that has other files than those that a lab left."""
    if not folder.exists() or is_left(folder):
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise FabricError.of(
            code="lab-folder",
            what=f"{folder} is not empty",
            why="a lab needs its own folder, and lab down removes its files",
            fix="use another folder with --dir",
        )


def _build(job: Job, *, made: bool) -> BuiltLab:
    place, shell = job.place, LabShell(job.place.id)
    _begin_record(job, made=made)
    rendered = _write(job)
    start = time.monotonic()
    missing = _wire(job, shell, rendered)
    wired = time.monotonic()
    complaints = _start(job, shell, rendered)
    started = time.monotonic()
    short: Mapping[str, tuple[int, int]] = {}
    if job.wait_seconds:
        step = job.progress("switches with all BGP sessions", len(job.lab.devices))
        short = converge(job.lab, place, shell, job.wait_seconds, step)
    converged = time.monotonic()
    if job.wait_seconds and not short:
        step = job.progress("routes have settled", 1)
        short = settle(job.lab, place, shell, job.wait_seconds)
        step()
    settled = time.monotonic()
    _end_record(place)
    times = Times(wired - start, started - wired, converged - started, settled - converged)
    return BuiltLab(times, complaints, missing, short)


def _begin_record(job: Job, *, made: bool) -> None:
    """Write the record of what will be made, before any of it is made."""
    with host_lock():
        record = Record(
            folder=str(job.place.folder),
            intent=str(job.intent.resolve()),
            subset=job.lab.subset.text,
            state=STARTING,
            thresholds=thresholds(job.lab),
            made=made,
        )
        write_record(job.place, record)
        raise_thresholds(record)


def _end_record(place: LabPlace) -> None:
    """Mark the lab as up. The record is read again: a lab that was removed may have passed its limits on to it."""
    with host_lock():
        record = read_record(place)
        if record is not None:
            write_record(place, replace(record, state=UP))


def _write(job: Job) -> dict[str, Files]:
    """Files of every switch, rendered and written."""
    place, rendered = job.place, render_files(job.lab.devices, job.templates, job.lab.systems)
    place.folder.mkdir(parents=True, exist_ok=True)
    (place.folder / ".gitignore").write_text("*\n")
    for name, files in rendered.items():
        write_files(place, name, files)
        write_box(place, name, files, job.kind)
    (place.folder / NOT_EXERCISED).write_text(in_full(job.lab.skipped), encoding="utf-8")
    write_facts(place, job.lab, job.intent, rendered)
    return rendered


def _wire(job: Job, shell: LabShell, rendered: Mapping[str, Files]) -> tuple[str, ...]:
    """Make namespaces, cables, interfaces and addresses; return the settings that the kernel lacks."""
    lab, place = job.lab, job.place
    nodes = [(device.name, True) for device in lab.devices]
    nodes += [(server.name, bool(server.routing)) for server in lab.servers]
    hold(shell, place)
    step = job.progress("nodes with namespaces", len(nodes))
    each(lambda node: make_space(shell, place, node[0], has_frr=node[1]), nodes, step)
    make_cables(shell, place, lab, job.kind)
    step = job.progress("nodes with interfaces", len(nodes))
    missing: set[str] = set()

    def switch(device: Device) -> None:
        missing.update(_interfaces(job, shell, device, rendered[device.name]))
        if job.queues_mbps:
            names = [row.name for row in device.interfaces.ethernet]
            text = "".join(f"{line}\n" for line in queues.commands(device, names, job.queues_mbps))
            argv = job.place.space(device.name).enter("tc", "-batch", "-")
            shell.must(argv, text, doing=f"queues of {device.name}")

    each(switch, lab.devices, step)
    each(lambda server: _host(job, shell, server), lab.servers, step)
    return tuple(sorted(name for name in missing if not is_of_the_host(name)))


def _interfaces(job: Job, shell: LabShell, device: Device, files: Files) -> tuple[str, ...]:
    """Bring up the interfaces of a switch from its own files; return the settings that the kernel lacks."""
    space = job.place.space(device.name)
    if job.kind == FULL:
        return ifupdown.build(shell, device, files, space, job.place.files(device.name) / ifupdown.STATE)
    settings = parse_settings(files["sysctl.conf"])
    missing = apply_settings(shell, space.enter(), settings, doing=f"settings of {device.name}")
    folder = job.place.files(device.name) / switch_notes.FOLDER
    layout, pairs = plain.layout(device), plain.pairs(device)
    switch_notes.write_layout(folder, files["interfaces"], layout)
    switch_notes.write_pairs(folder, pairs)
    bring(SwitchPorts(shell, space, settings, folder), whole(layout, pairs), switch_notes.digest(files["interfaces"]))
    return missing


def _host(job: Job, shell: LabShell, server: LabServer) -> None:
    """Set addresses and routes of a server."""
    space = job.place.space(server.name)
    build_host(shell, job.lab, server, space, job.kind)
    if job.queues_mbps:
        shell.batch(space, queues.host_commands(server.nics), doing=f"NICs of {server.name}")


def _start(job: Job, shell: LabShell, rendered: Mapping[str, Files]) -> dict[str, tuple[str, ...]]:
    """Start all daemons; return FRR's errors in the configuration of each switch."""
    lab, place = job.lab, job.place
    step = job.progress("nodes with daemons", len(lab.devices) + len(lab.servers))
    messages = unread_routing(lab.devices, lab.systems, job.templates)

    def switch(device: Device) -> None:
        lines = start_switch(shell, place, device, rendered[device.name], netns_vrfs=job.kind == PLAIN)
        messages[device.name] = (*messages.get(device.name, ()), *lines)

    each(switch, lab.devices, step)
    each(lambda server: start_host(shell, place, server), lab.servers, step)
    return {name: lines for name, lines in sorted(messages.items()) if lines}
