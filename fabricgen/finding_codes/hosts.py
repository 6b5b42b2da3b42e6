"""Codes of differences between a server and its expected.json. An agent on the server checks them, no command does."""

from collections.abc import Mapping

HOST_CODES: Mapping[str, str] = {
    "host-nic-missing": "a NIC interface that is needed does not exist",
    "host-rail": "the NIC of a rail has another PCI address: it is not the NIC next to the GPU",
    "host-cabling": "the LLDP neighbor or its port is not as planned",
    "host-speed": "the link has another speed",
    "host-fec": "the link has another FEC",
    "host-mtu": "the link has another MTU",
    "host-address": "the link has other addresses",
    "host-bond": "the link is in another bond, or in none",
    "host-trust": "the NIC does not classify packets by DSCP",
    "host-pause": "global pause (IEEE 802.3x) is on; it must be off beside PFC",
    "host-pfc": "PFC is on for other priorities than planned",
    "host-dscp": "the DSCP of data maps to another priority",
    "host-cnp": "congestion notifications (CNP) have another DSCP or priority",
    "host-ecn": "ECN is off as a sender or as a receiver",
    "host-traffic-class": "data is sent with another traffic class octet",
    "host-gid": "the GID has another index or value",
    "host-packet-gap": "the gap between packets is not as planned",
    "host-cable-length": "PFC buffers are set for another cable length",
    "host-adaptive-routing": "adaptive routing of the NIC is off where switches spray packets",
}
"""Code of a difference that `hosts/compare.py` finds → what is wrong."""
