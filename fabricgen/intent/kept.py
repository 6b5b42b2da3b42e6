"""Inputs of a rendered tree that are no file of the user's by that name: the overlay, and the posture."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from fabricgen.errors import Problem

KEPT = "overlay.yaml"
"""Name of an overlay among the inputs that a rendered tree keeps, whatever it was called."""
KEPT_POSTURE = "posture.yaml"
"""Which posture a tree was rendered in. Of base there is none."""

TAKEN: Mapping[str, str] = MappingProxyType({KEPT: "overlay", KEPT_POSTURE: "posture"})
"""Names among the inputs that are ours → what is kept under them, which is its option's name, too."""


def posture_record(name: str) -> bytes:
    """What is kept of a posture."""
    return f"posture: {name}\n".encode()


def recorded_posture(record: bytes) -> str:
    """The posture that such a record names."""
    return record.decode().partition(":")[2].strip()


def name_taken(path: Path) -> Problem:
    """Say that a file of the user's has one of these names."""
    what = TAKEN[path.name]
    problem = Problem(
        code="posture-name",
        what=f"{path} has the name that the {what} is kept under",
        why=f"a rendered tree keeps the octets of what it was made from, and the {what}'s as {path.name}",
        fix=f"give this file another name, or render without --{what}",
    )
    return problem if what == "posture" else problem._replace(code="overlay-name")
