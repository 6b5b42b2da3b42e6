"""Kinds of mistakes to make in the text of a leaf, and what must be said of each.

A row's pattern is found once or more in the file and replaced at each place; words as <own_asn> are filled in with
what the leaf or the spine has. Mistakes that each platform writes its own way are in its `case.py`.
"""

from collections.abc import Mapping

from tests.platform_case import Seed

SAID: Mapping[str, str] = {
    "address": "is at both ends",
    "peer-as": "is expected, it is",
    "own-as": "is expected, it is",
    "family": r"families \[.*\] and \[.*\]",
    "mtu": "packets of 9100 and 9|packets of 9[0-9]+ and 9100|packets of 9086",
    "hold": "timers 4 15 and 4 12|timers 5 15 and 4 12",
    "bfd": "BFD at one end only",
    "dscp": r"DSCP in two classes: \[(26|48)\]",
    "pfc": "one end sends and the other does not obey",
    "source": "has no session to",
    "hops": "does not reach over a hop",
    "communities": "without extended communities",
    "l2-target": r"L2 VNI 10004: \S+ exports",
    "l3-target": r"L3 VNI 10003: \S+ exports",
    "import": "VNI 10003: ",
    "gateway-mac": "gateway of 10004: ",
    "gateway-address": "gateway of 10004: ",
    "gateway": r"gateway of 10004: (none at near$|.*near \[\]$)",
    "esi": r"segment 00:00:00:00:00:00:0[19]:00:00:00 of \S+ and \S+ is of (far|near) alone",
    "system-id": r"segment 00:00:00:00:00:00:01:00:00:00 of \S+ and 02:fa:00:00:00:0[19] is of (far|near) alone",
    "next-hop": "EVPN routes get another next hop",
    "ipv6-hops": "IPv4 without next hops of IPv6",
    "advertises": "leaf-000 does not advertise itself",
}
"""Kind → what a sentence about it has."""

ANYWHERE: Mapping[str, Seed] = {
    "address": Seed("", r"(?<![\d.])<own_ipv4>/31", "<far_ipv4>/31"),
    "peer-as": Seed("", r"\b<far_asn>\b", "4200000999"),
    "own-as": Seed("", r"\b<own_asn>\b", "4200000999"),
}
"""The same on every platform: numbers that all write alike. All files of a switch are looked through."""

TARGETS: Mapping[str, Seed] = {
    "l2-target": Seed("", r"\b65000:10004\b", "65000:19999"),
    "l3-target": Seed("", r"\b65000:10003\b", "65000:19999"),
}
"""Another number wherever a leaf has the route target of a VNI: all write them alike."""
GATEWAYS: Mapping[str, Seed] = {
    "gateway-mac": Seed("", r"\b(02:?fa[:.]b0:?00[:.]00:?)01\b", r"\g<1>02"),
    "gateway-address": Seed("", r"(?<![\d.])172\.17\.0\.1/20", "172.17.0.2/20"),
}
"""Another gateway of the VLAN that all leaves have: all write its addresses alike, and its MAC address nearly so."""
SEGMENTS: Mapping[str, Seed] = {
    "esi": Seed("", r"\b(0000:0000:0000:0|00:00:00:00:00:00:0)1(00:0000|:00:00:00)\b", r"\g<1>9\2"),
    "system-id": Seed("", r"\b(02:?fa[:.]00:?00[:.]00:?0)1\b", r"\g<1>9"),
}
"""Another segment for the bond of the first server: in pairs of digits, or in fours."""
