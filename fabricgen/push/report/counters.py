"""Counter comparisons of a wave in the journal, in words. Pure."""

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.push.journal.detail import mapping, texts
from fabricgen.push.prove.counter_comparison import WORDS

Lack = tuple[str, str]
"""A counter, in words, and why it is not compared."""


class Counters(NamedTuple):
    """Counters of ports around one wave.

    before, after  shortest and longest time in seconds over which a switch was sampled; None where none was
    compared  counter → number of ports
    broke, warned, exempt, not_compared  sentences
    """

    before: tuple[float, float] | None
    after: tuple[float, float] | None
    compared: Mapping[str, int]
    broke: tuple[str, ...]
    warned: tuple[str, ...]
    exempt: tuple[str, ...]
    not_compared: tuple[str, ...]


def counters_of(detail: Mapping[str, object]) -> Counters:
    """The comparison of a COUNTERS event."""
    sentences = (texts(detail, key) for key in ("broke", "warned", "exempt", "not_compared"))
    ports = {str(count): ports for count, ports in mapping(detail, "compared").items() if isinstance(ports, int)}
    return Counters(_span(detail.get("before")), _span(detail.get("after")), ports, *sentences)


def _span(value: object) -> tuple[float, float] | None:
    match value:
        case [int() | float() as shortest, int() | float() as longest]:
            return float(shortest), float(longest)
        case _:
            return None


def counters_words(counters: Counters) -> str:
    """`compared flaps of 12 ports, crc of 12 ports, 31 s before and 14 s after the change: within limits`."""
    if not counters.compared:
        return "no counter could be compared"
    compared_text = ", ".join(f"{count} of {ports:,} ports" for count, ports in counters.compared.items())
    rose = [f"{len(counters.broke):,} over a limit"] if counters.broke else []
    rose += [f"{len(counters.warned):,} with a warning"] if counters.warned else []
    times = f", {_seconds(counters.before)} before and {_seconds(counters.after)} after the change"
    return f"compared {compared_text}{times}: {', '.join(rose) or 'within limits'}"


def _seconds(span: tuple[float, float] | None) -> str:
    if span is None:
        return "an unknown time"
    shortest, longest = round(span[0]), round(span[1])
    return f"{shortest} s" if shortest == longest else f"{shortest} to {longest} s"


def counters_rows(counters: Counters, but: Container[Lack] = ()) -> Iterator[str]:
    """A sentence each: broken limits, warnings, exempt ports, and what could not be compared.

    but  reasons that are reported elsewhere
    """
    yield from counters.broke
    yield from (f"warning: {row}" for row in counters.warned)
    yield from (f"exempt: {row}" for row in counters.exempt)
    yield from (row for row in counters.not_compared if _lack(row) not in but)


def lacks(waves: Iterable[Counters | None]) -> tuple[Lack, ...]:
    """What no wave could compare, for the same reason; none if there is only one wave."""
    by_wave = [[lack for row in item.not_compared if (lack := _lack(row))] for item in waves if item is not None]
    return (
        tuple(lack for lack in dict.fromkeys(by_wave[0]) if all(lack in item for item in by_wave))
        if by_wave[1:]
        else ()
    )


def lacks_rows(all_lacks: Iterable[Lack]) -> Iterator[str]:
    """A sentence for each."""
    return (f"not compared in any wave: {counter}: {reason}" for counter, reason in all_lacks)


def _lack(row: str) -> Lack | None:
    """The counter and reason of a sentence about switches; None for any other."""
    for counter in WORDS.values():
        if row.startswith(start := f"not compared: {counter} of "):
            _, names, reason = row.removeprefix(start).partition(": ")
            return (counter, reason) if names else None
    return None


def counters_phrase(detail: Mapping[str, object]) -> str:
    """A journal event in a phrase."""
    counters = counters_of(detail)
    first = f"; {counters.broke[0]}" if counters.broke else ""
    return f"{counters_words(counters)}{first}"
