"""What hands typed on switches while commits of a run waited there, and what went with a revert."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.push.model import Event, StepName, StepState


class Hand(NamedTuple):
    """One switch.

    typed    lines that were added there and are gone with the revert; removed: that are back with it
    unknown  why it is not known what was typed; empty where it is
    """

    device: str
    typed: tuple[str, ...]
    removed: tuple[str, ...]
    unknown: str


def hands_of(events: Iterable[Event]) -> tuple[Hand, ...]:
    """By the events of a run, in their order. What a killed process was about to undo counts as undone."""
    begun: dict[str, Hand] = {}
    found: list[Hand] = []
    for event in events:
        if event.step is not StepName.UNDO or not event.device:
            continue
        detail = event.detail
        hand = Hand(event.device, _rows(detail, "lines"), _rows(detail, "removed"), str(detail.get("unknown") or ""))
        if event.how is StepState.BEGUN:
            begun[event.device] = hand
        else:
            if not hand.unknown:
                begun.pop(event.device, None)
            found.append(hand)
    return tuple(dict.fromkeys(one for one in (*found, *begun.values()) if one.typed or one.removed or one.unknown))


def hands_words(hands: Iterable[Hand]) -> Iterator[str]:
    """What a person has to do about each."""
    for one in hands:
        if one.typed:
            yield (
                f"{one.device}: undone with the revert, typed by hand while it waited: {'; '.join(one.typed)}: "
                "type it again if it is still wanted"
            )
        if one.removed:
            yield (
                f"{one.device}: back with the revert, removed by hand while it waited: {'; '.join(one.removed)}: "
                "remove it again if that is still wanted"
            )
        if one.unknown:
            yield (
                f"{one.device}: what was typed by hand while its commit waited is not known: {one.unknown}; "
                "ask who was at work there"
            )


def _rows(detail: Mapping[str, object], key: str) -> tuple[str, ...]:
    rows = detail.get(key)
    return tuple(map(str, rows)) if isinstance(rows, list | tuple) else ()
