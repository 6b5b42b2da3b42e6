"""A guard that only its tests call guards nothing: each is called where fabricgen runs."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent / "fabricgen"
GUARD = re.compile(r"(^|_)(faults?|problems?|refused|rules?|illegal|clashes|contradictions)$")


def uncalled() -> set[str]:
    """Functions that judge, and whose name stands nowhere in fabricgen but where they are defined."""
    trees = [ast.parse(path.read_text()) for path in ROOT.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    guards = {node.name for node in nodes if isinstance(node, ast.FunctionDef) and GUARD.search(node.name)}
    used = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    used.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
    return {name for name in guards if not used[name]}


def test_every_guard_is_called() -> None:
    assert uncalled() == set()
