"""Raw lines: each entry is for a switch that is planned, that runs its system, and that has its file."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabricgen.errors import Problem, did_you_mean
from fabricgen.intent.site import Raw
from fabricgen.plan.fabric import chassis_of, name_of, places
from fabricgen.plan.overrides import is_named
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS


class _At(NamedTuple):
    """What raw lines may ask of a switch, in the order in which they are narrowed down."""

    fabric: str
    device: str
    role: str
    system: str
    artifacts: tuple[str, ...]


class _Key(NamedTuple):
    """One key of an entry: whether a switch is meant by it, and what could be written for the switches before it."""

    name: str
    takes: Callable[[Raw, _At], bool]
    known: Callable[[_At], tuple[str, ...]]


KEYS = (
    _Key("fabric", lambda raw, at: raw.fabric in (None, at.fabric), lambda at: (at.fabric,)),
    _Key("device", lambda raw, at: is_named(raw.device, at.device), lambda at: (at.device,)),
    _Key("role", lambda raw, at: raw.role in (None, at.role), lambda at: (at.role,)),
    _Key("system", lambda raw, at: raw.system == at.system, lambda at: (at.system,)),
    _Key(
        "artifact", lambda raw, at: raw.artifact is None or raw.artifact in at.artifacts, lambda at: tuple(at.artifacts)
    ),
)


def raw_lines(plan: Plan) -> Iterator[Problem]:
    """Each entry of `raw` reaches a switch: all of its keys together, and a file that the switch has and can take it.

    Source: resolve/device.py, which gives a switch its lines; the artifacts of each platform.
    """
    if not plan.intent.raw:
        return
    switches = tuple(dict.fromkeys(_switches(plan)))
    for position, raw in enumerate(plan.intent.raw):
        problem = _nowhere(raw, position, switches) or _unread(raw, position)
        if problem is not None:
            yield problem


def _switches(plan: Plan) -> Iterator[_At]:
    """Switches that are planned, away or not: those that are away keep their lines until they come."""
    for name, fabric in plan.fabrics.items():
        for place in places(fabric):
            system = chassis_of(fabric, place).system.partition("-")[0]
            platform = PLATFORMS.get(system)
            files = platform.artifacts.get(place.tier.value, ()) if platform is not None else ()
            yield _At(name, name_of(fabric, place), place.tier.value, system, tuple(found.name for found in files))


def _nowhere(raw: Raw, position: int, switches: tuple[_At, ...]) -> Problem | None:
    """Problem of the first key that leaves no switch; None where one is left."""
    left = switches
    for key in KEYS:
        found = tuple(at for at in left if key.takes(raw, at))
        if not found:
            known = tuple(dict.fromkeys(word for at in left for word in key.known(at)))
            written = ", ".join(f"{name}: {value}" for name, value in _written(raw))
            return Problem(
                code="raw-nowhere",
                what=f"raw lines for {written} reach no switch",
                where=("raw", position, key.name),
                why=f"of the {len(left)} switches that the other keys leave, none is meant by "
                f"{key.name}: {getattr(raw, key.name)}",
                fix=did_you_mean(str(getattr(raw, key.name)), known),
            )
        left = found
    return None


def _unread(raw: Raw, position: int) -> Problem | None:
    platform = PLATFORMS[raw.system]
    fault = platform.raw_fault(raw.artifact or platform.main, tuple(raw.lines))
    if not fault:
        return None
    return Problem(
        code="raw-syntax",
        what=f"raw lines do not fit into {platform.title}'s file",
        where=("raw", position, "lines"),
        why=fault,
        fix="write lines that are whole objects when they are joined",
    )


def _written(raw: Raw) -> Iterator[tuple[str, str]]:
    for name in ("fabric", "device", "role", "system", "artifact"):
        value = getattr(raw, name)
        if value is not None:
            yield name, value
