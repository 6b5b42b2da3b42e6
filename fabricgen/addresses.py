"""Integers to canonical address text, fast enough for a million links; property-tested against `ipaddress`.

People's text is parsed with `ipaddress`; inside the plan an address is an integer; a Device holds text.
"""

from ipaddress import IPv4Network, IPv6Network
from socket import AF_INET6, inet_ntop
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
