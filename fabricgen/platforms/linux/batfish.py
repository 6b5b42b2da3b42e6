"""Files of Linux systems as Batfish's grammars take them: the same router, spelled with the words that these know.

Sources, github.com/batfish/batfish cba1873 (2026-08-21), below projects/batfish/src/main/antlr4/org/batfish/grammar:
C  frr/Frr_common.g4, standard_community: a community is a number or one of four words, which graceful-shutdown is not;
   RFC 8326 gives it the number 65535:0.
L  frr/Frr_bgp_community_list.g4, bcl_standard: a line has no sequence number.
I  cumulus_interfaces/CumulusInterfacesParser.g4, i_property: what a stanza may contain. A line that is not among these
   makes the rest of its stanza unread.
"""

import re

SEQUENCE = re.compile(r"^(bgp community-list standard \S+) seq \d+ ", re.MULTILINE)
GRACEFUL_SHUTDOWN = re.compile(r"^(bgp community-list .*| +set community .*)\bgraceful-shutdown\b", re.MULTILINE)
NUMBER = r"\g<1>65535:0"
PROPERTIES = frozenset(
    re.findall(
        r"\S+",
        """
    address address-virtual alias bond-lacp-bypass-allow bond-lacp-rate bond-master bond-miimon bond-min-links bond-mode
    bond-slaves bond-xmit-hash-policy bridge-access bridge-arp-nd-suppress bridge-learning bridge-ports bridge-pvid
    bridge-vids bridge-vlan-aware clag-id clagd-backup-ip clagd-peer-ip clagd-priority clagd-sys-mac
    clagd-vxlan-anycast-ip gateway hwaddress link-speed link-autoneg mstpctl-bpduguard mstpctl-portadminedge
    mstpctl-portbpdufilter mtu vlan-id vlan-raw-device vrf vrf-table vxlan-id vxlan-local-tunnelip
        """,
    )
)
"""Words that begin a line of a stanza (I). `post-up` is left out: it is a command, of which only a few are read."""
SHUT = "link-down yes"


def numbered_communities(text: str) -> str:
    """frr.conf with the well-known community as a number (C), and community lists without sequence numbers (L)."""
    return GRACEFUL_SHUTDOWN.sub(NUMBER, SEQUENCE.sub(r"\1 ", text))


def known_interfaces(text: str) -> str:
    """The interfaces without lines that Batfish does not know (I), and without ports that are shut."""
    stanzas = (stanza for stanza in text.split("\n\n") if SHUT not in {line.strip() for line in stanza.splitlines()})
    return "\n\n".join("\n".join(filter(_is_known, stanza.splitlines())) for stanza in stanzas) + "\n"


def _is_known(line: str) -> bool:
    """Whether a line is a remark, begins a stanza, or is a property that Batfish knows."""
    return not line.startswith(" ") or line.split(maxsplit=1)[0] in PROPERTIES
