"""The typed words → a question: a word, and the kind of thing that it names, if that was typed."""

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
"""Words that may be typed before the name, and the kind of answer that they select."""

_NUMBERED = re.compile(r"(as|asn|vni|vlan)[ :=#-]?([0-9]{1,10})", re.IGNORECASE)


class Question(NamedTuple):
    """`kind` is empty if every meaning is wanted."""

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
    match = _NUMBERED.fullmatch(text)
    return Question(KINDS[match[1].lower()], match[2]) if match else Question("", text)
