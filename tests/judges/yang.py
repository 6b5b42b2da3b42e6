"""Instance documents against vendors' YANG models, by libyang: which modules are read, and what it says to a document.

libyang 2 with its Python binding (PyPI libyang 2.8.0, built against Debian's libyang2-dev): `make judges` builds it.
Without it the judges say so in `available`; this module is all that imports it.
"""

import importlib.util
import logging
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libyang

MISSING = "libyang is not built into the virtual environment: run make lab-deps, then make judges"

_FEATURE = re.compile(r'^\s*feature\s+"?([\w.-]+)"?\s*[{;]', re.MULTILINE)
_SUBMODULE = re.compile(r"^\s*submodule\s", re.MULTILINE)
# A word of YANG (RFC 7950, 6.1): quoted text, a comment, a brace or semicolon, bare characters, or space.
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'|//[^\n]*|/\*.*?\*/|[{};]|[^\s{};"\']+|\s+', re.DOTALL)


def available() -> str | None:
    """Why libyang cannot be used here, or None when it can."""
    return None if importlib.util.find_spec("libyang") else MISSING


def read(folder: Path, files: Collection[Path], *, without_features: Collection[str] = ()) -> "libyang.Context":
    """Read models: the files are implemented, what they import or include is looked for in the folder.

    Submodules among the files are read by their modules. Every feature is on but those named. Raises
    libyang.LibyangError for a model that libyang cannot read.
    """
    import libyang  # noqa: PLC0415  # absent where it could not be built: see available

    context = libyang.Context(str(folder), explicit_compile=True)
    texts = {path: path.read_text(errors="replace") for path in files}
    features = {
        path: [name for name in _FEATURE.findall(text) if name not in without_features]
        for path, text in texts.items()
        if not _SUBMODULE.search(text)
    }
    # A module with features goes first: once another has imported it, its features are settled.
    for path in sorted(features, key=lambda path: (not features[path], path)):
        context.parse_module_str(texts[path], features=features[path])
    context.compile_schema()
    return context


def faults(context: "libyang.Context", text: str, form: str) -> list[str]:
    """What libyang says against a document, with the place in the data; [] when it is valid.

    It stops at the first fault: what else is wrong shows once that one is mended.

    form  `json` (RFC 7951) or `xml`
    """
    import libyang  # noqa: PLC0415

    with _heard() as said:
        try:
            found = context.parse_data_mem(text, form, strict=True, no_state=True)
        except libyang.LibyangError as error:
            return said or [str(error)]
        if found is not None:
            found.free()
    return []


def children(parent: "libyang.Module | libyang.SNode") -> "dict[str, libyang.SNode]":
    """What stands directly below a module or a node, by name; choices and cases, which data do not show, are passed."""
    return {node.name(): node for node in parent.children()}


def keys(node: "libyang.SList") -> tuple[str, ...]:
    """Names of a list's keys, in their order."""
    return tuple(key.name() for key in node.keys())  # noqa: SIM118  # no mapping


def is_empty(leaf: "libyang.SLeaf") -> bool:
    """Whether a leaf is of type `empty`: it is there or not, and has no value."""
    import libyang  # noqa: PLC0415

    return bool(leaf.type().base() == libyang.Type.EMPTY)


def namespace(module: "libyang.Module") -> str:
    """A module's XML namespace; the binding has no method for it."""
    import libyang  # noqa: PLC0415

    return str(libyang.util.c2str(module.cdata.ns))


def without_musts(text: str) -> str:
    """A model without its `must` statements; all else stands as it stood."""
    kept: list[str] = []
    words = iter(_WORD.findall(text))
    starts = True  # of a statement
    for word in words:
        if starts and word == "must":
            _skip(words)
            continue
        kept.append(word)
        if not word.isspace() and not word.startswith(("//", "/*")):
            starts = word in "{};"
    return "".join(kept)


def _skip(words: Iterator[str]) -> None:
    """Pass over the rest of a statement, its block included."""
    depth = 0
    for word in words:
        depth += (word == "{") - (word == "}")
        if depth == 0 and word in "};":
            return


@contextmanager
def _heard() -> Iterator[list[str]]:
    """What libyang says meanwhile, each message on one line."""
    import libyang  # noqa: PLC0415

    kept = _Kept()
    log = logging.getLogger("libyang")
    log.addHandler(kept)
    libyang.configure_logging(True)
    try:
        yield kept.said
    finally:
        libyang.configure_logging(False)
        log.removeHandler(kept)


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(" ".join(record.getMessage().split()))
