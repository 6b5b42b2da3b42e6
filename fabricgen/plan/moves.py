"""What a renumbering moves: the values of each switch under two locks, side by side."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.addresses import ipv4, ipv6
from fabricgen.plan.fabric import FabricPlan, asn_of, loopback6, name_of, oob, own_blocks, places, router_id
from fabricgen.plan.place import Place


class Move(NamedTuple):
    """One value of one switch that changes."""

    device: str
    what: str
    before: str
    after: str


def values(plan: FabricPlan, place: Place) -> dict[str, str]:
    """Everything that the lock decides of one switch, as text."""
    four, six = own_blocks(plan, place)
    loopback = loopback6(plan, place)
    return {
        "name": name_of(plan, place),
        "asn": str(asn_of(plan, place)),
        "loopback": ipv4(router_id(plan, place)),
        "loopback6": ipv6(loopback) if loopback is not None else "",
        "block": ipv4(four.start) if four else "",
        "block6": ipv6(six.start) if six else "",
        "oob": ipv4(oob(plan, place)),
    }


def moves(before: FabricPlan, after: FabricPlan) -> Iterator[Move]:
    """Every value that differs, for the switches that stand in both, in the order of the new names."""
    for place in places(after):
        new = values(after, place)
        try:
            old = values(before, place)
        except LookupError:
            continue
        for what, value in new.items():
            if old[what] != value:
                yield Move(new["name"], what, old[what], value)
