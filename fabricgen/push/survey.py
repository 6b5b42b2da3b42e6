"""What each switch says before anything is planned: who it is, what it runs, and what a commit would change there."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.drivers.reader import Output, Reader
from fabricgen.push.approval import fingerprint
from fabricgen.push.box import Box, BoxError
from fabricgen.push.goal import Goal
from fabricgen.push.work import Fleet
from fabricgen.state.state import Daemon, Facts
from fabricgen.verify.store import Target

PARTS = ("facts", "daemons", "running")


class Surveyed(NamedTuple):
    """One switch that answered.

    running      main file as the switch prints it, with what its driver shows of secrets
    fingerprint  of all that is pushed there, without secrets
    difference   what a commit would change, in the driver's words; "" for nothing
    beside       paths of pushed files beside the main one that differ
    waits        token of a timed commit that waits there, whoever made it; None where none does
    dead         programs that do not run
    standing     path of each pushed file beside the main one → text as it stands there, secrets in place; "" for none
    """

    device: str
    facts: Facts | None
    running: str
    fingerprint: str
    difference: str
    beside: tuple[str, ...]
    waits: str | None
    dead: tuple[Daemon, ...]
    standing: Mapping[str, str] = MappingProxyType({})


def survey(
    fleet: Fleet, goals: Callable[[str], Goal], targets: Mapping[str, Target], readers: Mapping[str, Reader]
) -> tuple[dict[str, Surveyed], dict[str, BoxError]]:
    """Ask every target. What answered, and what did not."""

    def act(box: Box) -> Surveyed:
        target = targets[box.name]
        return _surveyed(box, goals(box.name), target, readers[target.system])

    found: dict[str, Surveyed] = {}
    failed: dict[str, BoxError] = {}
    for name, result in fleet.each(targets, act).items():
        if isinstance(result, BoxError):
            failed[name] = result
        else:
            found[name] = result
    return found, failed


def _surveyed(box: Box, goal: Goal, target: Target, reader: Reader) -> Surveyed:
    waits = box.pending()
    reads = tuple(each for each in target.reads if each.part in PARTS)
    outputs = box.ask(reads)
    lacking = {each.command: Output(None, "not asked") for each in target.reads}
    state = reader.state({**lacking, **outputs}, target.vrfs)
    if state.running is None:
        raise BoxError("unable", f"its running configuration can not be read: {state.unread.get('running', '')}")
    standing = box.files(tuple(goal.candidate.files)) if goal.candidate.files else {}
    return Surveyed(
        device=box.name,
        facts=state.facts,
        running=state.running,
        fingerprint=fingerprint(box.running()),
        difference="" if waits is not None else box.compare(goal.candidate),
        beside=tuple(path for path, text in goal.candidate.files.items() if standing[path] != text),
        waits=waits,
        dead=tuple(one for one in state.daemons or () if not one.running),
        standing=standing,
    )
