"""Trials with an intent: the rendered configuration replaces the running one on a timer, and its drain is merged."""

import re
from collections.abc import Iterable, Iterator

from fabricgen.platforms.base.live.proof import Trial
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.values import WholeSwitch
from fabricgen.push.switch.switch import SwitchError

HEAR_SECONDS = 60
"""Seconds within which peers must have the drained routes."""
MOST = 3
"""Maximum number of findings in a message."""


def touching(difference: str, access: Iterable[str]) -> str:
    """The first changed line of a difference, or its parent line, that affects access to the switch; "" for none."""
    patterns = [re.compile(pattern) for pattern in access]
    for path in _changed(difference):
        access_line = next((line for line in path if any(pattern.search(line) for pattern in patterns)), "")
        if access_line:
            return access_line
    return ""


def _changed(difference: str) -> Iterator[tuple[str, ...]]:
    """Each added or removed line, after its parent lines."""
    above: list[tuple[int, str]] = []
    for raw in difference.splitlines():
        is_changed = raw[:1] in ("+", "-")
        text = raw[1:] if is_changed else raw
        depth = len(text) - len(text.lstrip())
        above = [parent for parent in above if parent[0] < depth]
        line = text.strip()
        if is_changed:
            yield (*(parent for _, parent in above), line)
        above.append((depth, line))


def whole(bench: ProofBench) -> None:
    """Replace the running configuration by the rendered one, verify it, and end the commit."""
    intended = _whole(bench)
    difference = bench.act(lambda switch: switch.compare(intended.candidate))
    bench.texts["difference from the rendered configuration"] = difference
    token = bench.committed(intended.candidate, "of the rendered configuration") if difference else ""
    difference_left = bench.act(lambda switch: switch.compare(intended.candidate))
    try:
        with bench.timed("verify"):
            differs, others = intended.differs()
        bench.read_all("rendered")
    finally:
        if token:
            bench.reverted(token, "of the rendered configuration")
    text = f"{len(differs)} differences from the rendered configuration"
    text += f": {'; '.join(differs[:MOST])}" if differs else ""
    text += f"; {others} findings about its neighbors" if others else ""
    text += f"; still to change: {difference_left}" if difference_left else ""
    bench.measure(Trial.VERIFY, not differs and not difference_left, text)


def drain(bench: ProofBench) -> None:
    """Drain the established sessions, and read the peers."""
    intended = _whole(bench)
    lines = bench.act(lambda switch: switch.profile.drain(intended.drained, switch.running()))
    if not lines:
        bench.untried("it has no session that the route maps of the intent could drain", Trial.DRAIN)
        return
    if not intended.peers:
        bench.untried("no switch that gets its routes is in the inventory", Trial.DRAIN)
        return
    bench.texts["lines of the drain"] = lines
    before = bench.links()
    token = bench.committed(bench.lines(lines), "of the drain")
    started, last = bench.now(), bench.now() + HEAR_SECONDS
    try:
        lacking = intended.drain_fault()
        while lacking and bench.now() < last:
            bench.pause()
            lacking = intended.drain_fault()
        seconds = bench.now() - started
        lost_sessions = sorted(before.sessions - bench.links().sessions)
    finally:
        bench.reverted(token, "of the drain")
    text = lacking or f"{', '.join(intended.peers)} received it after {seconds:.1f} s"
    text += f"; sessions went down: {', '.join(lost_sessions)}" if lost_sessions else ""
    bench.measure(Trial.DRAIN, not lacking and not lost_sessions, text, seconds)


def _whole(bench: ProofBench) -> WholeSwitch:
    if bench.subject.whole is None:
        raise SwitchError("unable", "no intent was given")
    return bench.subject.whole
