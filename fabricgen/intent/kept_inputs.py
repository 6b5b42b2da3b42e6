"""Inputs that a rendered tree keeps under fixed names: the overlay, the scenario, and what it took from pools."""

from collections.abc import Mapping
from pathlib import Path

from fabricgen.errors import Problem

KEPT = "overlay.yaml"
"""Name of the overlay among the inputs of a rendered tree, whatever the user's file is called."""
KEPT_SCENARIO = "scenario.yaml"
"""Name of the file with the scenario of a rendered tree. In scenario base there is none."""

KEPT_PARTS = "pool-parts.yaml"
"""Name of the file with what a rendered tree took from the pools of its repository; beside an intent it counts before

the pool file. A site without pools has none.
"""

TAKEN: Mapping[str, str] = {KEPT: "overlay", KEPT_SCENARIO: "scenario", KEPT_PARTS: "record of pools"}
"""Reserved names among the inputs → what is kept under them; of an overlay and a scenario also the option's name."""


def scenario_record(name: str) -> bytes:
    """Return the content of the scenario file."""
    return f"scenario: {name}\n".encode()


def recorded_scenario(record: bytes) -> str:
    """Return the scenario that a scenario file names."""
    return record.decode().partition(":")[2].strip()


def reserved_name_problem(path: Path) -> Problem:
    """Return the problem of a user's file with one of these names."""
    if path.name == KEPT_PARTS:
        return Problem(
            code="pools-name",
            what=f"{path.name} is reserved: what a site takes from pools is stored under it in the rendered tree",
            why="a rendered tree has copies of its input files beside it",
            fix=f"rename {path}",
        )
    option = TAKEN[path.name]
    problem = Problem(
        code="scenario-name",
        what=f"{path.name} is reserved: the {option} is stored under this name in the rendered tree",
        why=f"a rendered tree has copies of its input files, and that of the {option} is {path.name}",
        fix=f"rename {path}, or render without --{option}",
    )
    return problem if option == "scenario" else problem._replace(code="overlay-name")
