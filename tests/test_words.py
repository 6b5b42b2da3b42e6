"""A short list keeps an old idiom out of code, messages and docs."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("fabricgen", "napalm_frr", "docs", "templates", "inventories", "schema")
SUFFIXES = {".py", ".md", ".j2", ".yaml", ".json", ".html"}

INSTEAD = {
    r"can not(?! only)": "cannot",
    r"anew": "again",
    r"in (?:the|its|their) midst": "half-way, in between",
    r"in (?:the|its|their) stead": "instead, in place of",
    r"go(?:es)? back by (?:itself|themselves)": "reverts by itself",
}
"""Pattern → what to write."""


@cache
def texts() -> dict[Path, str]:
    return {path: path.read_text(errors="replace") for path in files() if path.is_file()}


def files() -> list[Path]:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return sorted({*paths, *ROOT.glob("*.md")} - {ROOT / "CHANGELOG.md"})


@pytest.mark.parametrize("pattern", INSTEAD)
def test_plain_words(pattern: str) -> None:
    found = re.compile(rf"\b{pattern}\b", re.IGNORECASE)
    lines = (
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in texts().items()
        if "__pycache__" not in path.parts and found.search(text)
        for number, line in enumerate(text.splitlines(), 1)
        if found.search(line)
    )
    assert list(lines) == [], f"write {INSTEAD[pattern]}"
