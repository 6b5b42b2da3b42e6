"""Compile plain templates, which only loop, test for presence and print, to fast Python.

jinja2 makes a template a generator that yields every piece on its own and calls a function for every attribute. Here
the values of adjoining lines go into one f-string, and a value that is read more than once is read once. The
environment must read values by attribute alone and must not escape. A template with other nodes (a filter, a block, an
include, `loop`) is compiled by jinja2's own generator, and so is every template if this was not tested with the
installed jinja2: its documents do not promise that syntax trees and compiled modules stay as they are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from keyword import iskeyword

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

TRIED = ("3.1.0", "3.1.1", "3.1.2", "3.1.3", "3.1.4", "3.1.5", "3.1.6")
"""Releases of jinja2 that tests/platforms/test_plain_templates.py was run with."""
PLAIN = (nodes.And, nodes.For, nodes.Getattr, nodes.If, nodes.Name, nodes.Or, nodes.Output, nodes.TemplateData)
MADE = ("loop", "self")
"""Names that jinja2 gives a meaning of its own."""


class PlainCode(CodeGenerator):
    """jinja2's code generator with a fast path for plain templates."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802 - jinja2's name
        """Write the module of a template."""
        if is_tried() and is_plain(node):
            self.stream.write(_Module(node).text(self.name))
        else:
            super().visit_Template(node, frame)


@cache
def is_tried() -> bool:
    """Whether the tests were run with the installed jinja2."""
    return version("jinja2") in TRIED


def is_plain(template: nodes.Template) -> bool:
    """Whether nothing in a template needs jinja2's own code."""
    return all(isinstance(node, PLAIN) and _is_usual(node) for node in template.find_all(nodes.Node))


def _is_usual(node: nodes.Node) -> bool:
    match node:
        case nodes.For():
            return isinstance(node.target, nodes.Name) and not (node.else_ or node.test or node.recursive)
        case nodes.If():
            return not node.elif_
        case nodes.Name():
            return node.name.isascii() and node.name not in MADE
        case nodes.Getattr():
            return node.attr.isascii() and not iskeyword(node.attr)
    return True


class _Module:
    """Generates the code of one template. Its variables have the names that jinja2's debugger expects: l_1_port.

    given  name → variable, of the values that the template is passed
    names  the same of the loops around the current place
    read   path that was read on every way to the current place → the variable that holds its value
    places line of the template → line of `lines` that errors at it are reported from
    """

    def __init__(self, template: nodes.Template) -> None:
        self._uses = Counter(_path(node) for node in template.find_all(nodes.Getattr))
        self._given: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._read: dict[str, str] = {}
        self._held = 0
        self._depth = 0
        self._lines: list[str] = []
        self._places: list[tuple[int, int]] = []
        self._block(template.body)

    def text(self, name: str | None) -> str:
        """The whole module, for the template of this name."""
        head = [f"name = {name!r}", "def root(context):", " pieces = []"]
        head += [f" {variable} = context.resolve({given_name!r})" for given_name, variable in self._given.items()]
        places = "&".join(f"{line}={len(head) + position}" for line, position in self._places)
        tail = [" yield ''.join(pieces)", "blocks = {}", f"debug_info = {places!r}"]
        return "\n".join((*head, *self._lines, *tail, ""))

    def _write(self, text: str, line: int) -> None:
        self._lines.append(" " * (self._depth + 1) + text)
        if not self._places or self._places[-1][0] != line:
            self._places.append((line, len(self._lines)))

    @contextmanager
    def _inner(self, names: Mapping[str, str]) -> Iterator[None]:
        """Scope of code that may run any number of times, or never, with names of its own."""
        before = self._names, self._read
        still_valid = {path: variable for path, variable in self._read.items() if path.partition(".")[0] not in names}
        self._names, self._read = {**self._names, **names}, still_valid
        yield
        self._names, self._read = before

    def _block(self, body: list[nodes.Node]) -> None:
        for node in body:
            if isinstance(node, nodes.Output):
                self._output(node)
            elif isinstance(node, nodes.If):
                self._if(node)
            elif isinstance(node, nodes.For):
                self._for(node)

    def _indented(self, start: str, line: int, body: list[nodes.Node], names: Mapping[str, str]) -> None:
        self._write(start, line)
        self._depth += 1
        # The body may be empty, and Python needs a statement.
        self._write("pass", line)
        with self._inner(names):
            self._block(body)
        self._depth -= 1

    def _output(self, node: nodes.Output) -> None:
        """Join adjoining pieces. What may be undefined begins a new string: Python reports where a string begins."""
        for position, child in enumerate(node.nodes):
            begins = not isinstance(child, (nodes.TemplateData, nodes.Getattr))
            if position and begins:
                self._write(")", child.lineno)
            if not position or begins:
                self._write("pieces.append(", child.lineno)
            code = repr(child.data) if isinstance(child, nodes.TemplateData) else f'f"{{{self._value(child)}!s}}"'
            self._write(code, child.lineno)
        self._write(")", node.nodes[-1].lineno)

    def _if(self, node: nodes.If) -> None:
        self._indented(f"if {self._value(node.test)}:", node.lineno, node.body, {})
        if node.else_:
            self._indented("else:", node.lineno, node.else_, {})

    def _for(self, node: nodes.For) -> None:
        values, variable = self._value(node.iter), f"l_{self._depth + 1}_{_path(node.target)}"
        self._indented(f"for {variable} in {values}:", node.lineno, node.body, {_path(node.target): variable})

    def _value(self, node: nodes.Node) -> str:
        """Code of an expression. A value that is read again elsewhere is assigned to a variable."""
        if isinstance(node, nodes.Name):
            return self._names.get(node.name) or self._given.setdefault(node.name, f"l_0_{node.name}")
        if isinstance(node, nodes.Getattr):
            return self._attribute(node, _path(node))
        if not isinstance(node, nodes.BinExpr):
            raise TypeError(f"{type(node).__name__} is not plain")
        left_operand = self._value(node.left)
        # The right operand is not always evaluated, so a value that it reads may be unset afterwards.
        with self._inner({}):
            return f"({left_operand} {node.operator} {self._value(node.right)})"

    def _attribute(self, node: nodes.Getattr, path: str) -> str:
        if path in self._read:
            return self._read[path]
        code = f"{self._value(node.node)}.{node.attr}"
        if not path or self._uses[path] == 1:
            return code
        self._held += 1
        self._read[path] = f"t_{self._held}"
        return f"({self._read[path]} := {code})"


def _path(node: nodes.Node) -> str:
    """Names of an attribute chain, with dots; empty for another expression."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr) and (start := _path(node.node)):
        return f"{start}.{node.attr}"
    return ""
