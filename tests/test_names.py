"""Names that must be there once: test modules, which plain `pytest` imports by their bare names, and constants."""

import ast
import re
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


NO_NAMES = re.compile(
    r"(^|_)(told|tells?|untold|unsaid|unspoken|stands?|stood|standing|nobody|calm|glances?|mends?|anew|midst|stead"
    r"|beside|behind|said|says|meant|held|crowds?|strangers?|looker|looked)(_|$)"
)
"""Words that do not tell what a function returns, or what a value is: write it in the terms of OpenConfig or Python."""
IN_BUNDLES = "fabricgen/prove/values.py: says"
"""A key of the bundles of `prove-platform`, which are compared with later ones."""


def _named(source: str) -> Iterator[str]:
    """Functions, classes and fields of classes."""
    for node in _statements(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            fields = (statement.target for statement in node.body if isinstance(statement, ast.AnnAssign))
            yield from (field.id for field in fields if isinstance(field, ast.Name))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below a node. Expressions, of which there are many more, define nothing that has a name here."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child
            yield from _statements(child)


def _is_unclear(name: str) -> bool:
    return NO_NAMES.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()) is not None


def test_names_say_what_a_thing_is() -> None:
    modules = [path for folder in ("fabricgen", "napalm_frr") for path in (ROOT / folder).rglob("*.py")]
    unclear = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules
        for name in (path.stem, *_named(path.read_text()))
        if _is_unclear(name)
    ]
    assert unclear == [IN_BUNDLES]
    assert [name for name in ("pods_standing", "_Told", "paths_told", "FileBeside") if not _is_unclear(name)] == []
