"""Codes of problems → what each says, read from the source of fabricgen itself: so none is missing.

A code stands where its problem is made, beside its words. Values that are filled in there are shown as an ellipsis.
Problems of the schema are made of what pydantic complains of; their words are here.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.explain.answer import Answer, Fact

ROOT = Path(__file__).parent.parent
CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
MOST = 6
"""Forms of one code that are shown."""
GIVEN = re.compile(r"def [a-z_]+\([^)]*\bcode\b|\blimit\(|^\s*(?:[a-z_]+, )*code(?:, [a-z_]+)* = ", re.MULTILINE)
"""What a module has that gives codes by their position: the others are not worth a second of parsing."""
PLAIN_WORD = re.compile(r"[A-Za-z]{2,}")
GAP = "…"
"""What stands for a value that a problem fills in."""


class Words(NamedTuple):
    """What a problem says, as far as it is the same each time; parts may be empty."""

    what: str
    why: str
    fix: str


SCHEMA: Mapping[str, Words] = MappingProxyType(
    {
        "unknown-key": Words("a key that is not known in its place", "the schema lists the keys of each block",
                             "write the key that is meant; docs/intent.md has all of them"),
        "missing-key": Words("a key is missing", "the block cannot be read without it", "add the key"),
        "bad-choice": Words("a value is none of its choices", "the choices are listed", "write one of them"),
        "bad-pattern": Words("a text has another form than is wanted", "the form is named", "write it in that form"),
        "wrong-type": Words("a value is of another type than is wanted, such as text where a number belongs",
                            "the type is named", "write a value of that type"),
        "out-of-range": Words("a number is too small or too large, or a list too short or too long",
                              "the bound is named", "write a value within it"),
        "bad-value": Words("a value is refused", "the rule is named", "correct the value"),
        "bad-address": Words("an address or prefix is none", "the rule is named", "correct the address"),
        "bad-name": Words("a name is refused", "the form of names is named", "write another name"),
    }
)  # fmt: skip
"""Code of a problem of the schema → its words."""

BY_COLUMN: Mapping[str, Words] = MappingProxyType(
    {
        f"{head}{column}{tail}": words
        for column in ("hostname", "rack", "serial", "state")
        for head, tail, words in (
            ("bad-", "", Words(f"the {column} of a line of the placement file is refused", "its form is named",
                               f"correct the {column}")),
            ("", "-twice", Words(f"two lines of the placement file have one {column}", "each is of one slot",
                                 f"write another {column} on one of them")),
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
        Fact(label, text)
        for form in forms[:MOST]
        for label, text in (("what", form.what), ("why", form.why), ("fix", form.fix))
        if text.strip(f" {GAP}")
    ]
    several = "" if len(forms) <= MOST else f"; {MOST} of {len(forms)} forms"
    facts = facts or [Fact("what", "its words name what was found, where it is found")]
    yield Answer("code", f"{code}: a problem, as it is told{several}", tuple(dict.fromkeys(facts)))


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


def _forms(code: str) -> Iterator[Words]:
    """The words beside each place in which a code stands."""
    marks = (f'"{code}"', f'"{code.replace("-", "_")}"')
    for text in _sources():
        if any(mark in text for mark in marks):
            for node in ast.walk(_tree(text)):
                if isinstance(node, ast.Call | ast.Tuple) and (found := _words(node, code)) is not None:
                    yield found


def _words(node: ast.Call | ast.Tuple, code: str) -> Words | None:
    """What a call that is given a code is given beside it."""
    given = list(node.args if isinstance(node, ast.Call) else node.elts)
    named = {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}
    if not any(_is_code(each, code) for each in (*given, *named.values())):
        return None
    if {"what", "why", "fix"} & set(named):
        return Words(*(_text(named[key]) if key in named else "" for key in ("what", "why", "fix")))
    after = next((at for at, each in enumerate(given) if _is_code(each, code)), len(given)) + 1
    texts = [text for each in given[after : after + 3] if (text := _text(each)).strip(f" {GAP}")]
    return Words(*[*texts, "", "", ""][:3]) if texts else None


def _is_code(node: ast.expr, code: str) -> bool:
    return isinstance(node, ast.Constant) and node.value in (code, code.replace("-", "_"))


def _text(node: ast.expr) -> str:
    """A text with an ellipsis for each value that is filled in."""
    match node:
        case ast.Constant(value=str() as text):
            return re.sub(r"\{[a-z_]+\}", GAP, text)
        case ast.JoinedStr(values=values):
            return "".join(_text(each) if isinstance(each, ast.Constant) else GAP for each in values)
        case ast.BinOp(left=left, right=right):
            return _text(left) + _text(right)
        case ast.IfExp(body=body):
            return _text(body)
        case _:
            return GAP
