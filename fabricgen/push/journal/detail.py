"""Values of an event's detail, which is JSON: a killed run or another release may have left any of them out."""

from collections.abc import Iterable, Mapping

from fabricgen.push.model import Event, StepName, StepState


def texts(detail: Mapping[str, object], key: str) -> tuple[str, ...]:
    """A list of texts; empty without one."""
    value = detail.get(key)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def text(detail: Mapping[str, object], key: str) -> str:
    """A value as text; empty without one."""
    value = detail.get(key)
    return "" if value is None else str(value)


def number(detail: Mapping[str, object], key: str) -> int | None:
    """A whole number; None without one."""
    value = detail.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def mapping(detail: Mapping[str, object], key: str) -> Mapping[object, object]:
    """A mapping; empty without one."""
    value = detail.get(key)
    return value if isinstance(value, Mapping) else {}


def last_of_wave(events: Iterable[Event], step: StepName, wave: int) -> Mapping[str, object] | None:
    """The detail of the last end of a step of a wave; None where it was not taken."""
    ends = (event for event in events if event.step is step and event.how is not StepState.BEGUN)
    return next((event.detail for event in reversed([*ends]) if event.detail.get("wave") == wave), None)
