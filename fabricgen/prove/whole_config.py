"""What is tried with an intent: the rendered configuration replaces what runs, on a timer, and its drain is merged."""

import re
from collections.abc import Iterable, Iterator

from fabricgen.platforms.base.live.proof import Trial
from fabricgen.prove.bench import ProofBench
from fabricgen.prove.values import WholeSwitch
from fabricgen.push.switch.switch import SwitchError

HEAR_SECONDS = 60
"""In which peers have heard of a drain."""
MOST = 3
"""Findings that are told."""


def touching(difference: str, access: Iterable[str]) -> str:
    """The first line of a difference by which the switch is managed, or below which such lines change; "" for none."""
    patterns = [re.compile(pattern) for pattern in access]
    for path in _changed(difference):
        found = next((line for line in path if any(pattern.search(line) for pattern in patterns)), "")
        if found:
            return found
    return ""


def _changed(difference: str) -> Iterator[tuple[str, ...]]:
    """Each line that comes or goes, behind the lines that it stands below."""
    above: list[tuple[int, str]] = []
    for raw in difference.splitlines():
        is_changed = raw[:1] in ("+", "-")
        text = raw[1:] if is_changed else raw
        depth = len(text) - len(text.lstrip())
        above = [held for held in above if held[0] < depth]
        line = text.strip()
        if is_changed:
            yield (*(held for _, held in above), line)
        above.append((depth, line))


def whole(bench: ProofBench) -> None:
    """Let the rendered configuration replace what runs, verify it, and end the commit."""
    found = _whole(bench)
    difference = bench.act(lambda box: box.compare(found.candidate))
    bench.texts["difference from the rendered configuration"] = difference
    token = bench.committed(found.candidate, "of the rendered configuration") if difference else ""
    left = bench.act(lambda box: box.compare(found.candidate))
    try:
        with bench.timed("verify"):
            differs, others = found.differs()
        bench.look("rendered")
    finally:
        if token:
            bench.reverted(token, "of the rendered configuration")
    words = f"{len(differs)} differences from the rendered configuration"
    words += f": {'; '.join(differs[:MOST])}" if differs else ""
    words += f"; {others} findings about its surroundings" if others else ""
    words += f"; still to change: {left}" if left else ""
    bench.measure(Trial.VERIFY, not differs and not left, words)


def drain(bench: ProofBench) -> None:
    """Drain the sessions that stand, and ask the peers."""
    found = _whole(bench)
    lines = bench.act(lambda box: box.profile.drain(found.drained, box.running()))
    if not lines:
        bench.untried("no session stands there that the maps of the intent could drain", Trial.DRAIN)
        return
    if not found.peers:
        bench.untried("no switch that would hear of it is in the inventory", Trial.DRAIN)
        return
    bench.texts["lines of the drain"] = lines
    before = bench.links()
    token = bench.committed(bench.lines(lines), "of the drain")
    began, last = bench.now(), bench.now() + HEAR_SECONDS
    try:
        lacking = found.heard()
        while lacking and bench.now() < last:
            bench.pause()
            lacking = found.heard()
        took = bench.now() - began
        fell = sorted(before.sessions - bench.links().sessions)
    finally:
        bench.reverted(token, "of the drain")
    words = lacking or f"{', '.join(found.peers)} had heard of it after {took:.1f} s"
    words += f"; sessions fell: {', '.join(fell)}" if fell else ""
    bench.measure(Trial.DRAIN, not lacking and not fell, words, took)


def _whole(bench: ProofBench) -> WholeSwitch:
    if bench.subject.whole is None:
        raise SwitchError("unable", "no intent was given")
    return bench.subject.whole
