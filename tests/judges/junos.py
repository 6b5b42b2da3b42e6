"""Judge a Junos configuration text by Juniper's own YANG models of the QFX series, or of Junos OS Evolved.

Each statement is walked down the models word by word: a word is a statement of the models, a list takes its keys, a
leaf its value. What comes of it is then judged by libyang. The models do not mark what stands without its keyword;
LISTS and LEAVES name it, as seen in Juniper's validated designs (Juniper/jvd at
005ab344aea79475ef81c1880430a2f99808c28b, read 2026-11-22). Those marked * are not there: the models and public
configurations suggest them (local-as, next-hop and tag by the models alone). Of the 114 files of those designs for QFX,
95 are accepted; the others hold statements of Juniper's own laboratory, or text that is no configuration.

Judged: keywords, numbers with a range in the models, words of a list, missing values. Not seen, for the models have
plain strings there: prefixes, AS numbers, VLAN numbers, route targets, code points, most names; and no reference.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from tests.judges import junos_text, models, yang
from tests.judges.junos_text import Word

if TYPE_CHECKING:
    import libyang

COMMON = "junos-yang/common/models"
QFX, EVOLVED = ("junos-qfx/conf/models", "junos-qfx-conf-root"), ("conf/models", "junos-conf-root")
RELEASES: Mapping[str, tuple[str, tuple[str, str]]] = MappingProxyType(
    {
        "23.4": ("junos-23.4", QFX),
        "23.4 Evolved": ("junos-evolved-23.4", EVOLVED),
        "24.4": ("junos", QFX),
        "24.4 Evolved": ("junos-evolved-24.4", EVOLVED),
    }
)
"""Release → its archive, the folder of its models there, and the module of the root. 23.4 is 23.4R2, 24.4 is 24.4R1."""
NEWEST = "24.4"
# Statements of these modules are none of a switch in a fabric, and they are half of all there is to read.
UNREAD = ("bridge-domains", "dynamic-profiles", "fabric", "logical-systems", "multi-chassis", "unified-edge")

LISTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "file": ("contents",),  # system syslog file NAME: FACILITY LEVEL
        "host": ("contents",),  # *
        "interfaces": ("interface",),
        "prefix-list": ("prefix-list-item",),
        "route-filter-list": ("rf_list",),
        "routing-instances": ("instance",),
        "server-group": ("server-group", "address"),  # of DHCP: its name, and then each server
        "user": ("contents",),  # *
        "vlans": ("vlan",),
    }
)
"""Statement → the list in it whose keyword is not written."""

LEAVES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "as-path": ("path",),  # *
        "backup-router": ("address",),
        "autonomous-system": ("as-number",),
        "confederation": ("confederation-as",),  # *
        "esi": ("identifier",),
        "ieee-802.3ad": ("bundle",),
        "file": ("filename",),
        "idle-timeout": ("timeout",),  # prefix-limit teardown 80 idle-timeout 5, as public configurations have it
        "input": ("filter-name",),
        "interface-mac-limit": ("limit",),
        "local": ("certificate",),  # security certificates local NAME TEXT
        "local-as": ("as-number",),  # *
        "metric": ("metric-value",),  # *
        "next-hop": ("address",),  # *
        "output": ("filter-name",),  # *
        "preference": ("metric-value",),  # *
        "route-distinguisher": ("rd-type",),
        "shaping-rate": ("rate",),
        "source-ip": ("inet",),
        "storm-control": ("profile-name",),
        "tag": ("metric-value",),  # *
        "teardown": ("limit-threshold",),
        "transmit-rate": ("rate",),  # *
        "vrf-target": ("community",),
        "vtep-source-interface": ("interface-name",),
    }
)
"""Statement → leaves in it whose keyword is not written; a leaf of the statement's own name is one as well."""

# How a route filter matches, where that takes a value (`upto /24`); exact, longer and orlonger take none.
VALUED = ("address-mask", "prefix-length-range", "through", "upto")
_UNREAD = re.compile(rf"-conf-({'|'.join(UNREAD)})@")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BACKSLASH = re.compile(r'(\\[nt"\\])|\\')
_OPEN = ("container", "list")
_CHOICE = ("choice-ident", "choice-value")  # the two keys that stand for such a choice


class _FaultError(ValueError):
    """A statement that the models do not have."""


class _Node:
    """A statement of the models."""

    def __init__(self, schema: "libyang.SNode") -> None:
        self._schema = schema
        self.name: str = schema.name()
        self.kind: str = schema.keyword()

    @cached_property
    def namespace(self) -> str:
        return yang.namespace(self._schema.module())

    @cached_property
    def inside(self) -> dict[str, "_Node"]:
        return {name: _Node(child) for name, child in yang.children(self._schema).items()} if self.kind in _OPEN else {}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return yang.keys(self._schema)

    @cached_property
    def empty(self) -> bool:
        """Whether it is a leaf that has no value."""
        return yang.is_empty(self._schema)


class _Place:
    """A statement of the text: its node, and its element of the document that is being made."""

    def __init__(self, node: _Node, element: Element) -> None:
        self.node, self.element = node, element
        self._inside: dict[tuple[str, ...], _Place] = {}

    def into(self, node: _Node, *told: str) -> "_Place":
        """Return the statement of a node below this one, made at its first naming; `told` tells it from its like."""
        found = self._inside.get((node.name, *told))
        if found is None:
            own = {} if node.namespace == self.node.namespace else {"xmlns": node.namespace}
            found = self._inside[(node.name, *told)] = _Place(node, SubElement(self.element, node.name, own))
            if node.kind == "list":
                for key, value in zip(node.keys, told, strict=True):
                    SubElement(found.element, key).text = value
        return found


class _Schema(NamedTuple):
    context: "libyang.Context"
    root: _Node


def available() -> str | None:
    """Why this judge cannot work here, or None when it can."""
    reasons = (yang.available(), *(models.available(name) for name, _ in RELEASES.values()))
    return next((reason for reason in reasons if reason), None)


def faults(text: str, release: str = NEWEST) -> list[str]:
    """What speaks against a whole configuration, in lines of `set` or with braces; [] when it is accepted."""
    schema = _schema(release)
    top = _Place(schema.root, Element(schema.root.name, {"xmlns": schema.root.namespace}))
    try:
        found = junos_text.statements(text)
    except junos_text.Unreadable as error:
        return [str(error)]
    said = []
    for statement in found:
        try:
            _walk(top, statement.words)
        except _FaultError as error:
            said.append(f"line {statement.line}: {error}")
    return said + yang.faults(schema.context, tostring(top.element, "unicode"), "xml")


def _walk(place: _Place, words: Sequence[Word]) -> None:
    first = True  # of the words inside a statement: only that can stand without its keyword
    while words:
        node, words = _named(place.node, words, first)
        first = node.kind in _OPEN
        if node.kind == "container":
            place = place.into(node)
        elif node.kind == "list":
            entries, words = _entries(node, words)
            for entry in entries[1:]:
                _walk(place.into(node, *entry), words)
            place = place.into(node, *entries[0])
        else:
            words = _value(place, node, words)


def _named(node: _Node, words: Sequence[Word], first: bool) -> tuple[_Node, Sequence[Word]]:
    """The statement that the next word begins, and the words behind the keyword where there is one."""
    word = words[0]
    if isinstance(word, str):
        # An identifier of YANG cannot begin with a digit: 802.3ad is ieee-802.3ad.
        found = node.inside.get(word) or node.inside.get(f"ieee-{word}")
        if found:
            return found, words[1:]
    implied = _implied(node) if first else None
    if implied and (implied.kind == "list" or isinstance(word, str)):
        return implied, words
    raise _FaultError(f"{word!r:.40} is no statement of {node.name}")


def _implied(node: _Node) -> _Node | None:
    """What a word that is no keyword here belongs to."""
    lists = (node.inside.get(name) for name in LISTS.get(node.name, ()))
    leaves = (node.inside.get(name) for name in (*LEAVES.get(node.name, ()), node.name))
    bare = (*lists, *(leaf for leaf in leaves if leaf and leaf.kind == "leaf" and not leaf.empty))
    return next((found for found in bare if found), None)


def _entries(node: _Node, words: Sequence[Word]) -> tuple[list[tuple[str, ...]], Sequence[Word]]:
    """Keys of the entries that the words name, one or, by `[ a b ]`, several; and the words behind them."""
    keys = node.keys
    if keys[:2] == _CHOICE:  # community add NAME
        ident, names, rest = _one(node, words), _several(node, words[1:]), words[2:]
        return [(ident, "", name) for name in names], rest
    if keys[1:] == _CHOICE:  # route-filter 10.0.0.0/8 upto /24
        valued = len(words) > 1 and words[1] in VALUED
        ident = _one(node, words[1:]) if len(words) > 1 else "exact"
        value = _one(node, words[2:]) if valued else ""
        return [(_one(node, words), ident, value)], words[3 if valued else 2 :]
    if len(keys) == 1:
        return [(name,) for name in _several(node, words)], words[1:]
    told = []
    for key in keys:  # the keywords of several keys may be written
        words = words[1:] if words and words[0] == key else words
        told.append(_one(node, words))
        words = words[1:]
    return [tuple(told)], words


def _value(place: _Place, node: _Node, words: Sequence[Word]) -> Sequence[Word]:
    """Put a leaf's value in its place; the words behind it, which may be of other leaves beside it."""
    if node.kind == "leaf-list":
        for value in _several(node, words):
            place.into(node, value).element.text = value
        return words[1:]
    if node.empty:
        place.into(node)
        return words
    place.into(node).element.text = _one(node, words)
    return words[1:]


def _several(node: _Node, words: Sequence[Word]) -> tuple[str, ...]:
    if not words or words[0] == ():
        raise _FaultError(f"{node.name} needs a value")
    return (words[0],) if isinstance(words[0], str) else words[0]


def _one(node: _Node, words: Sequence[Word]) -> str:
    if not words or not isinstance(words[0], str):
        raise _FaultError(f"{node.name} needs a value")
    return words[0]


@cache
def _schema(release: str) -> _Schema:
    archive, (inside, top) = RELEASES[release]
    with models.unpacked(archive) as folder:
        found = sorted((folder / "junos-yang" / inside).glob("*.yang"))
        paths = [path for path in found if not _UNREAD.search(path.name)]
        for path in (*paths, *(folder / COMMON).glob("*.yang")):
            (folder / path.name).write_text(_QUOTED.sub(_escaped, path.read_text()))
        context = yang.read(folder, [folder / path.name for path in paths])
    root = yang.children(context.get_module(top))["configuration"]
    return _Schema(context, _Node(root))


def _escaped(quoted: re.Match[str]) -> str:
    """Double the backslashes that stand alone in a quoted text, which YANG 1 allows and libyang does not."""
    text = quoted.group()
    return _BACKSLASH.sub(lambda found: found.group(1) or r"\\", text) if "\\" in text else text
