"""Interfaces of a switch in units that are made and unmade one by one, and what a change does to them. Pure.

A unit is a namespace, an address, a port's state, a tunnel, a VLAN's bridge, a member of it. What hangs on another unit
names it in `needs`, and goes and comes back with it. All that goes is unmade before anything is made.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

FIRST_INDEX = 10000
"""Index of the interface of VLAN 0: far above those that the kernel counts up to."""


class Order(IntEnum):
    """Steps of making; unmade they are backwards. In one step a namespace's units keep the order they are given in."""

    VRF = 0
    UNDERLAY = 1
    TENANT = 2
    SHOWN = 3
    SHARED = 4


class Lines(NamedTuple):
    """Lines of `ip -batch`, and the namespace they are run in: a VRF's, or "" for the switch's own.

    OWN in a line stands for a process in the switch's own namespace.
    tool  NFT: each line is commands of nft, done whole or not at all
    """

    vrf: str
    lines: tuple[str, ...] = ()
    tool: str = ""


OWN = "{own}"
NFT = "nft"


class KernelObject(NamedTuple):
    """One thing that stands or does not. `make` of what stands already fails; `unmake` may find nothing there."""

    key: str
    order: Order
    make: Lines
    unmake: Lines
    needs: tuple[str, ...] = ()


class Routed(NamedTuple):
    """A routed VLAN, which VRFs that import from its own have too."""

    vlan_id: int
    mtu: int
    vrf: str


class VrfLeak(NamedTuple):
    """Two VRFs, by device name: the first takes routes from the second."""

    importer: str
    vrf: str


class Layout(NamedTuple):
    """All that a switch's interfaces file asks for, on a kernel without VRF devices.

    units  without those of imports, which the file does not tell
    vrfs   VRF → VLAN of its L3 VNI
    """

    units: tuple[KernelObject, ...]
    vrfs: dict[str, int]
    vlans: tuple[Routed, ...]


class KernelState(NamedTuple):
    """What stands in a switch.

    unsure  keys of what may stand, in any of the forms that `units` has, or not
    file    digest of the interfaces file that it was made from; empty where nothing was made
    """

    units: tuple[KernelObject, ...]
    unsure: frozenset[str] = frozenset()
    file: str = ""

    @property
    def sure(self) -> tuple[KernelObject, ...]:
        """What stands for certain."""
        return tuple(unit for unit in self.units if unit.key not in self.unsure)


class KernelChange(NamedTuple):
    """What is unmade and then made, in these orders; `touched` are the keys of both."""

    unmake: tuple[KernelObject, ...]
    make: tuple[KernelObject, ...]
    touched: frozenset[str]


def vrf_key(vrf: str) -> str:
    """Key of a VRF's namespace."""
    return f"VRF {vrf}"


def vlan_key(vlan: int) -> str:
    """Key of a VLAN's bridge."""
    return f"VLAN {vlan}"


def whole(layout: Layout, pairs: Iterable[VrfLeak]) -> tuple[KernelObject, ...]:
    """Every unit of a switch, with those of the pairs whose VRFs both are there."""
    return (*layout.units, *(unit for pair in sorted(set(pairs)) for unit in _shared(layout, pair)))


def _shared(layout: Layout, pair: VrfLeak) -> Iterator[KernelObject]:
    """Show the importer each routed VLAN of the other; the far end is a port of the VLAN."""
    importer, vrf = pair
    if importer not in layout.vrfs:
        return
    for vlan in layout.vlans:
        if vlan.vrf != vrf:
            continue
        name, port = f"vlan{vlan.vlan_id}", f"i{vlan.vlan_id}-{layout.vrfs[importer]}"
        near, far = f"name {name} index {FIRST_INDEX + vlan.vlan_id}", f"name {port} mtu {vlan.mtu} netns {vrf}"
        key = f"{name} shown to {importer}"
        yield KernelObject(
            key,
            Order.SHOWN,
            Lines(importer, (f"link add {near} mtu {vlan.mtu} type veth peer {far}", f"link set dev {name} up")),
            Lines(importer, (f"link del dev {name}",)),
            (vrf_key(importer), vrf_key(vrf)),
        )
        yield KernelObject(
            f"{port} of {name}",
            Order.SHARED,
            Lines(
                vrf,
                (
                    f"link set dev {port} addrgenmode none master {name}",
                    f"link set dev {port} type bridge_slave proxy_arp on",
                    f"link set dev {port} up",
                ),
            ),
            Lines(vrf),
            (key, vlan_key(vlan.vlan_id)),
        )


def change(notes: KernelState, wanted: Iterable[KernelObject]) -> KernelChange:
    """What brings a switch from what stands to what is wanted."""
    new = tuple(wanted)
    have, want = {unit.key: unit for unit in notes.sure}, {unit.key: unit for unit in new}
    touched = {key for key in (*have, *want) if have.get(key) != want.get(key)} | notes.unsure
    everything = (*notes.units, *new)
    while more := {unit.key for unit in everything if touched.intersection(unit.needs)} - touched:
        touched |= more
    return KernelChange(
        unmake=tuple(unit for unit in reversed(_ordered(notes.units)) if unit.key in touched),
        make=tuple(unit for unit in _ordered(new) if unit.key in touched),
        touched=frozenset(touched),
    )


def _ordered(units: Iterable[KernelObject]) -> list[KernelObject]:
    return sorted(units, key=lambda unit: (unit.order, unit.make.vrf))
