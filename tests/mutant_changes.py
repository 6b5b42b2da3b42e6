"""What a mutant is: a named place of the product, and one small change of its syntax tree.

A place is `module:name`, the name with that of its class before it: `fabricgen.plan.wiring:Above.end`. A change is of
one kind of piece, such as a returned value or the condition of an `if`, and the place must have exactly one of them.
Where it has several, `about` is a word that is in the right one alone: an attribute, a function, a key or a text. Of
pieces inside each other the innermost counts. A piece that is no longer there, or no longer alone, is an error.

What is put in is an expression. The word `it` in it is the piece as it was: `returns("it - 1")`.

Templates and scripts for a shell have no tree of Python: `words` changes a short text there, which must be there once.
"""

import ast
import builtins
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
IT = "it"
OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.Div,
    "//": ast.FloorDiv,
    "%": ast.Mod,
}
COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}


class MisfitError(Exception):
    """A place or a piece is not there, or there are several of it."""


class Change(NamedTuple):
    """A change of one piece of a place.

    kind     what it changes, in words
    offers   pieces of that kind that a node has, itself or right below it
    instead  what comes in place of a piece; None where it is left out
    puts     the expression that is put in, if one is
    about    a word in the piece, where there are several
    text     how it changes a text that has no tree
    """

    kind: str
    offers: Callable[[ast.AST], list[ast.AST]]
    instead: Callable[[ast.AST], ast.AST | None]
    puts: str = ""
    about: str = ""
    text: Callable[[str], str] | None = None


def returns(new: str, about: str = "") -> Change:
    """Another value is returned, or yielded."""

    def offers(node: ast.AST) -> list[ast.AST]:
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) and node.value is not None:
            return [node.value]
        return []

    return Change("a returned value", offers, _putting(new), new, about)


def condition(new: str, about: str = "") -> Change:
    """An `if`, a `while` or the end of a comprehension asks something else."""

    def offers(node: ast.AST) -> list[ast.AST]:
        if isinstance(node, ast.comprehension):
            return [*node.ifs]
        return [node.test] if isinstance(node, (ast.If, ast.IfExp, ast.While)) else []

    return Change("a condition", offers, _putting(new), new, about)


def operand(new: str, about: str = "") -> Change:
    """One side of an `and` or an `or` is another."""

    def offers(node: ast.AST) -> list[ast.AST]:
        return [*node.values] if isinstance(node, ast.BoolOp) else []

    return Change("a side of `and` or `or`", offers, _putting(new), new, about)


def value(name: str, new: str, about: str = "") -> Change:
    """What is given by a name is another: a keyword of a call, a row of a table, what is assigned.

    name  the keyword, the key as the table writes it (a text without its quotes), or what is assigned to
    """

    def offers(node: ast.AST) -> list[ast.AST]:
        if isinstance(node, ast.keyword):
            return [node.value] if node.arg == name else []
        if isinstance(node, ast.Dict):
            rows = zip(node.keys, node.values, strict=True)
            return [found for key, found in rows if key is not None and _key(key) == name]
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            return [node.value] if name in _targets(node) else []
        return []

    return Change(f"a value of {name}", offers, _putting(new), new, about)


def named(old: str, new: str, about: str = "") -> Change:
    """Something else is used where this was, a function, a constant or an attribute: `max`, `link.mtu`."""

    def offers(node: ast.AST) -> list[ast.AST]:
        is_kind = isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
        return [node] if is_kind and ast.unparse(node) == old else []

    return Change(f"a use of {old}", offers, _putting(new), new, about)


def literal(old: object, new: object, about: str = "") -> Change:
    """A number or a text is another."""

    def offers(node: ast.AST) -> list[ast.AST]:
        return [node] if isinstance(node, ast.Constant) and repr(node.value) == repr(old) else []

    return Change(f"a literal {old!r}", offers, lambda _: _expression(repr(new)), about=about)


def compares(old: str, new: str, about: str = "") -> Change:
    """A comparison has another operator."""

    def offers(node: ast.AST) -> list[ast.AST]:
        is_kind = isinstance(node, ast.Compare) and [type(each) for each in node.ops] == [COMPARISONS[old]]
        return [node] if is_kind else []

    def instead(piece: ast.AST) -> ast.AST:
        other = deepcopy(piece)
        if isinstance(other, ast.Compare):
            other.ops = [COMPARISONS[new]()]
        return other

    return Change(f"a comparison by {old}", offers, instead, about=about)


def computes(old: str, new: str, about: str = "") -> Change:
    """An arithmetic operator is another."""

    def offers(node: ast.AST) -> list[ast.AST]:
        return [node] if isinstance(node, ast.BinOp) and isinstance(node.op, OPERATORS[old]) else []

    def instead(piece: ast.AST) -> ast.AST:
        other = deepcopy(piece)
        if isinstance(other, ast.BinOp):
            other.op = OPERATORS[new]()
        return other

    return Change(f"an operation {old}", offers, instead, about=about)


def without(about: str) -> Change:
    """A statement, or an element of a table, is left out."""

    def offers(node: ast.AST) -> list[ast.AST]:
        elements = [*node.elts] if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else []
        is_plain = isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.ClassDef))
        return [*elements, *([node] if is_plain else [])]

    return Change("a statement or an element", offers, lambda _: None, about=about)


def words(old: str, new: str) -> Change:
    """A short text of a template, or of a script in a constant, is another. It must be there once."""

    def offers(node: ast.AST) -> list[ast.AST]:
        has = isinstance(node, ast.Constant) and isinstance(node.value, str) and old in node.value
        return [node] if has else []

    def text(whole: str) -> str:
        if whole.count(old) != 1:
            raise MisfitError(f"{old!r} is there {whole.count(old)} times, and must be once")
        return whole.replace(old, new)

    def instead(piece: ast.AST) -> ast.AST:
        return ast.Constant(text(str(getattr(piece, "value", ""))))

    return Change(f"a text with {old!r}", offers, instead, text=text)


def _putting(new: str) -> Callable[[ast.AST], ast.AST]:
    """Put in an expression, in which `it` is the piece as it was."""

    def instead(piece: ast.AST) -> ast.AST:
        found: ast.AST = _Filled(piece).visit(_expression(new))
        return found

    return instead


class Mutant(NamedTuple):
    """One break of the product.

    place   `module:name`, or the path of a template
    breaks  what goes wrong with it
    tests   paths, and with :: single tests, of which at least one must fail
    """

    name: str
    place: str
    change: Change
    breaks: str
    tests: tuple[str, ...]

    @property
    def path(self) -> str:
        """The file of its place."""
        if self.is_text:
            return self.place
        module = self.place.partition(":")[0].replace(".", "/")
        return f"{module}.py" if (ROOT / f"{module}.py").is_file() else f"{module}/__init__.py"

    @property
    def is_text(self) -> bool:
        """Whether its place is a whole file that is not Python."""
        return ":" not in self.place


class Broken(NamedTuple):
    """A file without and with the break, both as `ast.unparse` writes them: no test finds a break by its format."""

    sound: str
    broken: str


def broken(mutant: Mutant) -> Broken:
    """The file of a mutant. Raises MisfitError where the change does not fit, or changes nothing."""
    if not (ROOT / mutant.path).is_file():
        raise MisfitError("there is no such file")
    text = (ROOT / mutant.path).read_text()
    if mutant.is_text:
        if mutant.change.text is None:
            raise MisfitError(f"{mutant.place} has no tree of Python")
        return Broken(text, mutant.change.text(text))
    tree, sound = ast.parse(text), ast.parse(text)
    place = located(tree, mutant.place.partition(":")[2])
    strange = names_of(mutant.change.puts) - {IT} - words_of(tree) - set(dir(builtins))
    if strange:
        raise MisfitError(f"{mutant.path} has no {', '.join(sorted(strange))}")
    _change(tree, place, mutant.change)
    ast.fix_missing_locations(tree)
    found = Broken(ast.unparse(sound), ast.unparse(tree))
    if found.sound == found.broken:
        raise MisfitError("the change changes nothing")
    compile(found.broken, mutant.path, "exec")
    return found


def _change(tree: ast.Module, place: ast.AST, change: Change) -> None:
    """Make it, in a tree that holds the place."""
    found = [piece for node in ast.walk(place) for piece in change.offers(node)]
    found = [piece for piece in found if not change.about or change.about in words_of(piece)]
    inner = [piece for piece in found if not any(other is not piece and _holds(piece, other) for other in found)]
    if len(inner) != 1:
        about = f" about {change.about}" if change.about else ""
        raise MisfitError(f"{change.kind}{about} is there {len(inner)} times, and must be once")
    _replace(tree, inner[0], change.instead(inner[0]))


def located(tree: ast.Module, name: str) -> ast.AST:
    """The function, class or constant of a qualified name."""
    node: ast.AST = tree
    for part in name.split("."):
        found = [each for each in getattr(node, "body", ()) if part in _names_given(each)]
        if len(found) != 1:
            raise MisfitError(f"{part} of {name} is there {len(found)} times, and must be once")
        node = found[0]
    return node


def words_of(node: ast.AST) -> set[str]:
    """Names, attributes, keywords and whole texts in a piece."""
    return set(_words(node))


def names_of(expression: str) -> set[str]:
    """Names that an expression uses, without those that it gives itself."""
    nodes = [*ast.walk(_expression(expression))] if expression else []
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {node.id for node in nodes if isinstance(node, ast.Name)} - own


def _words(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, (ast.keyword, ast.arg)):
            yield each.arg or ""
        elif isinstance(each, ast.alias):
            yield (each.asname or each.name).partition(".")[0]
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            yield each.name
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _names_given(node: ast.AST) -> list[str]:
    """Names that a statement gives."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return [node.target.id] if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else []


def _targets(node: ast.AST) -> list[str]:
    """What an assignment gives a value to."""
    if isinstance(node, ast.Assign):
        return [ast.unparse(target) for target in node.targets]
    return [ast.unparse(node.target)] if isinstance(node, ast.AnnAssign) else []


def _key(node: ast.AST) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)


def _holds(outer: ast.AST, inner: ast.AST) -> bool:
    return any(node is inner for node in ast.walk(outer))


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class _Filled(ast.NodeTransformer):
    """Puts the piece as it was where an expression says `it`."""

    def __init__(self, piece: ast.AST) -> None:
        self._piece = piece

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return deepcopy(self._piece) if node.id == IT else node


def _replace(tree: ast.AST, old: ast.AST, new: ast.AST | None) -> None:
    """Put a node in place of another, or leave the other out."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old and new is not None:
                setattr(parent, field, new)
                return
            if isinstance(value, list) and any(each is old for each in value):
                at = next(number for number, each in enumerate(value) if each is old)
                kept = [] if new is None else [new]
                if not kept and len(value) == 1 and isinstance(old, ast.stmt):
                    kept = [ast.Pass()]
                value[at : at + 1] = kept
                return
    raise MisfitError("the piece cannot be left out")
