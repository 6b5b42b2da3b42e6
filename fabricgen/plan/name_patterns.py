"""Switches by a pattern of their names, as `--devices` of `diff`, `verify` and `push` has it."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase

from fabricgen.errors import FabricError, Problem, did_you_mean

DIGITS = "0123456789"
MOST = 3
"""Names that are offered for one that matches nothing."""
COMPARED = 5000
"""Names that are compared with one that matches nothing: more take seconds."""


def matching(names: Iterable[str], pattern: str) -> tuple[str, ...]:
    """Return the names that match a pattern. Raises FabricError with the nearest names if none does."""
    known = tuple(dict.fromkeys(names))
    matches = tuple(name for name in known if fnmatchcase(name, pattern))
    if not matches:
        raise FabricError([_none_matches(known, pattern)])
    return matches


def _none_matches(names: tuple[str, ...], pattern: str) -> Problem:
    tiers = tuple(dict.fromkeys(re.sub(r"[0-9]+$", "*", name) for name in names))
    return Problem(
        code="devices-none",
        what=f"no switch matches --devices {pattern}",
        why=f"the intent has {len(names)} switches, none with such a name" if names else "the intent has no switch",
        fix=_nearest(names, tiers, pattern),
    )


def _nearest(names: tuple[str, ...], tiers: tuple[str, ...], pattern: str) -> str:
    near = get_close_matches(pattern, (*tiers, *names[:COMPARED]), n=MOST)
    if near:
        *others, last = map(_quoted, near)
        return f"did you mean {' or '.join(filter(None, (', '.join(others), last)))}?"
    return f"write the name of a switch, or a pattern in quotes: {', '.join(map(_quoted, tiers))}"


def name_advice(name: str, names: Iterable[str], also: Iterable[str] = ()) -> str:
    """Return what to write for an unknown switch: the range of those named alike, else the nearest name.

    also  other names that are valid there
    """
    known = tuple(names)
    stem = name.rstrip(DIGITS)
    alike = sorted(other for other in known if other.rstrip(DIGITS) == stem) if stem != name else []
    return f"write a name from {alike[0]} to {alike[-1]}" if alike else did_you_mean(name, (*also, *known))


def _quoted(name: str) -> str:
    """Return a pattern in quotes, as the shell would expand it otherwise."""
    return f"'{name}'" if name.endswith("*") else name
