"""A guard that only its tests call guards nothing: each is called where fabricgen runs."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent / "fabricgen"
GUARD = re.compile(r"(^|_)(faults?|problems?|refused|rules?|illegal|clashes|contradictions)$")


def uncalled() -> set[str]:
    """Functions that judge, and whose name stands nowhere in fabricgen but where they are defined."""
    guards: set[str] = set()
    used: set[str] = set()
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Name):
                used.add(node.id)
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.FunctionDef) and GUARD.search(node.name):
                guards.add(node.name)
    return guards - used


def test_every_guard_is_called() -> None:
    assert uncalled() == set()
