"""The one JSON document of a switch that runs SR Linux: sections and raw lines print objects, here they become one.

A list of YANG is keyed: entries of one key are one entry, whoever has printed them, so a template needs no comma
between the rows of a port, and raw lines reach into an interface that stands. Members keep the order they come in.
"""

import json
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from fabricgen.platforms.base.json_sections import SectionError, merge, objects
from fabricgen.platforms.base.platform import Sections, as_printed
from fabricgen.platforms.base.raw_values import json_fault

_NAME, _INDEX, _ID = ("name",), ("index",), ("id",)
KEYS: Mapping[str, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        "interface": (_NAME, ("interface-id",), ("interface-name",), ("ethernet-interface",)),
        "subinterface": (_INDEX, _ID),
        "address": (("ip-prefix",),),
        "network-instance": (_NAME,),
        "vxlan-interface": (_INDEX, _NAME),
        "tunnel-interface": (_NAME,),
        "bgp-instance": (_ID,),
        "ethernet-segment": (_NAME,),
        "afi-safi": (("afi-safi-name",),),
        "group": (("group-name",), _NAME),
        "neighbor": (("peer-address",), ("ipv4-address",), ("ipv6-address",)),
        "route": (("prefix",),),
        "nexthop": (_INDEX,),
        "advertise": (("route-type",),),
        "prefix-set": (_NAME,),
        "prefix": (("ip-prefix", "mask-length-range"),),
        "community-set": (_NAME,),
        "policy": (_NAME,),
        "statement": (_NAME,),
        "queue": (_NAME, ("queue-name",)),
        "pfc-queue": (("pfc-queue-name",),),
        "forwarding-class": (_NAME,),
        "dscp-policy": (_NAME,),
        "dscp": (("value",),),
        "queue-management-profile": (_NAME,),
        "wred-slope": (("traffic-type", "drop-probability", "enable-ecn"),),
        "buffer-allocation-profile": (_NAME,),
        "scheduler-policy": (_NAME,),
        "scheduler": (("sequence",),),
        "input": (_ID,),
        "pfc-mapping-profile": (_NAME,),
        "linecard": (("slot",),),
        "forwarding-complex": (_NAME,),
        "server": (("address",),),
        "user": (("username",),),
        "role": (_NAME, ("rolename",)),
        "rule": (("path-reference",),),
        "event": (("event-type",),),
        "server-group": (_NAME,),
        "server-profile": (_NAME,),
        "grpc-server": (_NAME,),
        "ssh-server": (_NAME,),
        "remote-server": (("host",),),
        "buffer": (("buffer-name",),),
        "file": (("file-name",),),
        "facility": (("facility-name",),),
        "access-group": (_NAME,),
        "security-entry": (_NAME,),
        "trap-group": (_NAME,),
        "destination": (_NAME,),
        "collector": (("collector-id",),),
    }
)
"""List → the keys that lists of this name have in the models of 25.3.1, of which an entry has one."""


Lists = dict[int, dict[tuple[object, ...], Any]]
"""Entries by identity of each list that is being joined, by the list's `id`: each lives until the document is whole."""


def finish(sections: Sections) -> str:
    """The file of all sections. Raises SectionError as `document`."""
    return document(as_printed(sections))


def document(text: str) -> str:
    """Merge objects that stand behind each other into one; one newline at the end.

    Raises SectionError for what is no object, and where two of them give one leaf different values.
    """
    found: dict[str, Any] = {}
    join = partial(_join, {})
    for part in objects(text):
        merge(found, part, join)
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def lines_fault(artifact: str, lines: tuple[str, ...]) -> str:
    """Why raw lines for a file cannot be joined with ours; empty where they can. A platform's `raw_fault`."""
    return json_fault(artifact, lines, document)


def _join(lists: Lists, have: list[Any], values: list[Any], path: str) -> None:
    """Add the entries of a list to those that stand; a leaf-list takes each value once."""
    standing = lists.setdefault(id(have), {})
    for value in values:
        name = _identity(path, value)
        if name not in standing:
            standing[name] = {} if isinstance(value, dict) else value
            have.append(standing[name])
        if isinstance(value, dict):
            merge(standing[name], value, partial(_join, lists), f"{path}[{'/'.join(map(str, name))}]")


def _identity(path: str, entry: object) -> tuple[object, ...]:
    """What tells an entry from the others of its list: the values of its keys, or itself."""
    if not isinstance(entry, dict):
        return (_plain(path, entry),)
    for names in KEYS.get(path.rpartition("/")[2].rpartition(":")[2], ()):
        if all(name in entry for name in names):
            return tuple(_plain(f"{path}/{name}", entry[name]) for name in names)
    return (json.dumps(entry, sort_keys=True),)


def _plain(path: str, value: object) -> object:
    """The value of a key or of a leaf-list. Raises SectionError for one that holds others (RFC 7951, 5)."""
    if isinstance(value, dict | list):
        raise SectionError(f"{path} has {str(value)[:20]!r} where one value belongs")
    return value
