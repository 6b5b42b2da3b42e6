"""The one JSON document of an SR Linux switch: objects from sections and raw lines are merged here.

YANG lists are keyed: entries with equal keys are one entry, whichever section prints them. So templates need no commas
between the rows of a port, and raw lines can extend an existing interface. Members keep the order in which they are
printed.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from fabricgen.platforms.base.json_sections import SectionError, merge, objects
from fabricgen.platforms.base.platform import Sections, as_printed
from fabricgen.platforms.base.raw_values import json_fault

_NAME, _INDEX, _ID = ("name",), ("index",), ("id",)
KEYS: Mapping[str, tuple[tuple[str, ...], ...]] = {
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
    "acl-filter": (("name", "type"),),
    "entry": (("sequence-id",),),
    "system-cpu-policer": (_NAME,),
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
"""List → keys that lists of this name have in the models of 25.3.1; an entry has one of these sets."""


Lists = dict[int, dict[tuple[object, ...], Any]]
"""Entries by their keys, for each list being merged, by the list's `id`: each list exists until the document is
complete."""


def finish(sections: Sections) -> str:
    """Return the file of all sections. Raises SectionError as `document` does."""
    return document(as_printed(sections))


def document(text: str) -> str:
    """Merge consecutive objects into one; one newline at the end.

    Raises SectionError for anything but objects, and if two of them give one leaf different values.
    """
    merged_object: dict[str, Any] = {}
    join = partial(_join, {})
    for part in objects(text):
        merge(merged_object, part, join)
    return json.dumps(merged_object, indent=2, ensure_ascii=False) + "\n"


def lines_fault(artifact: str, lines: tuple[str, ...]) -> str:
    """Return why raw lines cannot be merged with the rendered file; "" if they can. A platform's `raw_fault`."""
    return json_fault(artifact, lines, document)


def _join(lists: Lists, existing: list[Any], values: list[Any], path: str) -> None:
    """Add the entries of a list to the existing ones; a leaf-list has each value once."""
    entries = lists.setdefault(id(existing), {})
    for value in values:
        identity = _identity(path, value)
        if identity not in entries:
            entries[identity] = {} if isinstance(value, dict) else value
            existing.append(entries[identity])
        if isinstance(value, dict):
            merge(entries[identity], value, partial(_join, lists), f"{path}[{'/'.join(map(str, identity))}]")


def _identity(path: str, entry: object) -> tuple[object, ...]:
    """Return what distinguishes an entry in its list: the values of its keys, or the entry itself."""
    if not isinstance(entry, dict):
        return (_plain(path, entry),)
    for names in KEYS.get(path.rpartition("/")[2].rpartition(":")[2], ()):
        if all(name in entry for name in names):
            return tuple(_plain(f"{path}/{name}", entry[name]) for name in names)
    return (json.dumps(entry, sort_keys=True),)


def _plain(path: str, value: object) -> object:
    """Return the value of a key or of a leaf-list. Raises SectionError for an object or a list (RFC 7951, 5)."""
    if isinstance(value, dict | list):
        raise SectionError(f"{path} has {str(value)[:20]!r} where one value belongs")
    return value
