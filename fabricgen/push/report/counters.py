"""What the journal has of the counters of a wave, in words. Pure."""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.push.model import Event, StepName, StepState
from fabricgen.push.prove.counter_comparison import WORDS

Lack = tuple[str, str]
"""A counter, in words, and why it is not compared."""


class Counters(NamedTuple):
    """Counters of ports around one wave.

    before, after  shortest and longest time in seconds over which a switch was watched; None where none was
    compared  counter → ports
    broke, warned, exempt, not_compared  sentences
    """

    before: tuple[float, float] | None
    after: tuple[float, float] | None
    compared: Mapping[str, int]
    broke: tuple[str, ...]
    warned: tuple[str, ...]
    exempt: tuple[str, ...]
    not_compared: tuple[str, ...]


def counters_of(events: Iterable[Event], wave: int) -> Counters | None:
    """Those of a wave, as they were told last; None where they were not compared."""
    found = [event for event in events if event.step is StepName.COUNTERS and event.how is not StepState.BEGUN]
    mine = [event.detail for event in found if event.detail.get("wave") == wave]
    return _counters(mine[-1]) if mine else None


def _counters(detail: Mapping[str, object]) -> Counters:
    ports = detail.get("compared")
    rows = ports.items() if isinstance(ports, Mapping) else ()
    told = (_sentences(detail.get(name)) for name in ("broke", "warned", "exempt", "not_compared"))
    counted = {str(count): number for count, number in rows if isinstance(number, int)}
    return Counters(_span(detail.get("before")), _span(detail.get("after")), counted, *told)


def _span(found: object) -> tuple[float, float] | None:
    match found:
        case [int() | float() as least, int() | float() as most]:
            return float(least), float(most)
        case _:
            return None


def _sentences(found: object) -> tuple[str, ...]:
    return tuple(str(one) for one in found) if isinstance(found, list | tuple) else ()


def counters_words(found: Counters) -> str:
    """`flaps on 12 ports, crc on 12 ports (14 s after, 31 s before): within limits`."""
    if not found.compared:
        return "no counter could be compared"
    what = ", ".join(f"{count} on {ports:,} ports" for count, ports in found.compared.items())
    rose = [f"{len(found.broke):,} over a limit"] if found.broke else []
    rose += [f"{len(found.warned):,} with a warning"] if found.warned else []
    times = f" ({_seconds(found.after)} after, {_seconds(found.before)} before)"
    return f"{what}{times}: {', '.join(rose) or 'within limits'}"


def _seconds(span: tuple[float, float] | None) -> str:
    if span is None:
        return "an unknown time"
    least, most = round(span[0]), round(span[1])
    return f"{least} s" if least == most else f"{least} to {most} s"


def counters_rows(found: Counters, but: Container[Lack] = ()) -> Iterator[str]:
    """A sentence each: what broke a limit, what is warned of, what is exempt, and what could not be compared.

    but  what is told elsewhere
    """
    yield from found.broke
    yield from (f"warning: {row}" for row in found.warned)
    yield from (f"exempt: {row}" for row in found.exempt)
    yield from (row for row in found.not_compared if _lack(row) not in but)


def lacks(waves: Iterable[Counters | None]) -> tuple[Lack, ...]:
    """What no wave could compare, for the same reason; none where there is one wave alone."""
    found = [[lack for row in one.not_compared if (lack := _lack(row))] for one in waves if one is not None]
    return tuple(lack for lack in dict.fromkeys(found[0]) if all(lack in one for one in found)) if found[1:] else ()


def lacks_rows(found: Iterable[Lack]) -> Iterator[str]:
    """A sentence each."""
    return (f"not compared in any wave: {what}: {why}" for what, why in found)


def _lack(row: str) -> Lack | None:
    """Of a sentence about switches."""
    for what in WORDS.values():
        if row.startswith(start := f"not compared: {what} of "):
            _, told, why = row.removeprefix(start).partition(": ")
            return (what, why) if told else None
    return None


def counters_told(detail: Mapping[str, object]) -> str:
    """What an event says, in a phrase."""
    found = _counters(detail)
    first = f"; {found.broke[0]}" if found.broke else ""
    return f"{counters_words(found)}{first}"
