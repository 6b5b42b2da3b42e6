"""Integers to canonical address text, fast enough for a million links; property-tested against `ipaddress`.

People's text is parsed with `ipaddress`; inside the plan an address is an integer; a Device holds text.
"""

from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Network
from socket import AF_INET, AF_INET6, inet_ntop, inet_pton
from typing import NewType

Ipv4 = NewType("Ipv4", str)
Ipv6 = NewType("Ipv6", str)
Address = Ipv4 | Ipv6
Prefix = NewType("Prefix", str)
"""Network in canonical text, of either family, e.g. 10.64.0.0/25."""
InterfaceAddress = NewType("InterfaceAddress", str)
"""Address with its prefix length, e.g. 10.64.0.1/31. Empty where the interface has none."""

Network = IPv4Network | IPv6Network
NO_ADDRESS = InterfaceAddress("")

_MASKS_IPV4 = {length: (0xFFFFFFFF << (32 - length)) & 0xFFFFFFFF for length in range(33)}


def ipv4(value: int) -> Ipv4:
    """Dotted text of a 32-bit integer."""
    return Ipv4(f"{value >> 24}.{value >> 16 & 255}.{value >> 8 & 255}.{value & 255}")


def ipv6(value: int) -> Ipv6:
    """RFC 5952 text of a 128-bit integer."""
    # The C library writes dotted quads within ::/8 (v4-compatible and v4-mapped); the intent refuses prefixes there.
    return Ipv6(inet_ntop(AF_INET6, value.to_bytes(16, "big")))


def unusable(network: Network) -> int:
    """Number of addresses that no server has: network, gateway and, in IPv4, broadcast (RFC 1122, RFC 4291)."""
    return 3 if network.version == 4 else 2


def longest_prefix(network: Network, servers: int) -> int:
    """Length of the smallest prefix of this family with an address for each of these servers and the gateway."""
    return network.max_prefixlen - (servers + unusable(network) - 1).bit_length()


def regrouped(text: str, size: int, separator: str = ":") -> str:
    """The digits of a MAC address or an Ethernet segment in groups of another size: 02:fa:00:.. as 02fa.00..."""
    digits = text.replace(":", "")
    return separator.join(digits[start : start + size] for start in range(0, len(digits), size))


def other_end(address: str) -> str:
    """The other address of a /31 or /127, canonical, without prefix length."""
    family = AF_INET6 if ":" in address else AF_INET
    octets = inet_pton(family, address)
    return inet_ntop(family, octets[:-1] + bytes((octets[-1] ^ 1,)))


def interface_ipv4(value: int, length: int) -> InterfaceAddress:
    """Address with prefix length."""
    return InterfaceAddress(f"{value >> 24}.{value >> 16 & 255}.{value >> 8 & 255}.{value & 255}/{length}")


def interface_ipv6(value: int, length: int) -> InterfaceAddress:
    """Address with prefix length."""
    return InterfaceAddress(f"{inet_ntop(AF_INET6, value.to_bytes(16, 'big'))}/{length}")


def prefix_ipv4(value: int, length: int) -> Prefix:
    """Network of `length` bits that holds the address."""
    return Prefix(interface_ipv4(value & _MASKS_IPV4[length], length))


def prefix_ipv6(value: int, length: int) -> Prefix:
    """Network of `length` bits that holds the address."""
    return Prefix(interface_ipv6(value >> (128 - length) << (128 - length), length))


def block_length(addresses: int, bits: int) -> int:
    """Prefix length of the smallest block that holds so many addresses; `bits` is 32 or 128."""
    return bits - max(addresses - 1, 0).bit_length()


MOST_HEADS = 1024
"""Number of address heads that are cached: more than a switch has links."""


class _Heads(dict[int, str]):
    """Cache of the text of an address before its last part, by the bits of that text. `make` computes a missing one."""

    def __init__(self, make: Callable[[int], str]) -> None:
        self._make = make

    def __missing__(self, bits: int) -> str:
        if len(self) >= MOST_HEADS:
            self.clear()
        head = self[bits] = self._make(bits)
        return head


def _head_ipv4(bits: int) -> str:
    return ipv4(bits << 8).removesuffix("0")


def _head_ipv6(bits: int) -> str:
    """Text before a last group that is not 0. Such a group does not change which zeros `::` replaces."""
    return ipv6(bits << 16 | 1).removesuffix("1")


class AddressTexts:
    """Text of many addresses, as `ipv4` and `ipv6` write it. The part that many share is computed once."""

    def __init__(self) -> None:
        self._four, self._six = _Heads(_head_ipv4), _Heads(_head_ipv6)

    def ipv4(self, values: Iterable[int], suffix: str = "") -> list[str]:
        """IPv4 addresses in order. suffix: of each, e.g. /31."""
        heads = self._four
        return [f"{heads[value >> 8]}{value & 255}{suffix}" for value in values]

    def ipv6(self, values: Iterable[int], suffix: str = "") -> list[str]:
        """IPv6 addresses in order."""
        heads = self._six
        return [
            f"{heads[value >> 16]}{last:x}{suffix}" if (last := value & 65535) else f"{ipv6(value)}{suffix}"
            for value in values
        ]

    def ipv4_ends(self, evens: Iterable[int], suffixes: tuple[str, str]) -> tuple[list[str], list[str]]:
        """The even IPv4 addresses, and the odd one after each. suffixes: of the even and of the odd ones."""
        heads, (even, odd) = self._four, suffixes
        parts = [(heads[value >> 8], value & 255) for value in evens]
        return [f"{head}{last}{even}" for head, last in parts], [f"{head}{last + 1}{odd}" for head, last in parts]

    def ipv6_ends(self, evens: Iterable[int], suffixes: tuple[str, str]) -> tuple[list[str], list[str]]:
        """The even IPv6 addresses, and the odd one after each."""
        heads, (even, odd) = self._six, suffixes
        parts = [(heads[value >> 16], value & 65535, value) for value in evens]
        return (
            [f"{head}{last:x}{even}" if last else f"{ipv6(value)}{even}" for head, last, value in parts],
            [f"{head}{last + 1:x}{odd}" for head, last, _ in parts],
        )
