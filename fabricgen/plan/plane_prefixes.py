"""Prefixes that a server's NIC reaches: the fabric's, or those of its plane where the planes share no switch.

A route of the whole fabric in the main table of a server leads packets for all planes into one of them, whose leaf has
no route to the others.
"""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, summarize_address_range

from fabricgen.base.addresses import Prefix
from fabricgen.plan.fabric import FabricPlan, numbers_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.segments import Blocks, Segment


def reachable_prefixes(plan: FabricPlan, leaf: Place, family: str) -> tuple[Prefix, ...]:
    """Prefixes with every NIC that a NIC at this leaf reaches, as few as there are. family: ipv4 or ipv6.

    They are of planned leaves, so that a plane that grows into what is reserved has the same ones.
    """
    whole = plan.fabric.addressing.ipv4 if family == "ipv4" else plan.fabric.addressing.ipv6
    if whole is None:
        return ()
    # Without a spine only the NICs of one leaf reach each other.
    is_lone = not plan.shape.spines and any(group.rails > 1 for group in plan.shape.groups)
    if plan.shape.planes == 1 and not is_lone:
        return (Prefix(str(whole)),)
    bits = 32 if family == "ipv4" else 128
    return tuple(
        Prefix(str(network))
        for first, end in _joined(_lone(plan, leaf, bits) if is_lone else _of_plane(plan, leaf.plane, bits))
        for network in summarize_address_range(_address(first, bits), _address(end - 1, bits))
    )


def _address(value: int, bits: int) -> IPv4Address | IPv6Address:
    return IPv4Address(value) if bits == 32 else IPv6Address(value)


def _of(segment: Segment, bits: int) -> Blocks | None:
    return segment.ipv4 if bits == 32 else segment.ipv6


def _lone(plan: FabricPlan, leaf: Place, bits: int) -> Iterator[tuple[int, int]]:
    """First address of a leaf's block and the one after its last."""
    segment, number, _, _ = numbers_of(plan, leaf)
    blocks = _of(segment, bits)
    if blocks is not None:
        yield blocks.block(number), blocks.block(number + 1)


def _of_plane(plan: FabricPlan, plane: int, bits: int) -> Iterator[tuple[int, int]]:
    """The same of a plane, for each line of the lock: the plane is the first axis, so its blocks are consecutive."""
    for (tier, _), segments in plan.segments.items():
        for segment in segments if tier is Tier.LEAF else ():
            blocks, (first, last) = _of(segment, bits), segment.box.plane
            if blocks is not None and first <= plane <= last:
                size = segment.box.size() // segment.box.plane.size
                yield blocks.block((plane - first) * size), blocks.block((plane - first + 1) * size)


def _joined(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs that touch, as one."""
    joined: list[tuple[int, int]] = []
    for first, end in sorted(runs):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((first, end))
    return joined
