"""Codes of problems → their messages, read from the source of fabricgen itself, so none is missing.

A code is in the source next to its message. Values that are filled in are shown by the name of their variable, as in
<path>; those without a helpful name as an ellipsis. Problems of the schema come from pydantic; their messages are here.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.examples import example_lines
from fabricgen.explain.meanings import OF_MESSAGES

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MOST = 6
"""Limit on the forms of one code that are shown."""
GIVEN = re.compile(r"def [a-z_]+\([^)]*\bcode\b|\blimit\(|^\s*(?:[a-z_]+, )*code(?:, [a-z_]+)* = ", re.MULTILINE)
"""Matches modules that pass codes by position; the others need not be parsed, which saves a second."""
PLAIN_WORD = re.compile(r"[A-Za-z]{2,}")
MOST_FILLED = 2
"""A text with more values that are filled in is left out: the message itself is easier to read."""
GAP = "…"
"""A value that a problem fills in, if its variable has no helpful name."""
NAMELESS = frozenset({
    "after", "asked", "at", "before", "cause", "each", "end", "error", "first", "form", "found", "given", "key", "last",
    "left", "less", "many", "more", "most", "name", "of", "one", "other", "part", "piece", "rest", "right", "said",
    "self", "some", "text", "that", "told", "value", "what", "where", "which", "who", "why", "word", "words", "wrong",
})  # fmt: skip
"""Variable names that do not help a reader of the message."""
FILLED = re.compile(rf"<[a-z0-9 ]+>|{GAP}")


class ProblemText(NamedTuple):
    """The parts of a problem's message that are always the same; each may be empty."""

    what: str
    why: str
    fix: str


SCHEMA: Mapping[str, ProblemText] = {
    "unknown-key": ProblemText("a key is unknown in this block", "a key that is ignored would hide a typing error",
                         "use a key of docs/intent.md; the message names the nearest one"),
    "missing-key": ProblemText("a required key is missing", "it has no default",
                         "add the key; the message shows the line"),
    "bad-choice": ProblemText("a value is not one of the allowed ones", "the message lists them",
                        "use one of them, e.g. transport: roce-lossless"),
    "bad-pattern": ProblemText("a text has the wrong format", "the message names the format",
                         "write it in that format, e.g. site: dc-1"),
    "wrong-type": ProblemText("a value has the wrong type, such as text in place of a number",
                        "the message names the type", "write a value of that type, e.g. mtu: 9214"),
    "out-of-range": ProblemText("a number is too small or too large, or a list too short or too long",
                          "the message names the limit", "write a value within the limit"),
    "bad-value": ProblemText(
        "a value is not valid", "the message names the rule", "write a value that follows the rule"
    ),
    "bad-address": ProblemText("an address or prefix is not valid", "the message names the rule",
                         "write an address such as 10.0.0.5, or a prefix such as 10.64.0.0/16"),
    "bad-name": ProblemText(
        "a name is not valid", "the message names the allowed format", "use a name of that format"
    ),
}  # fmt: skip
"""Code of a problem of the schema → its message."""

BY_COLUMN: Mapping[str, ProblemText] = {
    f"{head}{column}{tail}": words
    for column in ("hostname", "rack", "serial", "state")
    for head, tail, words in (
        ("bad-", "", ProblemText(f"the {column} in a line of the placement file is not valid",
                           "the message names the allowed format", f"correct the {column}")),
        ("", "-twice", ProblemText(f"two lines of the placement file have the same {column}",
                             "each line is for another slot", f"correct the {column} of one of them")),
    )
}  # fmt: skip
"""Codes that contain the name of a column."""


def problem_answers(code: str) -> Iterator[Answer]:
    """The message of the problem of a code, each of its forms once; nothing for a text that is not a code."""
    if not CODE.fullmatch(code) or code not in problem_codes():
        return
    known = SCHEMA.get(code) or BY_COLUMN.get(code)
    example = tuple(example_lines(code))
    if example:
        yield Answer("code", f"{code}: an error message", (AnswerLine("meaning", input_meanings()[code]), *example))
        return
    forms = [known] if known else list(dict.fromkeys(_forms(code)))
    facts = [
        AnswerLine(label, text)
        for form in forms[:MOST]
        for label, text in (("what", form.what), ("why", form.why), ("fix", form.fix))
        if len(PLAIN_WORD.findall(FILLED.sub(" ", text))) > 1 and len(FILLED.findall(text)) <= MOST_FILLED
    ]
    several = "" if len(forms) <= MOST else f", {MOST} of its {len(forms)} forms"
    if known is None:
        facts.insert(0, AnswerLine("meaning", input_meanings()[code]))
    yield Answer("code", f"{code}: an error message{several}", tuple(dict.fromkeys(facts)))


@cache
def input_meanings() -> Mapping[str, str]:
    """Code of a problem that no check has → its meaning, in one sentence."""
    return MappingProxyType({**first_words(), **OF_MESSAGES})


def first_words() -> Mapping[str, str]:
    """Code → `what` of the first form that has words; a code without words is left out."""
    codes = problem_codes()
    first_what: dict[str, str] = {code: words.what for code, words in (*SCHEMA.items(), *BY_COLUMN.items())}
    for text in _sources():
        if "Problem" in text or "FabricError.of(" in text or GIVEN.search(text):
            for node in ast.walk(_tree(text)):
                if isinstance(node, ast.Call | ast.Tuple):
                    _keep_words(node, codes, first_what)
    return first_what


def _keep_words(node: ast.Call | ast.Tuple, codes: frozenset[str], first_what: dict[str, str]) -> None:
    """Keep the words of the code that a call is given, if none are kept yet."""
    arguments = (*node.args, *(keyword.value for keyword in node.keywords)) if isinstance(node, ast.Call) else node.elts
    texts = (argument.value for argument in arguments if isinstance(argument, ast.Constant))
    for code in {text.replace("_", "-") for text in texts if isinstance(text, str)} & codes - first_what.keys():
        words = _words(node, code)
        if words is not None and words.what not in codes and len(PLAIN_WORD.findall(words.what)) > 1:
            first_what[code] = words.what


@cache
def problem_codes() -> frozenset[str]:
    """Every code that any command may print."""
    codes = {*SCHEMA, *BY_COLUMN}
    for text in _sources():
        codes |= set(re.findall(r'code\s*=\s*"([a-z0-9-]+)"', text))
        codes |= {word.replace("_", "-") for word in re.findall(r'CustomError\(\s*"([a-z_]+)"', text)}
        if GIVEN.search(text):
            codes |= set(_positional(_tree(text)))
    return frozenset(codes)


@cache
def _sources() -> tuple[str, ...]:
    """Text of every module, by path."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py")))


@cache
def _constants() -> Mapping[str, str]:
    """Name → text of the constants of one word, of those with the same text in every module."""
    found = [match for text in _sources() for match in re.findall(r'^([A-Z_]+) = "([a-z]+)"$', text, re.MULTILINE)]
    return {name: text for name, text in found if len({other for key, other in found if key == name}) == 1}


@cache
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _positional(tree: ast.AST) -> Iterator[str]:
    """Codes that are passed by position to a function of the module with a parameter `code`."""
    positions = {
        node.name: [arg.arg for arg in node.args.args].index("code")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and "code" in [arg.arg for arg in node.args.args]
    }
    positions |= {"limit": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            index = positions.get(name)
            # Called as a method, the call's arguments do not include the first parameter.
            for offset in (0, -1) if index is not None else ():
                given = (
                    node.args[index + offset] if index is not None and 0 <= index + offset < len(node.args) else None
                )
                if isinstance(given, ast.Constant) and isinstance(given.value, str) and CODE.fullmatch(given.value):
                    yield given.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            yield from _unpacked(node)


def _unpacked(node: ast.Assign) -> Iterator[str]:
    """The code in `code, what, fix = "file-missing", …`."""
    targets, value = node.targets[0], node.value
    if not isinstance(targets, ast.Tuple) or not isinstance(value, ast.Tuple):
        return
    for target, given in zip(targets.elts, value.elts, strict=False):
        if isinstance(target, ast.Name) and target.id == "code" and isinstance(given, ast.Constant):
            yield str(given.value)


def _forms(code: str) -> Iterator[ProblemText]:
    """The words next to each use of a code."""
    marks = (f'"{code}"', f'"{code.replace("-", "_")}"')
    for text in _sources():
        if any(mark in text for mark in marks):
            for node in ast.walk(_tree(text)):
                if isinstance(node, ast.Call | ast.Tuple) and (problem_text := _words(node, code)) is not None:
                    yield problem_text


def _words(node: ast.Call | ast.Tuple, code: str) -> ProblemText | None:
    """The words that a call has next to a code."""
    positional = list(node.args if isinstance(node, ast.Call) else node.elts)
    keywords = {keyword.arg: keyword.value for keyword in node.keywords} if isinstance(node, ast.Call) else {}
    if not any(_is_code(arg, code) for arg in (*positional, *keywords.values())):
        return None
    if {"what", "why", "fix"} & set(keywords):
        return ProblemText(*(_text(keywords[key]) if key in keywords else "" for key in ("what", "why", "fix")))
    start = next((index for index, arg in enumerate(positional) if _is_code(arg, code)), len(positional)) + 1
    texts = [text for arg in positional[start : start + 3] if (text := _text(arg)).strip(f" {GAP}")]
    return ProblemText(*[*texts, "", "", ""][:3]) if texts else None


def _is_code(node: ast.expr, code: str) -> bool:
    return isinstance(node, ast.Constant) and node.value in (code, code.replace("-", "_"))


def _text(node: ast.expr) -> str:
    """A text in which filled-in values are shown by their names."""
    match node:
        case ast.Constant(value=str() as text):
            return re.sub(r"\{([a-z_]+)\}", lambda placeholder: _filled(placeholder[1]), text)
        case ast.JoinedStr(values=values):
            return "".join(_text(part) if isinstance(part, ast.Constant) else _value(part) for part in values)
        case ast.BinOp(left=left, right=right):
            return _text(left) + _text(right)
        case ast.IfExp(body=body):
            return _text(body)
        case _:
            return GAP


def _value(node: ast.expr) -> str:
    """A filled-in value, by the name of its variable."""
    match node:
        case ast.Name(id=name) if name in _constants():
            return _constants()[name]
        case ast.Name(id=name) | ast.Attribute(attr=name) if name not in NAMELESS:
            return _filled(name)
        case ast.Attribute(value=inner) | ast.FormattedValue(value=inner):
            return _value(inner)
        case ast.Call(func=ast.Name(id="len")):
            return GAP
        case ast.Call(args=[inner]):
            return _value(inner)
        case _:
            return _text(node) if isinstance(node, ast.IfExp) else GAP


def _filled(name: str) -> str:
    """`<file name>` for a variable of that name."""
    return GAP if name in NAMELESS else f"<{name.strip('_').lower().replace('_', ' ')}>"
