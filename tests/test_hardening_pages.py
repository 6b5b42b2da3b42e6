"""docs/host-ports.md and docs/hardening.md: each line that they name is in a rendered leaf of that system."""

import re
from functools import cache
from pathlib import Path

import pytest

from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from tests.platform_cases import samples

DOCS = Path(__file__).parents[1] / "docs"
PAGES = {"host-ports.md": 8, "hardening.md": 13}
"""Page → how many tables it has at least."""
NAMES = {
    "EOS": "eos",
    "NX-OS": "nxos",
    "Junos": "junos",
    "SR Linux": "srlinux",
    "Cumulus": "cumulus",
    "SONiC": "sonic",
    "FRR": "frr",
}
RENDERED = "| system | rendered line |"


@cache
def leaves(system: str) -> str:
    """Texts of all leaves of a system's samples, with single blanks."""
    every = samples(system).rich_devices()
    own = (device for device in every if device.system == system and device.role == "leaf")
    return " ".join(" ".join(file.text for device in own for file in Renderer().render(device)).split())


def tables(page: str) -> list[list[list[str]]]:
    """Rows of each table with rendered lines, as cells."""
    found = []
    for part in (DOCS / page).read_text().split(RENDERED)[1:]:
        lines = part.split("\n\n")[0].splitlines()[2:]
        found.append([[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines])
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_point_has_a_row_of_each_system(page: str) -> None:
    assert set(NAMES.values()) == set(PLATFORMS)
    assert len(tables(page)) >= PAGES[page]
    for rows in tables(page):
        assert [cells[0] for cells in rows] == list(NAMES)


@pytest.mark.parametrize("page", PAGES)
def test_every_line_is_in_a_rendered_leaf(page: str) -> None:
    missing = [
        (cells[0], line)
        for rows in tables(page)
        for cells in rows
        for line in re.findall(r"`([^`]+)`", cells[1])
        if line not in leaves(NAMES[cells[0]])
    ]
    assert missing == []
    assert all("`" in cells[1] or cells[1] == "–" for rows in tables(page) for cells in rows)
