"""Manual changes on switches while commits of a run were pending, which a revert undid."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.push.journal.detail import text, texts
from fabricgen.push.model import Event, StepName, StepState


class Hand(NamedTuple):
    """Manual changes on one switch.

    typed    lines that were added there and removed by the revert; removed: lines that it restored
    unknown  why it is unknown what was typed; empty where it is known
    """

    device: str
    typed: tuple[str, ...]
    removed: tuple[str, ...]
    unknown: str


def hands_of(events: Iterable[Event]) -> tuple[Hand, ...]:
    """Manual changes by the events of a run, in order; what a killed process was about to undo counts as undone."""
    unfinished: dict[str, Hand] = {}
    hands: list[Hand] = []
    for event in events:
        if event.step is not StepName.UNDO or not event.device:
            continue
        detail = event.detail
        hand = Hand(event.device, texts(detail, "lines"), texts(detail, "removed"), text(detail, "unknown"))
        if event.how is StepState.BEGUN:
            unfinished[event.device] = hand
        else:
            if not hand.unknown:
                unfinished.pop(event.device, None)
            hands.append(hand)
    return tuple(
        dict.fromkeys(row for row in (*hands, *unfinished.values()) if row.typed or row.removed or row.unknown)
    )


def hands_words(hands: Iterable[Hand]) -> Iterator[str]:
    """What a person has to do about each."""
    for hand in hands:
        if hand.typed:
            yield (
                f"{hand.device}: added manually while the commit waited, and undone with the revert: "
                f"{'; '.join(hand.typed)}: add it again if you still want it"
            )
        if hand.removed:
            yield (
                f"{hand.device}: removed manually while the commit waited, and restored with the revert: "
                f"{'; '.join(hand.removed)}: remove it again if you still want that"
            )
        if hand.unknown:
            yield (
                f"{hand.device}: manual changes while its commit waited are unknown: {hand.unknown}; ask who worked on "
                f"this switch"
            )
