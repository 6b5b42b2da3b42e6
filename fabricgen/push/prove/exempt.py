"""Ports whose counters may change in a wave, and why: drained, coming up, or taken down by the change."""

import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.base.cost import Risk
from fabricgen.push.model import PlannedSwitch
from fabricgen.push.plan.interruption import RISKS
from fabricgen.push.prove.counter_rates import Port, Sample

INTENT = "the intent drains it"
AWAY = "it was drained meanwhile"
DOWN = "it was down before the wave, so one link change, and errors as it comes up, do not count"
ACCEPTED = "the loss on {name} is accepted by --accept-loss"
RELOAD = "the change restarts {name}"
TOUCHED = "the change of {name} takes it down, or may"
MIGHT_FALL = (Risk.TRAFFIC_LOSS, Risk.UNKNOWN)
"""Risks of changes that may take down a port that they mention; a lower risk takes none down."""

_WORD = re.compile(r"[\w./:\-]+")


def rising(before: Mapping[str, Sample]) -> frozenset[Port]:
    """Ports that were down as the wave began, and their far ends: they may come up. before: samples of then."""
    return frozenset(port for name, shown in before.items() for port in _with_far(name, shown, shown.down))


def exempt(samples: Mapping[str, Sample], planned: Mapping[str, PlannedSwitch]) -> dict[Port, str]:
    """Ports exempt from the comparison of a wave → why.

    planned  switches of the wave that are changed without a drain, their differences signed
    """
    reasons: dict[Port, str] = {}
    for name, shown_sample in samples.items():
        reasons.update(dict.fromkeys(_with_far(name, shown_sample, shown_sample.drained), INTENT))
    for name, plan in planned.items():
        shown = samples.get(name)
        if shown is not None:
            reasons |= {port: reason for port, reason in _of_change(name, plan, shown) if port not in reasons}
    return reasons


def drained(samples: Mapping[str, Sample], names: frozenset[str]) -> frozenset[Port]:
    """Ports of switches that the wave drains, and their far ends."""
    ends = (end for name in names & samples.keys() for end in _every(name, samples[name]))
    return frozenset(ends)


def _of_change(name: str, plan: PlannedSwitch, shown: Sample) -> Iterator[tuple[Port, str]]:
    risk = RISKS.get(plan.risk, Risk.UNKNOWN)
    if plan.accepted or risk is Risk.RELOAD:
        reason = (ACCEPTED if plan.accepted else RELOAD).format(name=name)
        yield from ((port, reason) for port in _every(name, shown))
    elif risk in MIGHT_FALL:
        touched = spoken_of(plan.difference) & {port.lower(): port for port in shown.cables}.keys()
        ports = frozenset(port for port in shown.cables if port.lower() in touched)
        yield from ((port, TOUCHED.format(name=name)) for port in _with_far(name, shown, ports))


def _every(name: str, shown: Sample) -> Iterator[Port]:
    counted = {port for rows in shown.counts.values() for port in rows}
    yield from _with_far(name, shown, frozenset(counted | shown.cables.keys()))


def _with_far(name: str, shown: Sample, ports: frozenset[str]) -> Iterator[Port]:
    for port in ports:
        yield name, port
        if port in shown.cables:
            yield shown.cables[port]


def spoken_of(difference: str) -> frozenset[str]:
    """Words of the added and removed lines, and of the sections that contain them, which are indented less."""
    words: set[str] = set()
    above: list[tuple[int, str]] = []
    for row in difference.splitlines():
        line = f" {row[1:]}" if row[:1] in ("+", "-") else row
        depth = len(line) - len(line.lstrip())
        above = [*((deep, text) for deep, text in above if deep < depth), (depth, line)]
        if row[:1] in ("+", "-") and not row.startswith(("+++", "---")):
            words.update(word.lower().strip(".:") for _, text in above for word in _WORD.findall(text))
    return frozenset(words)
