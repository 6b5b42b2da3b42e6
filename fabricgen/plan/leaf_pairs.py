"""Leaf pairs of a backend (dual-ToR): the one address of a NIC whose ports end on both leaves, and its BGP session.

The server speaks BGP with both leaves and announces the address over each port (RFC 7938 section 8.2 has why no leaf
may announce an aggregate of addresses that it can lose). So no switch asks for a neighbor, and no bond answers.
"""

from typing import NamedTuple

from fabricgen.base.addresses import ipv4, ipv6
from fabricgen.intent.fabric import Backend
from fabricgen.plan.fabric import FabricPlan, number_of, own_blocks
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import leaf_of
from fabricgen.topologies.shape import GroupShape

LAST_ASN = 4294967294
"""The last private AS number (RFC 6996): servers that speak BGP have those below it."""
SLOTS = 512
"""AS numbers of the servers of one unit: more than any leaf of the library has ports."""


class NicAddress(NamedTuple):
    """The address of a NIC, and the prefix that its leaf pair has such addresses in.

    length  32 or 128
    block   address and length of the pair's prefix
    """

    address: str
    length: int
    block: str

    @property
    def prefix(self) -> str:
        """The host route."""
        return f"{self.address}/{self.length}"


def has_leaf_pairs(plan: FabricPlan) -> bool:
    """Whether NICs of a backend have one address behind two leaves."""
    return isinstance(plan.fabric, Backend) and any(group.indexes > 1 for group in plan.shape.groups)


def nic_address(plan: FabricPlan, leaf: Place, group: GroupShape, slot: int, nic: int) -> NicAddress | None:
    """The address of a NIC with a port on either leaf of a pair; None where the fabric has no prefix of the family.

    It is the server's end of the first leaf's link to it, so that numbers are those of one leaf alone. Both leaves have
    the ports of a server in the same rows, as those of each rail alternate between them.
    """
    number = group.port_number(nic, slot)
    block4, block6 = own_blocks(plan, leaf._replace(index=0))
    is_ipv4 = plan.fabric.addressing.hosts == "ipv4"
    block = block4 if is_ipv4 else block6
    if block is None:
        return None
    write, length = (ipv4, 32) if is_ipv4 else (ipv6, 128)
    size = (block.uplinks - block.start).bit_length() - 1
    return NicAddress(write(block.host(number) + 1), length, f"{write(block.start)}/{length - size}")


def server_asn(plan: FabricPlan, group: GroupShape, slot: int) -> int:
    """The AS number of the server in a slot: by the number of its unit's first leaf, which never changes.

    Each server has its own, so that no system must be told to send or take routes that have the peer's in their path.
    """
    leaf, _ = leaf_of(plan, group, slot, 0, group.planes_of(0).start)
    return LAST_ASN - number_of(plan, leaf._replace(index=0)) * SLOTS - group.position(slot)


def first_server_asn(plan: FabricPlan) -> int:
    """The smallest AS number that servers of the planned units may have."""
    leaves = (line for (tier, _), lines in plan.segments.items() if tier is Tier.LEAF for line in lines)
    return LAST_ASN - SLOTS * max((line.first + line.box.size() for line in leaves), default=0)
