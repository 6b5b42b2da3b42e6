"""Interfaces of a switch as units that are created and removed one by one, and the effect of a change. Pure.

A unit is a namespace, an address, a port's state, a tunnel, a VLAN's bridge, a member of it. A unit names the units
that it depends on in `needs`, and is removed and created again with them. All removals come before anything is created.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import NamedTuple

FIRST_INDEX = 10000
"""Interface index of VLAN 0: far above those that the kernel assigns."""


class Order(IntEnum):
    """Order of creation; removal is in reverse. Within one step the units of a namespace keep their given order."""

    VRF = 0
    UNDERLAY = 1
    TENANT = 2
    SHOWN = 3
    SHARED = 4


class Lines(NamedTuple):
    """Lines of `ip -batch`, and the namespace they are run in: a VRF's, or "" for the switch's own.

    OWN in a line is replaced by the PID of a process in the switch's own namespace.
    tool  NFT: each line is commands of nft, applied atomically
    """

    vrf: str
    lines: tuple[str, ...] = ()
    tool: str = ""


OWN = "{own}"
NFT = "nft"


class KernelObject(NamedTuple):
    """One thing that exists or not. `make` fails if it exists already; `unmake` may find nothing."""

    key: str
    order: Order
    make: Lines
    unmake: Lines
    needs: tuple[str, ...] = ()


class Routed(NamedTuple):
    """A routed VLAN, which is also visible in VRFs that import from its own."""

    vlan_id: int
    mtu: int
    vrf: str


class VrfLeak(NamedTuple):
    """Two VRFs, by device name: the first imports routes from the second."""

    importer: str
    vrf: str


class Layout(NamedTuple):
    """The units of a switch's interfaces file, on a kernel without VRF devices.

    units  without those of imports, which the file does not contain
    vrfs   VRF → VLAN of its L3 VNI
    """

    units: tuple[KernelObject, ...]
    vrfs: dict[str, int]
    vlans: tuple[Routed, ...]


class KernelState(NamedTuple):
    """The units that exist in a switch.

    unsure  keys of units that may exist, in any of the forms in `units`, or not
    file    digest of the interfaces file that they were made from; empty where nothing was made
    """

    units: tuple[KernelObject, ...]
    unsure: frozenset[str] = frozenset()
    file: str = ""

    @property
    def sure(self) -> tuple[KernelObject, ...]:
        """The units that certainly exist."""
        return tuple(unit for unit in self.units if unit.key not in self.unsure)


class KernelChange(NamedTuple):
    """Units to remove and then units to create, in these orders; `touched`: keys of both."""

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
    """Every unit of a switch, including those of the pairs whose VRFs both exist."""
    return (*layout.units, *(unit for pair in sorted(set(pairs)) for unit in _shared(layout, pair)))


def _shared(layout: Layout, pair: VrfLeak) -> Iterator[KernelObject]:
    """Make each routed VLAN of the other VRF visible in the importer; the far end is a port of the VLAN."""
    importer, vrf = pair
    if importer not in layout.vrfs:
        return
    for vlan in layout.vlans:
        if vlan.vrf != vrf:
            continue
        name, port = f"vlan{vlan.vlan_id}", f"i{vlan.vlan_id}-{layout.vrfs[importer]}"
        near, far = (f"name {name} index {FIRST_INDEX + vlan.vlan_id}", f"name {port} mtu {vlan.mtu} netns {vrf}")
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


def change(notes: KernelState, desired_units: Iterable[KernelObject]) -> KernelChange:
    """Units to remove and create to get from the notes to the desired units."""
    new = tuple(desired_units)
    existing, desired = {unit.key: unit for unit in notes.sure}, {unit.key: unit for unit in new}
    touched = {key for key in (*existing, *desired) if existing.get(key) != desired.get(key)} | notes.unsure
    everything = (*notes.units, *new)
    while dependent := {unit.key for unit in everything if touched.intersection(unit.needs)} - touched:
        touched |= dependent
    return KernelChange(
        unmake=tuple(unit for unit in reversed(_ordered(notes.units)) if unit.key in touched),
        make=tuple(unit for unit in _ordered(new) if unit.key in touched),
        touched=frozenset(touched),
    )


def _ordered(units: Iterable[KernelObject]) -> list[KernelObject]:
    return sorted(units, key=lambda unit: (unit.order, unit.make.vrf))
