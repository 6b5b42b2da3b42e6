"""The site of the documentation (`make site`): what it shows, read from mkdocs.yml; mkdocs itself is an extra."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.site_pages import FIRST, outside, project_path, relinked, site_path, targets

ROOT = Path(__file__).parents[1]
CONFIG: dict[str, Any] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
PAGES = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))


def entries(nav: Any) -> Iterator[str]:  # noqa: ANN401 - YAML
    """Pages of a navigation, in its order."""
    match nav:
        case str():
            yield nav
        case dict():
            yield from entries([*nav.values()])
        case list():
            for below in nav:
                yield from entries(below)


def test_every_page_is_in_the_navigation_once() -> None:
    shown = [project_path(entry) for entry in entries(CONFIG["nav"])]
    linked = {path for path in outside([FIRST, *PAGES]) if path.endswith(".md")}
    assert len(PAGES) > 25
    assert {*PAGES, FIRST, "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"} | linked == set(shown)
    assert len(shown) == len(set(shown))


def test_every_entry_of_the_navigation_exists() -> None:
    assert [entry for entry in entries(CONFIG["nav"]) if not (ROOT / project_path(entry)).is_file()] == []


@pytest.mark.parametrize("page", [FIRST, *PAGES])
def test_every_link_leads_to_a_file_of_the_site(page: str) -> None:
    """A folder is no page, and what git does not have is nowhere."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [path for path in targets(text, page) if not (ROOT / path).is_file()] == []
    assert [path for path in targets(text, page) if path.startswith(("docs/", "out/")) and path.endswith(".py")] == []


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        ("docs/sites.md", "[a](../inventories/x/README.md#b)", "[a](inventories/x/README.md#b)"),
        ("docs/sites.md", "[a](lab.md), [b](#b), [c](https://example.net/d.md)", None),
        ("docs/sites.md", "[a](../README.md)", "[a](index.md)"),
        ("README.md", "[a](docs/lab.md) [b](docs/recipes/ci.yaml)", "[a](lab.md) [b](recipes/ci.yaml)"),
        ("CHANGELOG.md", "[a](docs/plan-page.md), [b](README.md)", "[a](plan-page.md), [b](index.md)"),
        ("inventories/x/README.md", "[a](../../docs/lab.md) [b](intent.yaml)", "[a](../../lab.md) [b](intent.yaml)"),
    ],
)  # fmt: skip
def test_links_are_those_of_the_site(page: str, text: str, expected: str | None) -> None:
    assert relinked(text, page) == (expected or text)


def test_paths_of_the_project_and_of_the_site_lead_to_each_other() -> None:
    for path in (*PAGES, FIRST, "CONTRIBUTING.md", *outside([FIRST, *PAGES])):
        assert project_path(site_path(path)) == path


def test_the_site_asks_nothing_of_other_hosts() -> None:
    """Fonts would come from Google; `offline` brings a script from unpkg.com, `analytics` what its name says."""
    assert CONFIG["theme"]["font"] is False
    assert CONFIG["plugins"] == ["search"]
    assert not {"extra", "extra_css", "extra_javascript"} & set(CONFIG)


def test_what_builds_it_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    asked = {each.partition(">=")[0].partition("==")[0] for each in project["optional-dependencies"]["docs"]}
    assert asked <= pinned
    assert {"mkdocs", "Markdown", "pymdown-extensions"} <= pinned
