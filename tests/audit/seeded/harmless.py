"""Edits that are no faults: a file that a person, a switch or another tool wrote says the same in other words.

A row's kind says what is different; its sentence says why it means the same, with the source where it is not plain.
"""

from collections.abc import Mapping
from functools import partial

from tests.audit.seeded.row import Seeded

COMMENT = "a comment changes nothing"
BLANKS = "blanks at the end of a line change nothing"
IPV6 = "RFC 4291, 2.2: one address may be written in several ways, RFC 5952 has the preferred one"
PORT_ORDER = "ports are independent: their order is that of whoever wrote the file"
PEER_ORDER = "sessions are independent: their order is that of whoever wrote the file"
NUMBERS = "only the order of the numbers of a list counts, and it is the same"
JSON_ORDER = "RFC 8259, 4: the members of an object have no order"
JSON_BLANKS = "RFC 8259, 2: blanks and ends of lines between tokens change nothing"
JSON_ESCAPE = "RFC 8259, 7: any character may be escaped"

LONG6 = r"fd5e:8c1f:2a00::22/127"
LONG6_INSTEAD = "fd5e:8c1f:2a00:0:0:0:0:22/127"

eos = partial(Seeded, "eos")
frr = partial(Seeded, "frr", file="frr.conf")
linux = partial(Seeded, "frr", file="interfaces")
sonic = partial(Seeded, "sonic", file="config_db.json")
cumulus = partial(Seeded, "cumulus")
nxos = partial(Seeded, "nxos")
srlinux = partial(Seeded, "srlinux")
junos = partial(Seeded, "junos")

ROWS: Mapping[str, tuple[Seeded, ...]] = {
    "eos": (
        eos(
            "header",
            "be-leaf-000",
            r"^! be-leaf-000: .*\n",
            "! Command: show running-config\n! Startup-config last modified at Sun Nov 29 10:00:00 2026 by admin\n",
            "what a running configuration starts with, and its time",
        ),
        eos("comment", "be-leaf-000", r"^ip routing$", r"! on the bench since May\n\g<0>", COMMENT),
        eos("blanks", "be-spine-00", r"^ip routing$", r"\g<0>   ", BLANKS),
        eos(
            "order",
            "be-leaf-000",
            r"^(interface Ethernet3/1\n(?:   .*\n)+!\n)(interface Ethernet4/1\n(?:   .*\n)+!\n)",
            r"\2\1",
            PORT_ORDER,
        ),
        eos(
            "order",
            "be-leaf-000",
            r"((?:^   neighbor 10\.64\.0\.45 .*\n){3})((?:^   neighbor 10\.64\.0\.47 .*\n){3})",
            r"\2\1",
            PEER_ORDER,
        ),
        eos(
            "spelling",
            "be-leaf-000",
            r"ip address 10\.64\.0\.6/31",
            "ip address 10.64.0.6 255.255.255.254",
            "the EOS user manual, ip address: a subnet is CIDR notation, or an address and a mask",
        ),
        eos("spelling", "be-leaf-000", LONG6, LONG6_INSTEAD, IPV6),
        eos("spelling", "be-leaf-001", r"fd5e:8c1f:2a00::62/127", "FD5E:8C1F:2A00::62/127", IPV6),
        eos("numbers", "be-leaf-000", r"^   seq 20 (permit 10\.64\.192\.0/32)$", r"   seq 35 \1", NUMBERS),
        eos(
            "order",
            "be-leaf-001",
            r"^qos map dscp 24 25 26 27 28 29 30 31 to traffic-class 3$",
            "qos map dscp 31 30 29 28 27 26 25 24 to traffic-class 3",
            "each code point of the list goes into the class, in whatever order",
        ),
    ),
    "frr": (
        frr(
            "header",
            "be-leaf-000",
            r"^! be-leaf-000: .*\n",
            "Building configuration...\n\nCurrent configuration:\n!\n",
            "what `show running-config` of vtysh starts with",
        ),
        frr(
            "header",
            "be-spine-00",
            r"^frr version 8\.4$",
            "frr version 8.4.4",
            "a running FRR names its own patch release of the one that is planned",
        ),
        frr("comment", "be-leaf-000", r"^router bgp .*$", r"! on the bench since May\n!\n\g<0>", COMMENT),
        frr("blanks", "be-spine-00", r"^router bgp .*$", r"\g<0>   ", BLANKS),
        frr(
            "order",
            "be-leaf-000",
            r"((?:^ neighbor 10\.64\.0\.45 .*\n){3})((?:^ neighbor 10\.64\.0\.47 .*\n){3})",
            r"\2\1",
            PEER_ORDER,
        ),
        frr(
            "order",
            "be-leaf-000",
            r"^(ip prefix-list PL-OWN-IPV4 seq 10 .*\n)(ip prefix-list PL-OWN-IPV4 seq 20 .*\n)",
            r"\2\1",
            "entries count by their number, not by their line",
        ),
        frr("numbers", "be-leaf-001", r"^(ip prefix-list PL-OWN-IPV4 seq) 20 ", r"\1 35 ", NUMBERS),
        linux("comment", "be-leaf-000", r"^auto swp3$", r"# on the bench since May\n\g<0>", COMMENT),
        linux(
            "order",
            "be-leaf-000",
            r"^(auto swp3\niface swp3\n(?:    .*\n)+\n)(auto swp4\niface swp4\n(?:    .*\n)+\n)",
            r"\2\1",
            PORT_ORDER,
        ),
        linux(
            "spelling",
            "be-leaf-000",
            r"^(    address) 10\.64\.0\.6/31$",
            r"\1 10.64.0.6\n    netmask 255.255.255.254",
            "interfaces(5): an address may have its netmask in a line of its own",
        ),
        linux("spelling", "be-leaf-000", LONG6, LONG6_INSTEAD, IPV6),
    ),
    "sonic": (
        sonic(
            "order",
            "be-leaf-000",
            r'^( +"alias": .*\n)( +"description": .*\n)',
            r"\2\1",
            JSON_ORDER,
            under=("PORT", "Ethernet8"),
        ),
        sonic(
            "order",
            "be-leaf-000",
            r"^(    \"NTP\": \{\n(?:     .*\n)+    \},\n)(    \"NTP_SERVER\": \{\n(?:     .*\n)+    \},\n)",
            r"\2\1",
            JSON_ORDER,
        ),
        sonic(
            "order",
            "be-leaf-000",
            r'^(        "default\|10\.64\.0\.45": \{\n(?: {12}.*\n)+        \},\n)'
            r'(        "default\|10\.64\.0\.47": \{\n(?: {12}.*\n)+        \},\n)',
            r"\2\1",
            PEER_ORDER,
        ),
        sonic(
            "blanks",
            "be-leaf-000",
            r'"10\.0\.0\.8": \{\s+"vrf": "mgmt"\s+\}',
            '"10.0.0.8": {"vrf": "mgmt"}',
            JSON_BLANKS,
            under=("SYSLOG_SERVER",),
        ),
        sonic("blanks", "be-spine-00", r"\n\Z", r"\n\n", JSON_BLANKS),
        sonic("escape", "be-leaf-000", r'"out of band"', r'"out\\u0020of band"', JSON_ESCAPE),
        sonic(
            "header",
            "be-leaf-000",
            r'^( +)"hwsku": ',
            r'\1"mac": "1c:34:da:00:00:01",\n\g<0>',
            "the switch writes its own MAC address there (sonic-buildimage, files/image_config/config-setup)",
            under=("DEVICE_METADATA",),
        ),
        sonic(
            "header",
            "be-leaf-000",
            r'^    "WRED_PROFILE": \{$',
            r'    "VERSIONS": {\n        "DATABASE": {\n            "VERSION": "version_202505_01"\n        }\n    },'
            r"\n\g<0>",
            "the switch writes the version of its database there (sonic-utilities, scripts/db_migrator.py)",
        ),
        sonic("spelling", "be-leaf-000", LONG6, LONG6_INSTEAD, IPV6, under=("INTERFACE",)),
        sonic(
            "comment",
            "fe-leaf-000",
            r"^router bgp 4202000002$",
            r"! on the bench since May\n!\n\g<0>",
            COMMENT,
            file="frr.conf",
        ),
    ),
    "cumulus": (
        cumulus(
            "header",
            "be-leaf-000",
            r"^- set:$",
            r"- header:\n    model: MSN4700\n    nvue-api-version: nvue_v1\n    rev-id: 1.0\n"
            r"    version: Cumulus Linux 5.11.0\n\g<0>",
            "what NVUE writes ahead of a saved configuration (startup.yaml of `nv config save`)",
        ),
        cumulus("header", "be-spine-00", r"\A", "---\n", "YAML 1.2.2, 9.1.2: a document may start with this line"),
        cumulus("comment", "be-leaf-000", r"^    interface:$", r"\g<0>  # on the bench since May", COMMENT),
        cumulus("blanks", "be-spine-00", r"^    interface:$", r"\g<0>   ", BLANKS),
        cumulus(
            "order",
            "be-leaf-000",
            r"^(      swp3:\n(?: {8}.*\n)+)(      swp4:\n(?: {8}.*\n)+)",
            r"\2\1",
            "YAML 1.2.2, 3.2.1.1: the keys of a mapping have no order",
        ),
        cumulus(
            "order",
            "be-leaf-000",
            r"^( +fec: rs\n)( +lanes: .*\n)",
            r"\2\1",
            "YAML 1.2.2, 3.2.1.1: the keys of a mapping have no order",
            under=("interface", "swp17"),
        ),
        cumulus(
            "spelling",
            "be-leaf-000",
            r'"be-spine-01 swp5"',
            "'be-spine-01 swp5'",
            "YAML 1.2.2, 7.3: quotes of either kind hold the same text",
            under=("interface", "swp20"),
        ),
        cumulus(
            "spelling",
            "be-leaf-000",
            r"^( +)pfc-watchdog: \{state: enable\}$",
            r"\1pfc-watchdog:\n\1  state: enable",
            "YAML 1.2.2, 8: block and flow style say the same",
            under=("interface", "swp20"),
        ),
        cumulus("spelling", "be-leaf-000", LONG6, LONG6_INSTEAD, IPV6),
    ),
    "nxos": (
        nxos(
            "header",
            "be-leaf-000",
            r"^! be-leaf-000: .*\n",
            "!Command: show running-config\n!Running configuration last done at: Sun Nov 29 10:00:00 2026\n"
            "!Time: Sun Nov 29 10:00:01 2026\n\n",
            "what a running configuration starts with, and its times",
        ),
        nxos("comment", "be-leaf-000", r"^feature grpc$", r"! on the bench since May\n\g<0>", COMMENT),
        nxos("blanks", "be-spine-00", r"^feature bgp$", r"\g<0>   ", BLANKS),
        nxos("order", "be-leaf-001", r"^(feature bgp\n)(feature lldp\n)", r"\2\1", "features are independent"),
        nxos(
            "order",
            "be-leaf-000",
            r"^(interface Ethernet1/3\n(?:  .*\n)+!\n)(interface Ethernet1/4\n(?:  .*\n)+!\n)",
            r"\2\1",
            PORT_ORDER,
        ),
        nxos(
            "order",
            "be-leaf-000",
            r"^(  neighbor 10\.64\.0\.45\n(?:    .*\n)+)(  neighbor 10\.64\.0\.47\n(?:    .*\n)+)",
            r"\2\1",
            PEER_ORDER,
        ),
        nxos(
            "spelling",
            "be-leaf-000",
            r"ip address 10\.64\.0\.6/31",
            "ip address 10.64.0.6 255.255.255.254",
            "the Nexus 9000 interfaces guide, ip address: an address and a mask, or a prefix length",
        ),
        nxos(
            "spelling",
            "be-leaf-000",
            r"^  neighbor 10\.64\.0\.49\n    bfd\n    remote-as (\d+)$",
            r"  neighbor 10.64.0.49 remote-as \1\n    bfd",
            "the Nexus 9000 unicast routing guide: a neighbor's AS number may be in its first line",
        ),
        nxos(
            "spelling",
            "be-leaf-000",
            r"match dscp 24,25,26,27,28,29,30,31",
            "match dscp 24-31",
            "the Nexus 9000 QoS guide, match dscp: single values, or ranges",
        ),
        nxos("spelling", "be-leaf-001", r"fd5e:8c1f:2a00::62/127", "fd5e:8c1f:2a00:0:0:0:0:62/127", IPV6),
        nxos("numbers", "be-leaf-000", r"^(ip prefix-list PL-OWN-IPV4 seq) 20 ", r"\1 35 ", NUMBERS),
    ),
    "srlinux": (
        srlinux(
            "order",
            "be-leaf-000",
            r'^(      "description": .*\n)(      "admin-state": .*\n)',
            r"\2\1",
            JSON_ORDER,
            under=("srl_nokia-interfaces:interface", "@name=ethernet-1/33"),
        ),
        srlinux(
            "order",
            "be-leaf-000",
            r'^(            \{\n +"peer-address": "10\.64\.0\.67",\n(?: {14}.*\n)+            \},\n)'
            r'(            \{\n +"peer-address": "10\.64\.0\.69",\n(?: {14}.*\n)+            \},\n)',
            r"\2\1",
            "RFC 7950, 7.7.7: entries of this list are ordered by the system, so their order means nothing",
        ),
        srlinux(
            "order",
            "be-leaf-000",
            r'^(    \{\n      "name": "ethernet-1/3",\n(?: {6}.*\n)+    \},\n)'
            r'(    \{\n      "name": "ethernet-1/4",\n(?: {6}.*\n)+    \},\n)',
            r"\2\1",
            "RFC 7950, 7.7.7: entries of this list are ordered by the system, so their order means nothing",
            under=("srl_nokia-interfaces:interface",),
        ),
        srlinux(
            "blanks",
            "be-leaf-000",
            r'"server-list": \[\s+"10\.0\.0\.2"\s+\]',
            '"server-list": ["10.0.0.2"]',
            JSON_BLANKS,
        ),
        srlinux("blanks", "be-spine-00", r"\n\Z", r"\n\n", JSON_BLANKS),
        srlinux("escape", "be-leaf-000", r'"out of band"', r'"out\\u0020of band"', JSON_ESCAPE),
        srlinux(
            "spelling",
            "be-leaf-000",
            r'"srl_nokia-network-instance:ip-vrf"',
            '"ip-vrf"',
            "RFC 7951, 6.8: an identity of the leaf's own module may do without the module's name",
            under=("srl_nokia-network-instance:network-instance", "@name=mgmt"),
        ),
        srlinux(
            "spelling",
            "be-leaf-000",
            r"fd5e:8c1f:2a00::42/127",
            "fd5e:8c1f:2a00:0:0:0:0:42/127",
            IPV6,
        ),
    ),
    "junos": (
        junos(
            "header",
            "be-leaf-000",
            r"^## be-leaf-000: .*\n",
            "## Last commit: 2026-11-29 10:00:00 UTC by admin\nversion 24.4R1.9;\n",
            "what `show configuration` starts with: who committed last, and the release",
        ),
        junos(
            "comment",
            "be-leaf-000",
            r"^protocols \{$",
            r"/* on the bench since May */\n\g<0>",
            "Junos, CLI User Guide, comments: they change nothing",
        ),
        junos(
            "comment",
            "be-leaf-001",
            r'^( +encrypted-password "\$\{env:ADMIN_HASH\}";)$',
            r"\1 ## SECRET-DATA",
            "what `show configuration` writes behind a secret",
        ),
        junos("blanks", "be-spine-00", r"^protocols \{$", r"\g<0>   ", BLANKS),
        junos(
            "order",
            "be-leaf-000",
            r"^(    et-0/0/2 \{\n(?: {8}.*\n)+    \}\n)(    et-0/0/3 \{\n(?: {8}.*\n)+    \}\n)",
            r"\2\1",
            PORT_ORDER,
            under=("interfaces",),
        ),
        junos(
            "order",
            "be-leaf-000",
            r"^( {12}neighbor 10\.64\.0\.67 \{\n(?: {16}.*\n)+ {12}\}\n)"
            r"( {12}neighbor 10\.64\.0\.69 \{\n(?: {16}.*\n)+ {12}\}\n)",
            r"\2\1",
            PEER_ORDER,
        ),
        junos(
            "spelling",
            "be-leaf-000",
            r"protocol \[ bgp \];",
            "protocol bgp;",
            "Junos, CLI User Guide: a list of one value needs no brackets",
        ),
        junos(
            "spelling",
            "fe-border-00",
            r'^        description "fw1";$',
            "        description fw1;",
            "Junos, CLI User Guide: text without blanks needs no quotes",
        ),
        junos(
            "spelling",
            "be-leaf-000",
            r"fd5e:8c1f:2a00::42/127",
            "fd5e:8c1f:2a00:0:0:0:0:42/127",
            IPV6,
        ),
    ),
}
"""Platform → harmless edits."""
