"""VLANs of a switch's bridged ports, as its kernel has them.

A VLAN-aware bridge lists them by port (`bridge -j vlan show`, iproute2 6.1.0 on Linux 6.1). A kernel without VLAN-aware
bridges has one bridge `vlanN` per VLAN: a port is in it, or the port's own bridge leads there over a pair of
interfaces, and an interface `<port>.N` carries the tag N of a port (seen with iproute2 6.1.0 on Linux 6.18;
2026-11-21).
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
    """Bridges of the switch and of its VRFs' namespaces.

    own     devices of the switch's own namespace by name
    far     devices of the other namespaces
    filtered  port of a VLAN-aware bridge → its VLANs
    tagged  port → VLANs of the interfaces that carry its tags
    aware   names of VLAN-aware bridges
    """

    own: Mapping[str, Row]
    far: tuple[Row, ...]
    filtered: Mapping[str, Vlans]
    tagged: Mapping[str, Vlans]
    aware: frozenset[str]

    def of(self, row: Row) -> Vlans:
        """VLANs of a port in the switch's own namespace; none for a port in no bridge."""
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
                # Interface indexes are unique per namespace only, so the peer with the port's name comes first.
                peers = [peer for peer in self.far if _joins(other, peer) and _joins(peer, other)]
                by_name = sorted(peers, key=lambda peer: word(peer, "ifname") != word(row, "ifname"))
                yield from filter(None, (vlan_of(word(peer, "master", "")) for peer in by_name[:1]))


def bridging(answers: CommandOutputs, own_rows: Iterable[Row], far_rows: Iterable[Row]) -> Bridging:
    """Bridges from all devices. own: of the switch's own namespace; far: of its VRFs' namespaces."""
    named, others = {word(row, "ifname"): row for row in own_rows}, tuple(far_rows)
    aware = frozenset(name for name, row in named.items() if _filters(row))
    return Bridging(
        own=named,
        far=others,
        filtered=dict(_filtered(answers)) if aware else {},
        tagged=_tagged((*named.values(), *others)),
        aware=aware,
    )


def vlan_of(name: str) -> int:
    """VLAN of a bridge with a name such as vlan20; 0 for any other name."""
    match = VLAN_NAME.fullmatch(name)
    return int(match[1]) if match else 0


def _filters(row: Row) -> bool:
    link = inner(row, "linkinfo")
    return word(link, "info_kind", "") == "bridge" and bool(inner(link, "info_data").get("vlan_filtering"))


def _joins(row: Row, peer: Row) -> bool:
    return number(row, "link_index", -1) == number(peer, "ifindex", 0)


def _filtered(answers: CommandOutputs) -> Iterator[tuple[str, Vlans]]:
    """VLANs of the ports of VLAN-aware bridges. The untagged one is the VLAN of frames without a tag (PVID)."""
    for row in answers.rows(BRIDGED):
        vlans = set()
        for entry in rows(row.get("vlans", []), "vlans"):
            first = number(entry, "vlan")
            untagged = "PVID" in words(entry, "flags")
            for vlan in range(first, number(entry, "vlanEnd", first) + 1):
                vlans.add((0 if untagged else vlan, vlan))
        yield word(row, "ifname"), tuple(sorted(vlans))


def _tagged(devices: Iterable[Row]) -> dict[str, Vlans]:
    tags: dict[str, set[tuple[int, int]]] = {}
    for row in devices:
        match, vlan = TAGGED_NAME.fullmatch(word(row, "ifname")), vlan_of(word(row, "master", ""))
        if match and vlan:
            tags.setdefault(match[1], set()).add((int(match[2]), vlan))
    return {port: tuple(sorted(pairs)) for port, pairs in tags.items()}
