"""Localisation of packet loss: which link or switch loses packets, by the losses of paths that share some of them.

The method is that of Flock (Harsh, Meng, Agrawal, Godfrey: Flock: Accurate network fault localization at scale, PACMNET
1, CoNEXT 2023, arXiv 2305.03348): a packet is lost with a small chance on a path without a fault and with a larger one
on a path with one, a fault is unlikely a priori, and the set of faults that best explains all losses is searched step
by step: the best addition first, and then without each of those. It uses the loss of each path as a number, so that 1 %
on one link is distinguished from none, where votes of whole flows (007, NSDI 2018) and sets of good and bad paths
(NetDiagnoser, CoNEXT 2007) need every path over a bad link to lose something. The chances are fixed, not learned:
nothing is known of a site beforehand.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log, sqrt
from typing import NamedTuple

from fabricgen.verify.finding import FindingEnd

GOOD, BAD = 1e-4, 5e-3
"""Chance that a packet is lost on a path without and with a fault. Four lost of 1,250 over one link are a fault."""
LOST, PASSED = log(BAD / GOOD), log((1 - BAD) / (1 - GOOD))
"""Evidence of a lost packet, and of one that arrived, for a fault on its path."""
WIRE, CABLE, SWITCH = 10.0, 11.0, 20.0
"""Prior of a fault (minus its logarithm): of one direction of a cable, of both, of a whole switch."""
NORMAL = 1.959964
"""Quantile of the normal distribution for an interval of 95 %."""
EPSILON = 1e-6


class CableDirection(NamedTuple):
    """One direction of a cable."""

    near: FindingEnd
    far: FindingEnd


Way = tuple[CableDirection, ...]
"""From the sender to the receiver."""


class PathResult(NamedTuple):
    """Result of the packets that took one path."""

    path: Way
    sent: int
    lost: int


class Suspect(NamedTuple):
    """What may lose packets: a switch by name, or a cable in one direction, or in both (`both`; then near < far)."""

    switch: str = ""
    wire: CableDirection | None = None
    both: bool = False

    @property
    def unlikely(self) -> float:
        """Minimum evidence against it that counts."""
        return SWITCH if self.switch else CABLE if self.both else WIRE


class Culprit(NamedTuple):
    """A located fault, and the suspects with exactly the same paths, which may as well be the fault.

    sent, lost  of packets over it and over no other culprit; if there are none such, of all over it
    """

    suspect: Suspect
    alike: tuple[Suspect, ...]
    sent: int
    lost: int


def interval(lost: int, sent: int) -> tuple[float, float]:
    """Bounds of a rate with 95 % confidence.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927); Brown,
    Cai, DasGupta, Interval estimation for a binomial proportion, Statistical Science 16 (2001), advise it for small
    numbers.
    """
    if not sent:
        return 0.0, 1.0
    rate, square = lost / sent, NORMAL**2
    middle = rate + square / (2 * sent)
    half = NORMAL * sqrt(rate * (1 - rate) / sent + square / (4 * sent**2))
    low, high = ((middle + sign * half) / (1 + square / sent) for sign in (-1, 1))
    return (0.0 if lost == 0 else max(0.0, low)), (1.0 if lost == sent else min(1.0, high))


def blame(results: Sequence[PathResult], hosts: frozenset[str]) -> tuple[Culprit, ...]:
    """The faults that explain the losses, the most evident first. `hosts`: ends of paths, which are never suspects."""
    paths_over = _suspects(results, hosts)
    weights = [result.lost * LOST + (result.sent - result.lost) * PASSED for result in results]
    suspects = _greedy(paths_over, weights)
    for suspect in suspects:
        # Two bad cables of one switch first look like the switch: test whether a set without this suspect explains
        # more.
        without = _greedy({other: numbers for other, numbers in paths_over.items() if other != suspect}, weights)
        suspects = max(suspects, without, key=lambda faults: _evidence(paths_over, weights, faults))
    return tuple(_culprit(suspect, suspects, paths_over, results) for suspect in suspects)


def _greedy(over: Mapping[Suspect, frozenset[int]], weights: Sequence[float]) -> list[Suspect]:
    """Add the best suspect until none improves the explanation."""
    faults: list[Suspect] = []
    while True:
        best = max(_gains(over, weights, faults), key=lambda pair: pair[1], default=None)
        if best is None or best[1] <= EPSILON:
            return faults
        faults.append(best[0])


def _evidence(over: Mapping[Suspect, frozenset[int]], weights: Sequence[float], faults: Iterable[Suspect]) -> float:
    explained = frozenset[int]().union(*(over[suspect] for suspect in faults))
    return sum(weights[number] for number in explained) - sum(suspect.unlikely for suspect in faults)


def _suspects(results: Sequence[PathResult], hosts: frozenset[str]) -> dict[Suspect, frozenset[int]]:
    """Each suspect with the indexes of the paths over it."""
    paths_over: dict[Suspect, set[int]] = {}
    for number, result in enumerate(results):
        for suspect in _on(result.path, hosts):
            paths_over.setdefault(suspect, set()).add(number)
    return {suspect: frozenset(numbers) for suspect, numbers in paths_over.items()}


def _on(path: Way, hosts: frozenset[str]) -> Iterator[Suspect]:
    for wire in path:
        yield Suspect(wire=wire)
        yield Suspect(wire=CableDirection(*sorted(wire)), both=True)
    yield from (Suspect(switch=name) for name in switches_of(path) if name not in hosts)


def switches_of(path: Way) -> tuple[str, ...]:
    """Every system on a path that has cables, in order."""
    return tuple(dict.fromkeys(end.system for wire in path for end in wire))


def _gains(
    over: Mapping[Suspect, frozenset[int]], weights: Sequence[float], faults: Iterable[Suspect]
) -> Iterator[tuple[Suspect, float]]:
    """Every suspect with its gain: the evidence of paths that are not explained yet."""
    explained = frozenset[int]().union(*(over[suspect] for suspect in faults))
    for suspect, numbers in over.items():
        yield suspect, sum(weights[number] for number in numbers - explained) - suspect.unlikely


def _culprit(
    suspect: Suspect, faults: Iterable[Suspect], over: Mapping[Suspect, frozenset[int]], results: Sequence[PathResult]
) -> Culprit:
    paths = over[suspect]
    alone = paths.difference(*(over[other] for other in faults if other != suspect)) or paths
    alike = tuple(other for other, numbers in over.items() if numbers == paths and other != suspect)
    return Culprit(
        suspect, alike, sum(results[index].sent for index in alone), sum(results[index].lost for index in alone)
    )
