"""docs/plan-page.md explains each line that a page can have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/plan-page.md").read_text()
PRINTERS = {"entry", "entries", "table"}


def labels() -> Iterator[str]:
    """Labels as the code that prints them has them."""
    for path in (ROOT / "fabricgen/summary").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PRINTERS:
                words = (one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant))
                yield from (word for word in words if isinstance(word, str) and word)


def test_every_line_of_a_page_is_explained() -> None:
    printed = set(labels())
    assert {"switches", "growth", "limits", "ECN (bytes)", "active"} <= printed
    explained = {
        word for row in re.findall(r"^\| (`[^|]*`) \|", PAGE, re.MULTILINE) for word in re.findall("`(.+?)`", row)
    }
    assert printed - explained == set()
    assert explained - printed == {"fabric"}
