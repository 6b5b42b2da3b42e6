"""Templates of this release: an error names the line that fails, and no section sets a name for the next."""

import shutil
from pathlib import Path
from traceback import walk_tb

import pytest
from jinja2 import Environment, nodes

from fabricgen.render import render
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import Renderer
from tests.eos.fleet import samples

OURS = {path.relative_to(templates_folder()).as_posix(): path.read_text() for path in templates_folder().rglob("*.j2")}
SHARED = sorted(name for name in OURS if not name.startswith("hosts/"))
"""Sections of switches: those of a file share one context."""


@pytest.mark.parametrize("name", SHARED)
def test_a_section_leaves_no_name_to_the_next_one(name: str) -> None:
    assert leaves_no_name(OURS[name])


@pytest.mark.parametrize(
    "source", ["{% set a %}b{% endset %}", "{% set a = b %}", "{% if b %}{% set a %}c{% endset %}{% endif %}"]
)
def test_a_name_that_is_left_is_seen(source: str) -> None:
    assert not leaves_no_name(source)


def leaves_no_name(source: str) -> bool:
    """Whether a template sets names only within loops, where they end."""
    tree = Environment(autoescape=True).parse(source)
    kinds = (nodes.Assign, nodes.AssignBlock)
    within = {id(node) for loop in tree.find_all(nodes.For) for node in loop.find_all(kinds)}
    return all(id(node) in within for node in tree.find_all(kinds))


def test_an_error_in_ours_names_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(templates_folder(), tmp_path, dirs_exist_ok=True)
    fault = tmp_path / "eos/hostname.j2"
    fault.write_text("! {{ device.name }}\n! {{ device.role }}\n! {{ device.hostname }}\n")
    monkeypatch.setattr(render, "templates_folder", lambda: tmp_path)
    with pytest.raises(AttributeError, match="hostname") as found:
        next(Renderer().render(next(iter(samples().values()))))
    lines = [line for frame, line in walk_tb(found.value.__traceback__) if frame.f_code.co_filename == str(fault)]
    assert lines == [3]
