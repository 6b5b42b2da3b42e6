"""VLANs of a switch's bridged ports by its kernel.

A VLAN-aware bridge says them by port (`bridge -j vlan show`, iproute2 6.1.0 on Linux 6.1). Where the kernel has none, a
bridge `vlanN` stands for each VLAN: a port is in it itself, or its own bridge leads there by a pair of interfaces, and
what carries the tag N of a port is an interface `<port>.N` (seen with iproute2 6.1.0 on Linux 6.18; 2026-11-21).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabricgen.platforms.linux.live.decode import CommandOutputs, Row, inner, number, rows, word, words

BRIDGED = "bridge -j vlan show"
VLAN_NAME = re.compile(r"vlan(\d{1,4})")
TAGGED_NAME = re.compile(r"(.+)\.(\d{1,4})")

Vlans = tuple[tuple[int, int], ...]
"""(tag, VLAN), sorted, tag 0 for untagged frames."""


@dataclass(frozen=True, slots=True)
class Bridging:
    """What bridges of the switch and of its VRFs' namespaces say.

    own     devices of the switch's own namespace by name
    far     devices of the others, with their names
    filtered  port of a VLAN-aware bridge → its VLANs
    tagged  port → tags that interfaces of their own carry
    aware   names of VLAN-aware bridges
    """

    own: Mapping[str, Row]
    far: tuple[Row, ...]
    filtered: Mapping[str, Vlans]
    tagged: Mapping[str, Vlans]
    aware: frozenset[str]

    def of(self, row: Row) -> Vlans:
        """VLANs of a port of the switch's own; none of one that is in no bridge."""
        name, master = word(row, "ifname"), word(row, "master", "")
        if master in self.aware:
            return self.filtered.get(name, ())
        untagged = ((0, vlan) for vlan in self._led(row, master))
        return tuple(sorted({*untagged, *self.tagged.get(name, ())}))

    def _led(self, row: Row, master: str) -> Iterator[int]:
        """VLANs that a port leads to without a tag."""
        if not master:
            return
        if vlan := vlan_of(master):
            yield vlan
            return
        for other in self.own.values():
            if other is not row and word(other, "master", "") == master:
                # Indexes are told apart by namespace, so the end with the port's name comes first.
                ends = [end for end in self.far if _joins(other, end) and _joins(end, other)]
                found = sorted(ends, key=lambda end: word(end, "ifname") != word(row, "ifname"))
                yield from filter(None, (vlan_of(word(end, "master", "")) for end in found[:1]))


def bridging(answers: CommandOutputs, own: Iterable[Row], far: Iterable[Row]) -> Bridging:
    """own: devices of the switch's own namespace; far: those of its VRFs' namespaces."""
    named, others = {word(row, "ifname"): row for row in own}, tuple(far)
    aware = frozenset(name for name, row in named.items() if _filters(row))
    return Bridging(
        own=named,
        far=others,
        filtered=dict(_filtered(answers)) if aware else {},
        tagged=_tagged((*named.values(), *others)),
        aware=aware,
    )


def vlan_of(name: str) -> int:
    """VLAN that a bridge of this name stands for, 0 for none."""
    found = VLAN_NAME.fullmatch(name)
    return int(found[1]) if found else 0


def _filters(row: Row) -> bool:
    data = inner(inner(row, "linkinfo"), "info_data")
    return word(inner(row, "linkinfo"), "info_kind", "") == "bridge" and bool(data.get("vlan_filtering"))


def _joins(one: Row, other: Row) -> bool:
    return number(one, "link_index", -1) == number(other, "ifindex", 0)


def _filtered(answers: CommandOutputs) -> Iterator[tuple[str, Vlans]]:
    """An untagged VLAN is the one that frames without a tag come into (PVID)."""
    for row in answers.rows(BRIDGED):
        found = set()
        for entry in rows(row.get("vlans", []), "vlans"):
            first = number(entry, "vlan")
            untagged = "PVID" in words(entry, "flags")
            for vlan in range(first, number(entry, "vlanEnd", first) + 1):
                found.add((0 if untagged else vlan, vlan))
        yield word(row, "ifname"), tuple(sorted(found))


def _tagged(found: Iterable[Row]) -> dict[str, Vlans]:
    tags: dict[str, set[tuple[int, int]]] = {}
    for row in found:
        named, vlan = TAGGED_NAME.fullmatch(word(row, "ifname")), vlan_of(word(row, "master", ""))
        if named and vlan:
            tags.setdefault(named[1], set()).add((int(named[2]), vlan))
    return {port: tuple(sorted(pairs)) for port, pairs in tags.items()}
