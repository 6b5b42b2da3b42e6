"""Names that must be there once: test modules, which plain `pytest` imports by their bare names, and constants."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_no_two_test_modules_share_a_name() -> None:
    names = Counter(path.name for path in ROOT.glob("tests/**/test_*.py"))
    assert len(names) > 200
    assert [name for name, count in names.items() if count > 1] == []


def _assigned(source: str) -> Iterator[str]:
    """Names that a module assigns on its top level, each as often as it does."""
    for statement in ast.parse(source).body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def test_no_module_assigns_a_constant_twice() -> None:
    """The first value would be lost for all that is computed later in the module."""
    modules = [path for folder in ("fabricgen", "napalm_frr") for path in (ROOT / folder).rglob("*.py")]
    assert len(modules) > 500
    twice = {
        (str(path.relative_to(ROOT)), name)
        for path in modules
        for name, count in Counter(_assigned(path.read_text())).items()
        if count > 1
    }
    assert twice == set()
