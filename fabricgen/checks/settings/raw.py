"""Raw lines: each entry is for a planned switch that runs its system and has its file."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabricgen.base.secret import WRITTEN
from fabricgen.errors import Problem, did_you_mean
from fabricgen.intent.site import Raw
from fabricgen.plan.fabric import chassis_of, name_of, places
from fabricgen.plan.overrides import is_named
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS


class _At(NamedTuple):
    """Values of a switch that the keys of an entry match, in the order of KEYS."""

    fabric: str
    device: str
    role: str
    system: str
    artifacts: tuple[str, ...]


class _Key(NamedTuple):
    """One key of an entry: whether it matches a switch, and the values that it could have for given switches."""

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
    """Each entry of `raw` matches a switch with all of its keys, and the switch has the file that it names.

    Source: resolve/device.py, which gives a switch its lines; the artifacts of each platform.
    """
    if not plan.intent.raw:
        return
    for position, raw in enumerate(plan.intent.raw):
        problem = _nowhere(plan, raw, position) or _unread(raw, position)
        if problem is not None:
            yield problem


def plain_references(plan: Plan) -> Iterator[Problem]:
    """References to secrets in raw lines are listed in `references`; others are sent as plain text.

    Source: base/secret.py. A warning: the text may be intended.
    """
    for position, raw in enumerate(plan.intent.raw):
        for index, line in enumerate(raw.lines):
            for written in dict.fromkeys(match.group() for match in WRITTEN.finditer(line)):
                if written not in raw.references:
                    yield Problem(
                        code="plain-reference",
                        what=f"{written} in raw lines is sent to the switch as plain text",
                        where=("raw", position, "lines", index),
                        why="only references that are listed under references: are filled in",
                        fix=f'add references: ["{written}"] to have it filled in, or waive plain-reference',
                    )


def _switches(plan: Plan) -> Iterator[_At]:
    """Yield all planned switches; dead and absent ones keep their lines until they are present."""
    for name, fabric in plan.fabrics.items():
        for place in places(fabric):
            system = chassis_of(fabric, place).system.partition("-")[0]
            platform = PLATFORMS.get(system)
            files = platform.artifacts.get(place.tier.value, ()) if platform is not None else ()
            yield _At(
                name, name_of(fabric, place), place.tier.value, system, tuple(artifact.name for artifact in files)
            )


def _nowhere(plan: Plan, raw: Raw, position: int) -> Problem | None:
    """Return the problem of the first key that matches no remaining switch; None where one remains.

    The search ends at the first switch that matches all keys; only without such a switch all are compared.
    """
    depth = max((_depth(raw, switch) for switch in _until(raw, _switches(plan))), default=0)
    if depth == len(KEYS):
        return None
    key = KEYS[depth]
    matching = [switch for switch in _switches(plan) if _depth(raw, switch) == depth]
    known = tuple(dict.fromkeys(word for switch in matching for word in key.known(switch)))
    values = ((key.name, getattr(raw, key.name)) for key in KEYS)
    written = ", ".join(f"{name}: {value}" for name, value in values if value is not None)
    return Problem(
        code="raw-nowhere",
        what=f"raw lines for {written} match no switch",
        where=("raw", position, key.name),
        why=f"of the {len(matching)} switches that the other keys select, none matches "
        f"{key.name}: {getattr(raw, key.name)}",
        fix=did_you_mean(str(getattr(raw, key.name)), known),
    )


def _depth(raw: Raw, switch: _At) -> int:
    """Return how many keys match a switch, in order."""
    return next((number for number, key in enumerate(KEYS) if not key.takes(raw, switch)), len(KEYS))


def _until(raw: Raw, switches: Iterator[_At]) -> Iterator[_At]:
    """Yield switches up to the first that matches all keys."""
    for switch in switches:
        yield switch
        if _depth(raw, switch) == len(KEYS):
            return


def _unread(raw: Raw, position: int) -> Problem | None:
    platform = PLATFORMS[raw.system]
    fault = platform.raw_fault(raw.artifact or platform.main, tuple(raw.lines))
    if not fault:
        return None
    return Problem(
        code="raw-syntax",
        what=f"raw lines break the format of {platform.title}'s file",
        where=("raw", position, "lines"),
        why=fault,
        fix="write complete statements with printable characters only",
    )
