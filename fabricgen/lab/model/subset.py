"""The part of a fabric that a lab contains, in the syntax of the command line."""

from typing import NamedTuple

from fabricgen.errors import FabricError, Problem, did_you_mean

LEAST = {
    "planes": 1,
    "pods": 1,
    "units": 1,
    "leaves": 1,
    "spines": 1,
    "superspines": 1,
    "links": 1,
    "servers": 0,
    "borders": 0,
}
"""Keys of a subset, and the smallest number of each: a lab without a leaf or a spine tests nothing."""
MOST = 9999


class Subset(NamedTuple):
    """How much of each fabric is kept, from the first on. None is all of it; more than exist counts as all.

    planes       each with its own part of the fabric
    pods         pods of each plane; a pod without kept leaves keeps no spine either
    units        scalable units of each server group and pod
    leaves       leaves of each pod and plane, one of each server group in turn, by name
    spines       spines of each pod and plane, and the core groups above them
    superspines  superspines of each core group
    links        parallel links of each pair of switches
    servers      servers of each unit, one of each tenant in turn, in the order of their slots
    borders      border leaves
    """

    planes: int | None = None
    pods: int | None = None
    units: int | None = None
    leaves: int | None = None
    spines: int | None = None
    superspines: int | None = None
    links: int | None = None
    servers: int | None = None
    borders: int | None = None

    @property
    def text(self) -> str:
        """Text as typed; empty for the whole fabric."""
        return ",".join(f"{key}={value}" for key, value in self._asdict().items() if value is not None)


def parse_subset(text: str) -> Subset:
    """Parse "units=1,leaves=2". Raises FabricError with every part that is refused."""
    numbers: dict[str, int] = {}
    problems: list[Problem] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (word.strip() for word in part.partition("="))
        problem = _fault(key, value, numbers)
        if problem is None:
            numbers[key] = int(value)
        else:
            problems.append(problem)
    if problems:
        raise FabricError(problems)
    return Subset(**numbers)


def _fault(key: str, value: str, previous: dict[str, int]) -> Problem | None:
    """Problem of one part; None where it is valid."""
    if key not in LEAST:
        return _problem(f"unknown key {key!r}", f"the keys are {', '.join(LEAST)}", did_you_mean(key, LEAST))
    if key in previous:
        return _problem(f"{key} is given twice", "each key is given once", f"write {key}= once")
    if not (value.isascii() and value.isdigit()) or not LEAST[key] <= int(value[:9]) <= MOST:
        reason = f"it needs a whole number from {LEAST[key]} to {MOST}"
        return _problem(f"invalid {key}={value}", reason, f"write e.g. {key}={max(LEAST[key], 2)}")
    return None


def _problem(what: str, why: str, fix: str) -> Problem:
    return Problem(code="bad-subset", what=f"--subset: {what}", why=why, fix=fix)
