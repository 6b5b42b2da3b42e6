"""Codes of problems → what each says, read from the source of fabricgen itself: so none is missing.

A code is where its problem is made, beside its words. Values that are filled in there are shown by the name that the
source has for them, as in <path>; those without a name as an ellipsis.
Problems of the schema are made of what pydantic complains of; their words are here.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.meanings import OF_MESSAGES

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MOST = 6
"""Forms of one code that are shown."""
GIVEN = re.compile(r"def [a-z_]+\([^)]*\bcode\b|\blimit\(|^\s*(?:[a-z_]+, )*code(?:, [a-z_]+)* = ", re.MULTILINE)
"""What a module has that gives codes by their position: the others are not worth a second of parsing."""
PLAIN_WORD = re.compile(r"[A-Za-z]{2,}")
GAP = "…"
"""A value that a problem fills in, where the source has no name for it that says something."""
NAMELESS = frozenset({
    "after", "asked", "at", "before", "cause", "each", "end", "error", "first", "form", "found", "given", "key", "last",
    "left", "less", "many", "more", "most", "name", "of", "one", "other", "part", "piece", "rest", "right", "said",
    "self", "some", "text", "that", "told", "value", "what", "where", "which", "who", "why", "word", "words", "wrong",
})  # fmt: skip
"""Names of the source that say nothing beside the words of a message."""
FILLED = re.compile(rf"<[a-z0-9 ]+>|{GAP}")


class ProblemText(NamedTuple):
    """What a problem says, as far as it is the same each time; parts may be empty."""

    what: str
    why: str
    fix: str


SCHEMA: Mapping[str, ProblemText] = MappingProxyType(
    {
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
    }
)  # fmt: skip
"""Code of a problem of the schema → its words."""

BY_COLUMN: Mapping[str, ProblemText] = MappingProxyType(
    {
        f"{head}{column}{tail}": words
        for column in ("hostname", "rack", "serial", "state")
        for head, tail, words in (
            ("bad-", "", ProblemText(f"the {column} in a line of the placement file is not valid",
                               "the message names the allowed format", f"correct the {column}")),
            ("", "-twice", ProblemText(f"two lines of the placement file have the same {column}",
                                 "each line is about another slot", f"correct the {column} of one of them")),
        )
    }
)  # fmt: skip
"""Codes that are made of the name of a column."""


def problem_answers(code: str) -> Iterator[Answer]:
    """What the problem of a code says, each of its forms once; nothing for what is no code."""
    if not CODE.fullmatch(code) or code not in problem_codes():
        return
    known = SCHEMA.get(code) or BY_COLUMN.get(code)
    forms = [known] if known else list(dict.fromkeys(_forms(code)))
    facts = [
        AnswerLine(label, text)
        for form in forms[:MOST]
        for label, text in (("what", form.what), ("why", form.why), ("fix", form.fix))
        if len(PLAIN_WORD.findall(FILLED.sub(" ", text))) > 1
    ]
    several = "" if len(forms) <= MOST else f", {MOST} of its {len(forms)} forms"
    if known is None:
        facts.insert(0, AnswerLine("meaning", input_meanings()[code]))
    yield Answer("code", f"{code}: an error message{several}", tuple(dict.fromkeys(facts)))


@cache
def input_meanings() -> Mapping[str, str]:
    """Code of a problem that no check has → what it means, in one sentence."""
    return MappingProxyType({**first_words(), **OF_MESSAGES})


def first_words() -> Mapping[str, str]:
    """Code → what its problem is about, in the first form that has words; a code without words is left out."""
    codes = problem_codes()
    found: dict[str, str] = {code: words.what for code, words in (*SCHEMA.items(), *BY_COLUMN.items())}
    for text in _sources():
        if "Problem" in text or GIVEN.search(text):
            for node in ast.walk(_tree(text)):
                if isinstance(node, ast.Call | ast.Tuple):
                    _keep_words(node, codes, found)
    return found


def _keep_words(node: ast.Call | ast.Tuple, codes: frozenset[str], found: dict[str, str]) -> None:
    """Keep the words of the code that a call is given, where none are kept yet."""
    given = (*node.args, *(each.value for each in node.keywords)) if isinstance(node, ast.Call) else node.elts
    texts = (each.value for each in given if isinstance(each, ast.Constant))
    for code in {text.replace("_", "-") for text in texts if isinstance(text, str)} & codes - found.keys():
        words = _words(node, code)
        if words is not None and words.what not in codes and len(PLAIN_WORD.findall(words.what)) > 1:
            found[code] = words.what


@cache
def problem_codes() -> frozenset[str]:
    """Every code that any command may print."""
    found = {*SCHEMA, *BY_COLUMN}
    for text in _sources():
        found |= set(re.findall(r'code\s*=\s*"([a-z0-9-]+)"', text))
        found |= {word.replace("_", "-") for word in re.findall(r'CustomError\(\s*"([a-z_]+)"', text)}
        if GIVEN.search(text):
            found |= set(_positional(_tree(text)))
    return frozenset(found)


@cache
def _sources() -> tuple[str, ...]:
    """Text of every module, by path."""
    return tuple(path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py")))


@cache
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _positional(tree: ast.AST) -> Iterator[str]:
    """Codes that are given by position to a function of the module that has a parameter `code`."""
    takes = {
        node.name: [arg.arg for arg in node.args.args].index("code")
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and "code" in [arg.arg for arg in node.args.args]
    }
    takes |= {"limit": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = takes.get(name)
            # A method has its first parameter before the point.
            for offset in (0, -1) if at is not None else ():
                given = node.args[at + offset] if at is not None and 0 <= at + offset < len(node.args) else None
                if isinstance(given, ast.Constant) and isinstance(given.value, str) and CODE.fullmatch(given.value):
                    yield given.value
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            yield from _unpacked(node)


def _unpacked(node: ast.Assign) -> Iterator[str]:
    """The code of `code, what, fix = "file-missing", …`."""
    targets, value = node.targets[0], node.value
    if not isinstance(targets, ast.Tuple) or not isinstance(value, ast.Tuple):
        return
    for target, given in zip(targets.elts, value.elts, strict=False):
        if isinstance(target, ast.Name) and target.id == "code" and isinstance(given, ast.Constant):
            yield str(given.value)


def _forms(code: str) -> Iterator[ProblemText]:
    """The words beside each place in which a code stands."""
    marks = (f'"{code}"', f'"{code.replace("-", "_")}"')
    for text in _sources():
        if any(mark in text for mark in marks):
            for node in ast.walk(_tree(text)):
                if isinstance(node, ast.Call | ast.Tuple) and (found := _words(node, code)) is not None:
                    yield found


def _words(node: ast.Call | ast.Tuple, code: str) -> ProblemText | None:
    """What a call that is given a code is given beside it."""
    given = list(node.args if isinstance(node, ast.Call) else node.elts)
    named = {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}
    if not any(_is_code(each, code) for each in (*given, *named.values())):
        return None
    if {"what", "why", "fix"} & set(named):
        return ProblemText(*(_text(named[key]) if key in named else "" for key in ("what", "why", "fix")))
    after = next((at for at, each in enumerate(given) if _is_code(each, code)), len(given)) + 1
    texts = [text for each in given[after : after + 3] if (text := _text(each)).strip(f" {GAP}")]
    return ProblemText(*[*texts, "", "", ""][:3]) if texts else None


def _is_code(node: ast.expr, code: str) -> bool:
    return isinstance(node, ast.Constant) and node.value in (code, code.replace("-", "_"))


def _text(node: ast.expr) -> str:
    """A text with the values that are filled in by their names."""
    match node:
        case ast.Constant(value=str() as text):
            return re.sub(r"\{([a-z_]+)\}", lambda found: _filled(found[1]), text)
        case ast.JoinedStr(values=values):
            return "".join(_text(each) if isinstance(each, ast.Constant) else _value(each) for each in values)
        case ast.BinOp(left=left, right=right):
            return _text(left) + _text(right)
        case ast.IfExp(body=body):
            return _text(body)
        case _:
            return GAP


def _value(node: ast.expr) -> str:
    """A value that is filled in, by the name that the source has for it."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) if name not in NAMELESS:
            return _filled(name)
        case ast.Attribute(value=of) | ast.FormattedValue(value=of):
            return _value(of)
        case ast.Call(func=ast.Name(id="len"), args=[of]):
            found = _value(of)
            return found if found == GAP else f"<number of {found[1:-1]}>"
        case ast.Call(args=[of]):
            return _value(of)
        case _:
            return _text(node) if isinstance(node, ast.IfExp) else GAP


def _filled(name: str) -> str:
    """`<file name>` for a variable of that name."""
    return GAP if name in NAMELESS else f"<{name.strip('_').lower().replace('_', ' ')}>"
