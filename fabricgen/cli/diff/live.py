"""`fabricgen diff --against live`: compare the running configurations of an inventory with the rendered ones."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.cli.common.interrupts import stopping
from fabricgen.cli.verify.by_hand import collected
from fabricgen.cli.verify.live import Live, collecting
from fabricgen.device.device import Device
from fabricgen.diff.live import PlatformTables, Running, live_classes, reach_of, worst_reached
from fabricgen.diff.model import Difference
from fabricgen.diff.words import count, named
from fabricgen.intent.scenarios import BASE
from fabricgen.operation.intended import Intended, LabLocation, artifact_of, intended, read_site, renderer_of
from fabricgen.operation.inventory import open_inventory, where_of, where_of_collection
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.live.line_kind import kind_of
from fabricgen.platforms.base.live.run_marks import Armed, armed_words
from fabricgen.platforms.readers import READERS, reader_of
from fabricgen.render.render import Renderer
from fabricgen.state.state import Daemon
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.store import ABSENT, PLAIN, Collected, Target, read
from fabricgen.verify.collect.store_folder import check_folder
from fabricgen.verify.expect.ports import bfd

RUNNING, DAEMONS, FACTS = "running", "daemons", "facts"
PARTS = (FACTS, DAEMONS, RUNNING)
"""State that is read from a switch: its identity, whether its configuration's daemons run, and the configuration."""
BFD = ("bfd",)
"""Function of a daemon that need not run where the plan has no BFD."""
DEAD = ("does not run", "do not run")
NO_RUNNING = "did not show its running configuration"
HALF = "did not show all of its running configuration"
PLURAL = (("is not", "are not"), ("answers", "answer"), ("its", "their"))
"""Words in a problem of one switch, and their plural for several switches."""


class LiveOptions(NamedTuple):
    """How switches are read, and which: a glob of names. `overlay`, `scenario`: for reading the intent."""

    workers: int
    devices: str
    templates: Path | None
    overlay: Path | None = None
    scenario: str = BASE


class LiveDifferences(NamedTuple):
    """Differences. `stopped`: some switches were not read because of Ctrl-C."""

    difference: Difference
    stopped: bool = False


class Silent(NamedTuple):
    """A switch whose configuration is unknown: the problem, as words after its name, and the reason."""

    device: str
    problem: str
    reason: str


class LiveSwitch(NamedTuple):
    """State of a switch: its running configuration, its reported name without a domain, and daemons that do not run."""

    running: str
    name: str
    dead: tuple[Daemon, ...]


def judged(intent: Path, collection: Path, how: LiveOptions) -> LiveDifferences:
    """Compare state saved by verify --save with the intent. Raises FabricError for problems of either."""
    switches = _read_intended(intent, where_of_collection(collection), how)
    with collected(collection, switches) as state_folder:
        check_folder(state_folder, (device.name for device in switches.devices))
        return LiveDifferences(_compared(switches, how, state_folder, PLAIN))


def asked(intent: Path, inventory: Path, how: LiveOptions) -> LiveDifferences:
    """Compare the running switches of an inventory with the intent. Raises FabricError for problems of either."""
    site = open_inventory(inventory)
    switches = _with_few_reads(_read_intended(intent, where_of(site), how))
    live = Live(site=site, workers=how.workers, save=None, retry=0)
    renderer_of(switches, how.templates)  # reports problems of templates before any switch is read
    with stopping() as stop, collecting(live, switches, stop) as once:
        once.collect(switches.targets)
        stopped = stop.is_set()
        return LiveDifferences(_compared(switches, how, once.folder, once.suffix), stopped)


def _read_intended(intent: Path, where: LabLocation | None, how: LiveOptions) -> Intended:
    is_lab = where is not None and where.is_lab
    plan = read_site(intent, how.overlay, scenario=how.scenario, is_lab=is_lab, with_sites=True).plan
    return intended(plan, where, how.devices)


def _with_few_reads(switches: Intended) -> Intended:
    """The same switches with only the reads that are needed here."""
    targets = {
        name: target._replace(reads=tuple(part_read for part_read in target.reads if part_read.part in PARTS))
        for name, target in switches.targets.items()
    }
    return replace(switches, targets=targets)


def _compared(switches: Intended, how: LiveOptions, folder: Path, suffix: str) -> Difference:
    artifact = artifact_of(Renderer(how.templates), switches.where)
    comparable: list[Running] = []
    silent: list[Silent] = []
    misnamed: list[str] = []
    armed: list[str] = []
    for device in switches.devices:
        target = switches.targets.get(device.name)
        if target is None:
            continue
        collected = read(folder, device.name, suffix)
        armed += _armed(device.name, collected)
        shown = _shown(collected, target)
        result = shown if isinstance(shown, Silent) else _running(device, artifact(device), shown)
        if isinstance(result, Silent):
            silent.append(result)
            continue
        comparable.append(result)
        if isinstance(shown, LiveSwitch) and shown.name and shown.name.lower() != device.name.lower():
            misnamed.append(f"{device.name} has the hostname {shown.name}: is it the right switch?")
    tables = {
        name: PlatformTables(partial(kind_of, reader.lines), PLATFORMS[name].costs) for name, reader in READERS.items()
    }
    reach = reach_of(switches.plan)
    text = live_classes(tuple(comparable), tables, reach)
    return Difference(
        notes=(*armed, *_unread(silent), *misnamed, *_notes(switches)),
        is_whole=not silent,
        before=len(comparable),
        after=len(switches.targets),
        equal=sum(1 for result in comparable if not result.drifts),
        meaning=(),
        text=text,
        reached=worst_reached(text, reach),
        unread=tuple(result.device for result in silent),
    )


def _armed(device: str, collected: Collected | None) -> Iterator[str]:
    """Note for a switch that will revert a commit: its running configuration will change."""
    armed = collected.armed if collected is not None else None
    if isinstance(armed, Armed):
        yield f"{device}: {armed_words(armed)}"
    elif armed is not None:
        yield f"{device}: cannot tell whether a commit is waiting for confirmation: {armed}"


def _unread(silent: Iterable[Silent]) -> Iterator[str]:
    """Switches whose configuration is unknown, grouped by problem."""
    by_problem = grouped((switch.problem, switch) for switch in silent)
    for problem, group in by_problem.items():
        first = group[0]
        if len(group) == 1:
            yield f"{first.device} {problem}: {first.reason}"
            continue
        reason = first.reason if len({switch.reason for switch in group}) == 1 else f"{first.device}: {first.reason}"
        problems = problem
        for one_of_them, all_of_them in PLURAL:
            problems = problems.replace(one_of_them, all_of_them)
        many = f"{count(len(group), 'switch', 'switches')} {problems}"
        yield f"{many} ({reason}): {named([switch.device for switch in group])}"


def _notes(switches: Intended) -> Iterator[str]:
    """Files that are not read back, by platform."""
    for system in sorted({device.system for device in switches.devices if device.name in switches.targets}):
        platform = PLATFORMS[system]
        names = {artifact.name for artifacts in platform.artifacts.values() for artifact in artifacts}
        others = sorted(names - {platform.main})
        if others:
            yield f"{platform.title}: only {platform.main} is compared with the switch, not: {', '.join(others)}"


def _shown(collected: Collected | None, target: Target) -> LiveSwitch | Silent:
    """State of a switch, or why it is unknown."""
    if collected is None:
        return Silent(target.device, ABSENT["not-collected"], "no state was collected")
    if collected.failure is not None:
        problem = ABSENT.get(collected.failure.code, "cannot be checked")
        return Silent(target.device, problem, collected.failure.reason)
    if collected.system != target.system:
        reason = f"it was collected as {collected.system}, but the plan has {target.system}"
        return Silent(target.device, ABSENT["not-collected"], reason)
    state = target.state(reader_of(target.system), collected.outputs, "not in the collection")
    if state.running is None or not state.running.strip():
        return Silent(target.device, NO_RUNNING, state.unread.get(RUNNING, "it is empty"))
    if state.daemons is None and DAEMONS in state.unread:
        return Silent(target.device, HALF, f"its running daemons are unknown: {state.unread[DAEMONS]}")
    name = state.facts.hostname.partition(".")[0] if state.facts is not None else ""
    return LiveSwitch(state.running, name, tuple(row for row in state.daemons or () if not row.running))


def _running(device: Device, intended_text: str, shown: LiveSwitch) -> Running | Silent:
    """The lines that differ. If lines are missing and a daemon does not run, its configuration is unknown."""
    # Compare without secrets: a template may contain one, and so may an old collection.
    drifts = reader_of(device.system).drift(*(str(without_secrets(text)) for text in (intended_text, shown.running)))
    dead = [daemon.name for daemon in shown.dead if daemon.serves != BFD or any(bfd(device))]
    if dead and not all(drift.present for drift in drifts):
        return Silent(device.name, HALF, f"lines are missing, and {', '.join(dead)} {DEAD[len(dead) > 1]}")
    return Running(device.name, device.system, PLATFORMS[device.system].main, drifts)
