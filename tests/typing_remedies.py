"""A remedy as an operator types it: each choice that a fix offers, put where the problem is.

A fix is one or more choices: `write KEY: VALUE`, `accept it with KEY: VALUE`, a value in place of the one that is
refused (`write 10.0.0.0/25`, `choose one of …`, `did you mean …?`), or `remove …`. What is none of these is prose.
"""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

import yaml

from fabricgen.errors import IntentPath, Problem

WORD = r"(?:[a-z_0-9-]+|\"[^\"]+\")"
KEYED = re.compile(rf"^(?:write |accept it with |add )?([a-z_]+(?:\.{WORD})*): (?!for |or )(.+)$", re.DOTALL)
WRITE = re.compile(r"(?:^|\b)(?:write|accept it with|add) ([a-z_]+(?:\.[a-z_0-9-]+)*): (?!for |or )(.+)", re.DOTALL)
VALUE = r"[0-9a-f][0-9a-f.:/-]*|[a-z]+[-.0-9a-z]*"
IN_PLACE = re.compile(
    rf"^(?:write|did you mean) (?:(?:[a-z0-9./ ]+, )?e\.g\. )?({VALUE}|\"[^\"]+\"|\{{[^{{}}]*\}})"
    r"(?:\?|, the only choice)?$"
)
ONE_OF = re.compile(rf"^choose one of ((?:{VALUE})(?:, (?:{VALUE}))*)$")
INSTEAD = re.compile(r"^remove (?:this override|it there) and ")
REMOVE = re.compile(
    r"^remove (?:[^\s`]+ from `[a-z_]+`|[a-z]+ from the override of [^\s]+"
    r"|`?(?!it(?:$|:))([a-z_]+(?:\.[a-z_]+)*)(?:[`:].*)?|this override|it(?::.*)?)$",
    re.DOTALL,
)
ENDS = (" (", ", or ", " or ", "; ", " and ", ", ", " where ", " if ", " for ", " on ", " in ", " there")
"""Where the value of a remedy may end and prose goes on, or another choice."""
COMPARED = ("less", "more", "more,", "lower", "shorter", "larger", "another")
"""After a value: others are as good."""


class Typed(NamedTuple):
    """A key, from where the problem is or from the root, and its value. No key: in place of what is refused.

    removes  the key is taken away; instead: what is refused is taken away, and the key is written
    more     keys that are written together with it
    """

    key: tuple[str, ...]
    value: object
    removes: bool = False
    instead: bool = False
    more: tuple["Typed", ...] = ()


class Choices(NamedTuple):
    """What a fix offers: what can be typed, and the rest in its words."""

    typed: tuple[Typed, ...]
    prose: tuple[str, ...]


def choices(fix: str, prose: Sequence[str] = ()) -> Choices:
    """Every choice of a fix. Raises ValueError for a value that is no YAML.

    prose  patterns of choices that are no lines to type though they may look like some
    """
    found: list[Typed] = []
    left: list[str] = []
    for piece in _pieces(fix):
        listed = ONE_OF.match(piece)
        if listed is not None:
            found += [Typed((), value) for value in listed[1].split(", ")]
            continue
        one = None if any(re.search(row, piece) for row in prose) else _choice(piece, found[-1] if found else None)
        if one is not None:
            found.append(one)
        elif not found or piece.split()[0] not in COMPARED:
            left.append(piece)
    return Choices(tuple(found), tuple(left))


def _choice(piece: str, before: Typed | None) -> Typed | None:
    instead = INSTEAD.match(piece)
    if instead is not None:
        written = _choice(piece[instead.end() :], before)
        return written._replace(instead=True) if written is not None else None
    keyed = KEYED.match(piece)
    if keyed is not None:
        together = [KEYED.match(part) for part in keyed[2].split(" and ")[1:]]
        more = tuple(Typed(_key(each[1]), _value(each[2])) for each in together if each is not None)
        return Typed(_key(keyed[1]), _value(keyed[2]), more=more)
    removed = REMOVE.match(piece)
    if removed is not None:
        return Typed(_key(removed[1]) if removed[1] else (), None, removes=True)
    value = IN_PLACE.match(piece)
    if value is not None:
        return Typed((), yaml.safe_load(value[1]))
    if before is not None and not before.removes and re.fullmatch(r"[0-9][0-9./:a-f-]*", piece):
        return before._replace(value=yaml.safe_load(piece))
    return None


def _key(text: str) -> tuple[str, ...]:
    """Parts of a dotted key, of which one in quotes may have dots of its own."""
    return tuple(part.strip('"') for part in re.findall(WORD, text))


def _pieces(fix: str) -> Iterator[str]:
    """Choices of a fix: divided by `or` and by commas before it, outside of brackets and quotes."""
    depth, quoted, start, at = 0, False, 0, 0
    while at < len(fix):
        sign = fix[at]
        quoted ^= sign == '"'
        depth += (sign in "[{(") - (sign in "]})")
        end = next((word for word in (", or ", "; or ", " or ", "; ") if fix.startswith(word, at)), "")
        if end and not depth and not quoted:
            yield fix[start:at]
            at = start = at + len(end)
            continue
        at += 1
    yield fix[start:]


def typed(fix: str) -> Typed | None:
    """What a fix says to write first; None for a fix in prose. Raises ValueError for what is no YAML."""
    found = WRITE.search(fix)
    if found is None:
        return None
    return Typed(tuple(found[1].split(".")), _value(found[2]))


def _value(text: str) -> object:
    """The shortest beginning that is a whole value."""
    for end in sorted({*_ends(text), len(text)}):
        piece = text[:end]
        if piece.count("[") != piece.count("]") or piece.count("{") != piece.count("}") or piece.count('"') % 2:
            continue
        try:
            return yaml.safe_load(piece)
        except yaml.YAMLError as error:
            raise ValueError(f"{piece} cannot be typed") from error
    raise ValueError(f"{text} does not end")


def _ends(text: str) -> Iterator[int]:
    for end in ENDS:
        yield from (found.start() for found in re.finditer(re.escape(end), text))


def apply(document: dict[str, Any], problem: Problem, remedy: Typed) -> dict[str, Any]:
    """The document with the remedy in it."""
    if remedy.more:
        for each in (remedy._replace(more=()), *remedy.more):
            document = apply(document, problem, each)
        return document
    changed = deepcopy(document)
    inside: Any = changed
    *ahead, last = _place(document, problem.where, remedy)
    if not remedy.key and not remedy.removes and _is_group(problem):
        return without(_renamed(changed, (*ahead, last), str(remedy.value)), (*ahead, last))
    for part in ahead:
        if isinstance(inside, dict) and part not in inside:
            inside[part] = {}
        inside = inside[part]
    if remedy.removes:
        return without(document, (*ahead, last))
    inside[last] = _merged(inside.get(last), remedy.value) if last == "overrides" else remedy.value
    return without(changed, problem.where) if remedy.instead else changed


def _is_group(problem: Problem) -> bool:
    """Whether the word that is refused is a key: a server group that a fabric connects."""
    return (problem.where[-2:-1] == ("connects",) and problem.what.startswith("unknown server group ")) or (
        problem.where[:1] == ("overrides",) and len(problem.where) == 2 and problem.code == "unknown-name"
    )


def _renamed(document: dict[str, Any], path: IntentPath, name: str) -> dict[str, Any]:
    """The document with the value of a key under another name, too."""
    *ahead, last = path
    inside: Any = document
    for part in ahead:
        inside = inside[part]
    inside[name] = inside[last]
    return document


def _merged(known: object, more: object) -> object:
    """A block with what is written into it: an override more takes none away."""
    if not isinstance(known, dict) or not isinstance(more, dict):
        return more
    return known | {key: _merged(known.get(key), value) for key, value in more.items()}


def without(document: dict[str, Any], path: IntentPath) -> dict[str, Any]:
    """The document without a key, and without the blocks that are empty then."""
    changed = deepcopy(document)
    *ahead, last = path
    inside: Any = changed
    for part in ahead:
        inside = inside[part]
    del inside[last]
    return changed if inside or not ahead else without(changed, tuple(ahead))


def _place(document: dict[str, Any], where: IntentPath, remedy: Typed) -> IntentPath:
    if not remedy.key:
        return where
    if remedy.removes:
        return (*_nearest(document, where, remedy.key[0]), *remedy.key[1:])
    return _path(document, where, remedy.key)


def _nearest(document: dict[str, Any], where: IntentPath, key: str) -> IntentPath:
    """The key in the block nearest to the problem that has it."""
    for end in range(len(where), -1, -1):
        inside: Any = document
        for part in where[:end]:
            inside = inside[part] if isinstance(inside, dict) and part in inside else {}
        if isinstance(inside, dict) and key in inside:
            return (*where[:end], key)
    raise ValueError(f"there is no {key} to remove")


def _path(document: dict[str, Any], where: IntentPath, key: tuple[str, ...]) -> IntentPath:
    """Where a key is typed: at the root, in the block of that name above the problem, beside the value, or in it."""
    if len(key) > 1 and key[0] in document and key[1] in document[key[0]]:
        return key
    if key[0] in where and not (key[0] in document and len(key) == 1):
        at = len(where) - 1 - where[::-1].index(key[0])
        return (*where[:at], *key)
    return (*_block(document, where, key), *key)


def _block(document: dict[str, Any], where: IntentPath, key: tuple[str, ...]) -> IntentPath:
    """The block that a key is a part of, of those that hold the problem."""
    if key in (("relay_sources",), ("fabrics",)):
        return where[:2] if key == ("relay_sources",) else where[:4]
    if key[0] in document or key[0] in ("waivers", "overrides"):
        return ()
    fabric = where[:2]
    own = document["fabrics"][fabric[1]] if fabric[:1] == ("fabrics",) and len(fabric) > 1 else {}
    return fabric if key[0] in own or key[0] == "roce" or fabric == where else where[:-1]
