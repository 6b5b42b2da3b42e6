"""Codes of what a server does otherwise than its expected.json says. An agent looks; no verb of ours does."""

from collections.abc import Mapping
from types import MappingProxyType

HOST_CODES: Mapping[str, str] = MappingProxyType(
    {
        "host-nic-missing": "an interface that is used and not there",
        "host-rail": "the PCI address: whether the NIC of this rail is the one that the GPU is nearest to",
        "host-cabling": "the neighbor by LLDP and its port",
        "host-speed": "the speed of the link",
        "host-fec": "the error correction of the link",
        "host-mtu": "the MTU of the link",
        "host-address": "the addresses of the link",
        "host-bond": "the bond that the link belongs to",
        "host-trust": "the lossless class: whether marks are read from the DSCP",
        "host-pause": "the lossless class: pause of whole links, which is off",
        "host-pfc": "the lossless class: the priorities that are paused",
        "host-dscp": "the lossless class: the code points of data, and their priority",
        "host-cnp": "the lossless class: code point and priority of congestion notifications",
        "host-ecn": "the lossless class: ECN as a sender and as a receiver",
        "host-traffic-class": "what is sent: the traffic class octet",
        "host-gid": "what is sent: the GID, its index and its value",
        "host-packet-gap": "what is sent: the gap between packets",
        "host-cable-length": "the length of cable that PFC buffers are set for",
        "host-adaptive-routing": "packets in any order, where switches spray them",
    }
)
"""Code of a difference that `hosts/compare.py` finds → what it is about."""
