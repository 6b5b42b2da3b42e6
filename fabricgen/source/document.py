"""YAML files to plain values with the position of each, without the surprises of YAML 1.1.

`yaml_events` says what resolves. Duplicate keys, anchors, aliases, merge keys, tags, directives and further documents
are refused, each with its position; so are files past the limits, before they cost time or memory.
"""

import errno
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import yaml

from fabricgen.base.text import counted
from fabricgen.errors import FabricError, IntentPath, Problem, Source
from fabricgen.source.yaml_events import MAX_OCTETS, MAX_PROBLEMS, REFUSED_TEXT, Composer, is_plain, limit

# libyaml's parser; PyYAML's own, which is 4 to 20 times slower, if PyYAML was built without libyaml.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MARKER = re.compile(r"^(?:<{7}|>{7}|[|]{7})(?= |$)", re.MULTILINE)
"""A line that git writes between the lines of two branches; its `=======` is valid text elsewhere."""
_NO_COLON = re.compile(r"[ -]*([a-z_]+) +([^\s:#][^:#]*?) *")
_AFTER = ("mapping values", "simple key", "document start")
"""What the parser reports on the line after a key without its colon."""
_UNQUOTED = r"(?:\$\{[^{}]*\}|\[[^\[\]]*\]|[^,}\]#])*"
"""What was meant to be in quotes that are not closed: up to the end of an item, of a collection, or a comment."""
_INDENTED = ("did not find expected key", "did not find expected '-'", "mapping values", "expected <block end>")
"""What the parser reports where a line may be indented wrongly."""
_NOT_YAML = "the text from here on is not YAML"
_LISTED = 2000  # files of a folder that are compared with the name of a missing one
_DIRECTIVE = re.compile(r"^%", re.MULTILINE)

# `train[0-7]`, `${env:NAME}`: a word that continues with a bracket, which YAML takes for the start of a collection.
_BRACKETED = r"""[^\s,:"'\[\]{}]+(?:\[[^\s,"'\[\]{}]*\]|\{[^\s,"'\[\]{}]*\})"""

# A part of the parser's message → what to type. The texts are libyaml's and PyYAML's.
_REMEDIES = (
    ("tab character", "indent with spaces"),
    ("'\\t'", "indent with spaces"),
    ("while scanning an alias", "put a word that begins with * in quotes"),
    ("while scanning an anchor", "put a word that begins with & in quotes"),
    ("cannot start any token", "put the value in quotes"),
    ("mapping values are not allowed", "put a value that contains ': ' in quotes, or fix the indentation"),
    ("unknown escape character", "use single quotes for a literal \\"),
    ("quoted scalar", "close the quotes"),
    ("flow sequence", "close the list with ] or add the missing comma"),
    ("flow mapping", "close the mapping with } or add the missing comma"),
    ("block mapping", "give all keys of one mapping the same indentation"),
    ("block collection", "give all items of one list the same indentation"),
)


class Document(NamedTuple):
    """The content of one file, with positions.

    value   dict, list, str, int, bool or None; keys are strings
    places  path → where the value begins
    keys    path → where the key of that value is written; list items have none
    lines   the text by line, without line ends
    """

    file: str
    value: object
    places: Mapping[IntentPath, Source]
    keys: Mapping[IntentPath, Source]
    lines: tuple[str, ...]

    def place(self, path: IntentPath) -> Source:
        """Position at which a person looks for `path`: the value, or its key if that is on an earlier line.

        A missing value has the position of its nearest written ancestor: of its key, where it has one. A part that
        is not written but names a choice made there (`kind: leaf` → "leaf", as in the locations of tagged unions) is
        dropped.
        """
        written: IntentPath = ()
        value = self.value
        for part in path:
            if (*written, part) in self.places:
                written = (*written, part)
                value = value[part]  # type: ignore[index]  # it has a place, so the value above holds it
            elif not (isinstance(value, dict) and part in value.values()):
                return self.keys.get(written, self.places[written])
        key = self.keys.get(written, self.places[written])
        return key if key.line < self.places[written].line else self.places[written]


def mapping(value: object) -> dict[str, object]:
    """Return a value of a document that is a mapping; an empty one for any other value."""
    return value if isinstance(value, dict) else {}


def read_document(path: Path) -> Document:
    """Read one YAML file in UTF-8. Raises FabricError when it cannot be read or is refused."""
    return load_document(decode(read_octets(path), str(path)), str(path))


def read_octets(path: Path, most: int = MAX_OCTETS) -> bytes:
    """Read one file. Raises FabricError when it cannot be read or has more than `most` octets."""
    start = Source(file=str(path), line=1, column=1)
    try:
        content = _first_octets(path, most + 1)
    except OSError as error:
        raise FabricError([_unreadable(error, start)]) from None
    if len(content) > most:
        raise FabricError([limit(start, "file-too-large", "octets", most)])
    return content


def _first_octets(path: Path, count: int) -> bytes:
    if path.is_fifo():
        raise OSError(errno.EINVAL, "it is a pipe, not a file")
    with path.open("rb") as stream:
        return stream.read(count)


def decode(octets: bytes, file: str) -> str:
    """Return the text of a file. Raises FabricError with the place of the first octet that is not UTF-8."""
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        before = octets[: error.start].decode()
        raise FabricError.of(
            code="file-encoding",
            what=f"{file} is not UTF-8 text",
            why=f"octet 0x{octets[error.start]:02x} at offset {error.start}: {error.reason}",
            fix="save the file as UTF-8",
            at=_position(_one_line_end(before), len(_one_line_end(before)), file),
        ) from None


def load_document(text: str, file: str) -> Document:
    """Build the document of one YAML text.

    An empty text is the value None. Raises FabricError with every problem found up to the first fault of
    syntax, each with its position.
    """
    text = _one_line_end(text.removeprefix("\ufeff"))
    start = Source(file=file, line=1, column=1)
    if len(text) > MAX_OCTETS:
        raise FabricError([limit(start, "file-too-large", "octets", MAX_OCTETS)])
    problems = [*islice(_text_problems(text, file), MAX_PROBLEMS)]
    if problems:
        raise FabricError(problems)
    composer = Composer(file=file)
    event: yaml.Event | None = None
    try:
        for event in yaml.parse(text, Loader=LOADER):
            composer.take(event)
            if composer.is_over:
                break
    except yaml.YAMLError as error:
        composer.problems.append(_syntax(error, file, text, event))
    if composer.problems:
        raise FabricError(composer.problems)
    return Document(
        file=file,
        value=composer.root.get(""),
        places=composer.places or {(): start},
        keys=composer.keys,
        lines=tuple(text.split("\n")),
    )


def _one_line_end(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _position(text: str, offset: int, file: str) -> Source:
    return Source(
        file=file,
        line=text.count("\n", 0, offset) + 1,
        column=offset - text.rfind("\n", 0, offset),
    )


def _unreadable(error: OSError, start: Source) -> Problem:
    path = Path(start.file)
    match error:
        case FileNotFoundError():
            is_there = path.parent.is_dir()
            why = f"the folder {path.parent} has no such file" if is_there else f"there is no folder {path.parent}"
            if path.is_symlink():
                why = f"it is a symbolic link to {path.readlink()}, which does not exist"
            fix = _near(path) if is_there else "check the path"
            code, what = "file-missing", f"{start.file} does not exist"
        case IsADirectoryError():
            why = "a file is needed here, not a folder"
            code, what, fix = "file-directory", f"{start.file} is a directory", _inside(path)
        case _:
            why = error.strerror or type(error).__name__
            code, what, fix = "file-unreadable", f"{start.file} cannot be read", "check its permissions"
    return Problem(code=code, what=what, why=why, fix=fix, at=start)


def _files(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(file.name for file in islice(folder.iterdir(), _LISTED) if file.is_file()))
    except OSError:
        return ()


def _near(path: Path) -> str:
    """Remedy for a missing file: the nearest name in its folder."""
    nearest = get_close_matches(path.name, _files(path.parent), n=1)
    return f"did you mean {path.parent / nearest[0]}?" if nearest else "check the path"


def _inside(path: Path) -> str:
    """Remedy for a folder given as a file: the YAML file in it that is most likely meant."""
    names = [name for name in _files(path) if name.endswith(".yaml")]
    meant = "intent.yaml" if "intent.yaml" in names else next(iter(names), "")
    return f"use a file in it, e.g. {path / meant}" if meant else "use a file in it"


def _text_problems(text: str, file: str) -> Iterator[Problem]:
    """Yield the problems that must not reach the parser: characters to refuse, and lines that begin with %."""
    refused = () if is_plain(text.replace("\n", "")) else re.finditer(REFUSED_TEXT, text)
    for match in refused:
        yield Problem(
            code="yaml-control-character",
            what=f"the file has an invisible character U+{ord(match[0]):04X} here",
            why="such a character could change the configuration without being seen",
            fix="delete it",
            at=_position(text, match.start(), file),
        )
    directive = _DIRECTIVE.search(text)
    if directive:
        # libyaml compares each %TAG directive with all before it: a file full of them would take minutes.
        yield Problem(
            code="yaml-directive",
            what="YAML directives (lines that begin with %) are not supported",
            why="a file must not change how it is parsed",
            fix="remove the line, or indent it if it is text",
            at=_position(text, directive.start(), file),
        )


def _syntax(error: yaml.YAMLError, file: str, text: str, before: yaml.Event | None) -> Problem:
    """Return the problem of a text that is not YAML. before: the last event that was read."""
    if not isinstance(error, yaml.MarkedYAMLError):
        at, problem, context = Source(file=file, line=1, column=1), str(error).splitlines()[0], ""
    else:
        mark = error.problem_mark or error.context_mark
        at = Source(file=file, line=mark.line + 1, column=mark.column + 1) if mark else _position("", 0, file)
        problem, context = error.problem or "not YAML", error.context or ""
        if context and error.context_mark:
            context += f" that begins on line {error.context_mark.line + 1}"
    conflict = _conflict(text, file)
    if conflict is not None:
        return conflict
    lines = text.split("\n")
    quote = _open_quote(error, lines, at, before)
    if quote is not None:
        return quote._replace(what=f"not valid YAML: {problem}")
    # libyaml does not say which character cannot start a token.
    line = lines[at.line - 1 : at.line]
    tab = "tab character" if line and line[0][at.column - 1 : at.column] == "\t" else ""
    description = f"{tab} {problem} {context}"
    colon = _colon(lines[: at.line - 1]) if any(part in description for part in _AFTER) else ()
    indent, evenly = _indent(lines, at) if any(part in description for part in _INDENTED) else ("", "")
    usual = (fix for part, fix in _REMEDIES if part in description)
    fixes = [*colon[1:], *_quotes(line, at.column - 1), *([evenly] if evenly and not tab else []), *usual]
    reason = "YAML does not allow tabs in indentation" if tab else indent or context or _NOT_YAML
    return Problem(
        code="yaml-syntax",
        what=f"not valid YAML: {problem}",
        why=colon[0] if colon else reason,
        fix=fixes[0] if fixes else "check indentation, quotes and brackets here and on the line before",
        at=at,
    )


def _open_quote(error: yaml.YAMLError, lines: list[str], at: Source, before: yaml.Event | None) -> Problem | None:
    """The problem of a quote that is closed nowhere, or only by the quote of another value; its place is its line."""
    problem, context, mark = (getattr(error, name, None) for name in ("problem", "context", "context_mark"))
    ends = "is not closed"
    if "quoted scalar" not in (context or "") or "end of stream" not in (problem or ""):
        if not isinstance(before, yaml.ScalarEvent) or before.style not in ("'", '"') or before.end_mark is None:
            return None
        mark, end = before.start_mark, before.end_mark.line + 1
        if mark is None or mark.line + 1 == end or at.line != end:
            return None
        ends = f"is not closed there: the next quote is on line {end}"
    if mark is None:
        return None
    number, rest = mark.line + 1, lines[mark.line][mark.column :]
    value = re.match(_UNQUOTED, rest[1:])[0].strip()  # type: ignore[index]  # it matches the empty text, too
    return Problem(
        code="yaml-syntax",
        what="",
        why=f"the quote that opens on line {number} {ends}",
        fix=f"close the quotes on line {number}, e.g. {rest[:1]}{value}{rest[:1]}",
        at=at._replace(line=number, column=mark.column + 1),
    )


def _indent(lines: list[str], at: Source) -> tuple[str, str]:
    """Return how a line and the one that it should match are indented, and the remedy; empty where both are alike."""
    above = [
        (number, _depth(lines[number - 1])) for number in range(at.line - 1, 0, -1) if _has_text(lines[number - 1])
    ]
    if not above or at.line > len(lines):
        return "", ""
    deep, (like, other) = _depth(lines[at.line - 1]), above[0]
    fix = "give all keys of one mapping the same indentation"
    if deep < other and deep not in (depth for _, depth in above):
        # Between two levels: a key without a value has its own keys on deeper lines, so it is of the outer one.
        has_value = not lines[at.line - 1].rstrip().endswith(":")
        like, other = min(above, key=lambda line: (abs(line[1] - deep), (line[1] < deep) == has_value, -line[0]))
        fix = f"indent line {at.line} by {counted(other, 'space')}, as line {like}"
    return (
        f"line {at.line} is indented by {counted(deep, 'space')}, line {like} by {other}" if deep != other else "",
        fix,
    )


def _has_text(line: str) -> bool:
    return bool(line.split("#", maxsplit=1)[0].strip())


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _conflict(text: str, file: str) -> Problem | None:
    """The problem of a file in which git left conflict markers."""
    match = _MARKER.search(text)
    if match is None:
        return None
    keep = "keep the lines that you want, and remove the lines <<<<<<<, ======= and >>>>>>>"
    if file.endswith(".lock"):
        keep = f"git checkout BRANCH -- {file}, where BRANCH is the one that is deployed, then render"
    return Problem(
        code="yaml-syntax",
        what=f"{file} has git conflict markers ({match[0]})",
        why="git could not merge lines of two branches",
        fix=keep,
        at=_position(text, match.start(), file),
    )


def _colon(before: list[str]) -> tuple[str, ...]:
    """Reason and remedy where the line above has a key and a value without the colon; else nothing."""
    number = next((index for index in range(len(before), 0, -1) if before[index - 1].split("#")[0].strip()), 0)
    match = _NO_COLON.fullmatch(before[number - 1]) if number else None
    if match is None:
        return ()
    return f"line {number} has no colon after its key", f"write {match[1]}: {match[2]} on line {number}"


def _quotes(line: list[str], column: int) -> Iterator[str]:
    """Yield the remedy where the parser stops at the bracket of a word that is not in quotes."""
    for match in re.finditer(_BRACKETED, line[0] if line else ""):
        is_quoted = line[0][match.start() - 1 : match.start()] in ("'", '"')
        if match.start() <= column <= match.end() and not is_quoted:
            yield f'put it in quotes: "{match[0]}"'
