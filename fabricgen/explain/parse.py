"""What was typed → what is asked: a word, and what kind of thing the asker says it is."""

import re
from typing import NamedTuple

KINDS = {
    "device": "device",
    "switch": "device",
    "port": "port",
    "interface": "port",
    "server": "server",
    "slot": "server",
    "group": "group",
    "address": "address",
    "ip": "address",
    "prefix": "prefix",
    "as": "asn",
    "asn": "asn",
    "vni": "vni",
    "vlan": "vlan",
    "rd": "rd",
    "rt": "route-target",
    "tenant": "tenant",
    "vrf": "tenant",
    "network": "network",
    "fabric": "fabric",
    "peer": "peer",
    "check": "code",
    "code": "code",
}
"""Words that may stand before the thing, and the kind of answer that is then wanted."""

_NUMBERED = re.compile(r"(as|asn|vni|vlan)[ :=#-]?([0-9]{1,10})", re.IGNORECASE)


class Question(NamedTuple):
    """`kind` is empty where every reading is wanted."""

    kind: str
    text: str


def read_words(words: tuple[str, ...]) -> Question:
    """Read the words of the command line: `vlan 110`, `vlan110`, `be-leaf-003 <port>` or one word.

    A device and its port are joined by a slash, as in `overrides`.
    """
    first, *rest = words
    if rest and first.lower() in KINDS:
        return Question(KINDS[first.lower()], "/".join(rest))
    text = "/".join(words)
    found = _NUMBERED.fullmatch(text)
    return Question(KINDS[found[1].lower()], found[2]) if found else Question("", text)
