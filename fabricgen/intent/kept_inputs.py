"""Inputs of a rendered tree that are no file of the user's by that name: the overlay, and the scenario."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from fabricgen.errors import Problem

KEPT = "overlay.yaml"
"""Name of an overlay among the inputs that a rendered tree keeps, whatever it was called."""
KEPT_SCENARIO = "scenario.yaml"
"""Which scenario a tree was rendered in. Of base there is none."""

TAKEN: Mapping[str, str] = MappingProxyType({KEPT: "overlay", KEPT_SCENARIO: "scenario"})
"""Names among the inputs that are ours → what is kept under them, which is its option's name, too."""


def scenario_record(name: str) -> bytes:
    """What is kept of a scenario."""
    return f"scenario: {name}\n".encode()


def recorded_scenario(record: bytes) -> str:
    """The scenario that such a record names."""
    return record.decode().partition(":")[2].strip()


def name_taken(path: Path) -> Problem:
    """Say that a file of the user's has one of these names."""
    what = TAKEN[path.name]
    problem = Problem(
        code="scenario-name",
        what=f"{path} has the name that the {what} is kept under",
        why=f"a rendered tree keeps the octets of what it was made from, and the {what}'s as {path.name}",
        fix=f"give this file another name, or render without --{what}",
    )
    return problem if what == "scenario" else problem._replace(code="overlay-name")
