"""Lines of a lock that clash: sorting finds the pairs that asking every pair finds, and asks few of them."""

from collections.abc import Iterator
from random import Random

import pytest

from fabricgen.errors import Problem
from fabricgen.intent.scalars import Span
from fabricgen.plan import lock_clashes
from fabricgen.plan.lock_clashes import segment_clashes
from fabricgen.plan.place import PlaceRange, Tier, box
from fabricgen.plan.segments import Blocks, Segment
from fabricgen.source.document import load_document

Pair = tuple[int, int]


def asked(segments: tuple[Segment, ...]) -> list[Pair]:
    """Every pair, each compared by itself, in the order of the later line."""
    runs = [{run.what: run for run in lock_clashes._runs(segment)} for segment in segments]
    return [
        (earlier, later)
        for later, two in enumerate(segments)
        for earlier, one in enumerate(segments[:later])
        if lock_clashes._clash(one, two) or lock_clashes._shared_run(runs[earlier], runs[later])
    ]


def told(segments: tuple[Segment, ...]) -> list[Problem]:
    """What is told of segments, one a line from the second on."""
    lines = "".join("- {}\n" for _ in segments)
    return list(segment_clashes(segments, load_document(f"segments:\n{lines}", "lock")))


def found(segments: tuple[Segment, ...]) -> list[Pair]:
    """Pairs that are told, by their positions."""
    pairs = []
    for problem in told(segments):
        words = problem.what.split()
        pairs.append((int(words[1]) - 2, int(words[3]) - 2))
    return pairs


def some(random: Random, at: int, *, spread: int) -> Segment:
    """A segment somewhere. The smaller `spread`, the more of them meet."""
    tier = random.choice([Tier.LEAF, Tier.LEAF, Tier.SPINE, Tier.SUPERSPINE, Tier.BORDER])
    box = PlaceRange(*(span(random, 6 if axis < 3 else 2) for axis in range(5)))
    return Segment(
        fabric=random.choice(["one", "two"]),
        tier=tier,
        group=random.choice(["train", "store"]) if tier is Tier.LEAF else "",
        box=box,
        slots=0,
        hosts=0,
        first=random.randrange(at * spread + 1),
        row=None,
        asn=1000 + random.randrange(at * spread + 1),
        ipv4=blocks(random, at, spread, 30, 32) if tier is Tier.LEAF else None,
        ipv6=blocks(random, at, spread, 126, 128) if random.random() < 0.5 else None,
        loopback4=blocks(random, at, spread, 31, 32),
        loopback6=None,
        oob=random.randrange(at * spread + 1),
    )


def span(random: Random, most: int) -> Span:
    """A short run of numbers."""
    first = random.randrange(most)
    return Span(first, first + random.randrange(2))


def blocks(random: Random, at: int, spread: int, length: int, bits: int) -> Blocks:
    """A run of prefixes."""
    return Blocks(random.randrange(at * spread + 1), length, bits)


@pytest.mark.parametrize("spread", [2, 10, 30, 100])
def test_sorting_finds_what_every_pair_asked_finds(spread: int) -> None:
    random, counts = Random(spread), set()  # noqa: S311 - the same ones each time
    for _ in range(60):
        segments = tuple(some(random, at, spread=spread) for at in range(random.randrange(2, 14)))
        right = asked(segments)
        assert found(segments) == right
        counts.add(len(right))
    assert len(counts) > 3


def grown(pods: int, units: int) -> Iterator[Segment]:
    """A fabric that grew by a pod or a unit in turn, with spines that were added to all of its pods."""
    rails = Span(0, 7)
    boxes = [box(rail=8)]
    wide = [0, 0]
    for at in range(1, pods + units):
        axis = at % 2
        spans = [Span(0, wide[0]), Span(0, wide[1])]
        wide[axis] += 1
        spans[axis] = Span(wide[axis], wide[axis])
        boxes.append(PlaceRange(Span(0, 0), spans[0], spans[1], rails, Span(0, 0)))
    numbers = 0
    for each in boxes:
        yield numbered(Tier.LEAF, each, numbers, 100_000 + numbers)
        numbers += each.size()
    for at in range(pods + units):
        each = box(pod=pods + 1).cut(4, Span(at, at))
        yield numbered(Tier.SPINE, each, numbers, 10)
        numbers += each.size()


def numbered(tier: Tier, box: PlaceRange, first: int, asn: int) -> Segment:
    """A segment whose runs all begin at one number."""
    return Segment(
        fabric="one",
        tier=tier,
        group="train" if tier is Tier.LEAF else "",
        box=box,
        slots=0,
        hosts=0,
        first=first,
        row=None,
        asn=asn,
        ipv4=Blocks(first * 4, 30, 32) if tier is Tier.LEAF else None,
        ipv6=None,
        loopback4=Blocks(first * 2, 31, 32),
        loopback6=None,
        oob=first,
    )


def test_what_has_grown_is_asked_of_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of two hundred lines clashes with another, and the pairs that are compared are fewer than the lines."""
    segments, compared = tuple(grown(50, 50)), 0
    whole = lock_clashes._clash

    def counted(one: Segment, two: Segment) -> str | None:
        nonlocal compared
        compared += 1
        return whole(one, two)

    assert len(segments) == 200
    monkeypatch.setattr(lock_clashes, "_clash", counted)
    assert told(segments) == []
    assert compared < len(segments)
    twice = (*segments, segments[7], segments[150])
    assert found(twice) == [(7, 200), (150, 201)]


def test_spines_that_were_added_to_a_pod_are_asked_each() -> None:
    """They have one AS number, and so a leaf that has it too clashes with every one."""
    spines = tuple(numbered(Tier.SPINE, box().cut(4, Span(at, at)), at, 10) for at in range(3))
    leaf = numbered(Tier.LEAF, box(), 100, 10)
    assert found((*spines, leaf)) == [(0, 3), (1, 3), (2, 3)]
    assert found((leaf, *spines)) == [(0, 1), (0, 2), (0, 3)]


def test_many_equal_lines_are_told_from_the_first_on() -> None:
    """More pairs meet than are sorted out: they come one by one, as whoever reads the lock takes the first of them."""
    problems = segment_clashes(
        (numbered(Tier.LEAF, box(), 0, 10),) * 500,
        load_document("segments:\n" + "- {}\n" * 500, "lock"),
    )
    assert next(problems).what == "lines 2 and 3 of the lock allocate the same places"
    assert next(problems).what == "lines 2 and 4 of the lock allocate the same places"
