"""What each switch reports before anything is planned: identity, configuration, and what a commit would change."""

import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.entry import UNKNOWN, Entry
from fabricgen.platforms.base.live.needed import Needed, lacking
from fabricgen.platforms.base.live.reader import Reader
from fabricgen.platforms.base.live.run_marks import Armed, Lease
from fabricgen.push.act.work import Fleet
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.plan.by_hand import HandLine, parts, typed, undone
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.state.state import Daemon, Facts
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.store import Target

PARTS = ("facts", "daemons", "running")


class Surveyed(NamedTuple):
    """One switch that answered.

    compressed   main file as the switch prints it, with the secrets as its driver shows them; see `compressed`
    fingerprint  of all pushed files, without secrets
    difference   what a commit would change, as the driver prints it; "" for nothing
    other_files  paths of pushed files in addition to the main one that differ
    armed        an armed commit, whoever made it, and who is at work
    dead         programs that do not run
    files        path of each pushed file in addition to the main one → its text there, with secrets; "" for none
    lease        who is at work there; None for nobody
    entry        by which service, account and source address this push came in
    missing      what the new configuration names and the switch does not have
    unseen       the same where the switch gave no answer, in words with the reason
    by_hand      lines that somebody typed there since a push committed, and that a commit would undo
    """

    device: str
    facts: Facts | None
    compressed: bytes
    fingerprint: str
    difference: str
    other_files: tuple[str, ...]
    armed: Armed | None
    dead: tuple[Daemon, ...]
    files: Mapping[str, str] = MappingProxyType({})
    lease: Lease | None = None
    entry: Entry = UNKNOWN
    missing: tuple[Needed, ...] = ()
    unseen: tuple[str, ...] = ()
    by_hand: tuple[HandLine, ...] = ()

    @property
    def running(self) -> str:
        """The main file, decompressed each time: those of a thousand switches are in memory at once."""
        return zlib.decompress(self.compressed).decode("utf-8", "surrogatepass") if self.compressed else ""


def compressed(running: str) -> bytes:
    """A main file, compressed for memory."""
    return zlib.compress(running.encode("utf-8", "surrogatepass"), 1) if running else b""


def survey(
    fleet: Fleet,
    goals: Callable[[str], Goal],
    targets: Mapping[str, Target],
    readers: Mapping[str, Reader],
    committed: Callable[[str], str | None] = lambda name: None,
) -> tuple[dict[str, Surveyed], dict[str, SwitchError]]:
    """Read every target. Return those that answered, and the errors of the others.

    committed  what a push committed last there, as SwitchConnection.running returned it; None where unknown
    """

    def act(switch: SwitchConnection) -> Surveyed:
        target = targets[switch.name]
        return _surveyed(switch, goals(switch.name), target, readers[target.system], committed(switch.name))

    surveyed: dict[str, Surveyed] = {}
    failed: dict[str, SwitchError] = {}
    for name, result in fleet.each(targets, act).items():
        if isinstance(result, SwitchError):
            failed[name] = result
        else:
            surveyed[name] = result
    return surveyed, failed


def _surveyed(switch: SwitchConnection, goal: Goal, target: Target, reader: Reader, committed: str | None) -> Surveyed:
    armed, lease = switch.run_marks()
    reads = tuple(read for read in target.reads if read.part in PARTS)
    outputs = switch.ask(reads)
    state = target.state(reader, outputs, "not asked")
    if state.running is None:
        raise SwitchError("unable", f"its running configuration cannot be read: {state.unread.get('running', '')}")
    missing, unseen = _needs(switch, goal.device)
    files = switch.files(tuple(goal.candidate.files)) if goal.candidate.files else {}
    text = switch.running()
    difference = "" if armed is not None else switch.compare(goal.candidate)
    return Surveyed(
        device=switch.name,
        facts=state.facts,
        compressed=compressed(state.running),
        fingerprint=fingerprint(text),
        difference=difference,
        other_files=tuple(path for path, text in goal.candidate.files.items() if files[path] != text),
        armed=armed,
        dead=tuple(daemon for daemon in state.daemons or () if not daemon.running),
        files=files,
        lease=lease,
        entry=switch.entry(),
        missing=missing,
        unseen=unseen,
        by_hand=_undone(switch, goal, reader, committed, text) if committed is not None and difference else (),
    )


def _needs(switch: SwitchConnection, device: Device) -> tuple[tuple[Needed, ...], tuple[str, ...]]:
    """What a switch does not have of what its configuration names, and what it does not tell about."""
    needed = switch.profile.needed(device)
    outputs = switch.ask(dict.fromkeys(item.read for item in needed)) if needed else {}
    answers = [(item, outputs[item.read.command]) for item in needed]
    lacks = [(item, lacking(item, output), output.error) for item, output in answers]
    return (
        tuple(item for item, is_lacking, _ in lacks if is_lacking),
        tuple(f"{item.what}: {error or 'no answer'}" for item, is_lacking, error in lacks if is_lacking is None),
    )


def _undone(switch: SwitchConnection, goal: Goal, reader: Reader, committed: str, text: str) -> tuple[HandLine, ...]:
    """Manual lines that a commit of the goal would undo."""
    if committed == text:
        return ()
    paths = switch.profile.files.values()
    old, new = parts(committed, paths), parts(text, paths)
    goals = {
        path: str(without_secrets(goal_text))
        for path, goal_text in {"": goal.candidate.text, **goal.candidate.files}.items()
    }
    heads = switch.profile.heads_by_path
    return undone(typed(switch.name, old, new, reader.drift, heads), goals, new, reader.drift, heads)


def run_drained(fleet: Fleet, drained: Mapping[str, Device]) -> frozenset[str]:
    """The switches whose established sessions all have the drained route maps already; none that does not answer.

    drained  name → Device of the drained switch
    """

    def act(switch: SwitchConnection) -> bool:
        text = switch.profile.drain(drained[switch.name], switch.running())
        return bool(text) and not switch.compare(Candidate(text, {}, merge=True))

    return frozenset(name for name, is_drained in fleet.each(drained, act).items() if is_drained is True)
