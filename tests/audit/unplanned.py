"""Edits that a switch acts on and that no plan asks for: what is written twice, beside all that is planned, or no more.

Each must be reported on its line. What a switch does with it is said, with its source, in the parser of its system.
"""

from functools import partial

from tests.audit.seeded.row import Seeded

LEAF = "be-leaf-000"


def _row(
    system: str,
    pattern: str,
    instead: str,
    why: str,
    *,
    of: int = 1,
    file: str = "",
    switch: str = LEAF,
    under: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
) -> Seeded:
    return Seeded(system, "services", switch, pattern, instead, why, under, file, of=of, also=also)


eos, nxos, junos = (partial(_row, system) for system in ("eos", "nxos", "junos"))
srlinux, sonic, cumulus, frr = (partial(_row, system) for system in ("srlinux", "sonic", "cumulus", "frr"))

SNMP_USER = (
    r'"other": {"SNMP_USER_AUTH_PASSWORD": "${env:SNMP_AUTH}", "SNMP_USER_AUTH_TYPE": "SHA", '
    r'"SNMP_USER_ENCRYPTION_PASSWORD": "${env:SNMP_PRIVACY}", "SNMP_USER_ENCRYPTION_TYPE": "AES", '
    r'"SNMP_USER_PERMISSION": "RO", "SNMP_USER_TYPE": "Priv"},'
)
TWICE = (
    eos(r"^(ip route vrf mgmt 0.0.0.0/0) 10.0.0.1$", r"\1 10.0.0.254\n\g<0>", "A second default route."),
    eos(r"^(snmp-server user) monitor (.*)$", r"\1 other \2\n\g<0>", "A second SNMP user."),
    eos(r"^(   transport grpc) mgmt$", r"\1 other\n      port 9339\n      vrf mgmt\n\g<0>", "A second gNMI server."),
    nxos(r"^(  ip route 0.0.0.0/0) 10.0.0.1$", r"\1 10.0.0.254\n\g<0>", "A second default route."),
    nxos(r"^(snmp-server user) monitor (.*)$", r"\1 other \2\n\g<0>", "A second SNMP user."),
    junos(r"(route 0.0.0.0/0 next-hop) 10.0.0.1;", r"\1 10.0.0.254;\n\g<0>", "A second default route."),
    junos(r"(route 0.0.0.0/0 next-hop) 10.0.0.1;", r"\1 [ 10.0.0.254 10.0.0.1 ];", "A second next hop."),
    junos(r"route 0.0.0.0/0 next-hop 10.0.0.1;", r"\g<0>\nroute ::/0 next-hop fd00::1;", "A default route of IPv6."),
    junos(
        r"^ +user monitor \{$",
        r'user other {\nauthentication-sha { authentication-password "${env:SNMP_AUTH}"; }\n}\n\g<0>',
        "A second SNMP user.",
    ),
    srlinux(
        r'^ +"prefix": "0.0.0.0/0",\n.*\n.*\n +\}',
        r'\g<0>,\n{"prefix": "::/0", "admin-state": "enable", "next-hop-group": "via-10.0.0.1"}',
        "A default route of IPv6.",
    ),
    srlinux(
        r'^ +"name": "monitor",\n +"user": "monitor",',
        r'"name": "other", "user": "other",'
        r'"authentication": {"protocol": "hmac-sha1-96", "password": "${env:SNMP_AUTH}"},'
        r'"privacy": {"protocol": "cfb128-aes-128", "password": "${env:SNMP_PRIVACY}"}},\n{\n\g<0>',
        "A second SNMP user.",
        of=2,
    ),
    sonic(r'^ +"SNMP_USER": \{', r"\g<0>\n" + SNMP_USER, "A second SNMP user.", file="config_db.json"),
    sonic(
        r'^ +"MGMT_INTERFACE": \{',
        r'\g<0>\n"eth0|10.9.9.9/24": {"gwaddr": "10.9.9.1"},',
        "A second address and default route.",
        file="config_db.json",
    ),
    cumulus(r"^ +gateway:\n +", r"\g<0>10.0.0.254: {}\n            ", "A second default route."),
    cumulus(r"^( +)'10.0.0.1': .*$", r"\g<0>\n\1'10.0.0.254': {}", "A second default route, behind the first."),
    cumulus(r"^ +search:\n +", r"\g<0>example.com: {}\n              ", "A second domain."),
    frr(r"^    (gateway) 10.0.0.1$", r"    \1 10.0.0.254\n\g<0>", "A second default route.", file="interfaces"),
    frr(r"^    mtu 9100$", r"    mtu 1500\n\g<0>", "The first MTU counts.", file="interfaces", of=32),
    frr(r"^search .*$", r"search example.com\n\g<0>", "A second domain.", file="resolv.conf"),
)
EOS = (
    eos(r"^management security", r"management api http-commands\n   no shutdown\n!\n\g<0>", "eAPI in the default VRF."),
    eos(
        r"^management security",
        r"management api http-commands\n   no shutdown\n   !\n   vrf default\n      no shutdown\n!\n\g<0>",
        "eAPI in the default VRF by name.",
    ),
    eos(
        r"^interface Management1\n(   .*\n)+",
        r"\g<0>!\ninterface Management2\n   ip address 10.9.9.9/24\n",
        "A second port of management.",
    ),
    eos(
        r"^interface Ethernet1/1$",
        r"\g<0>\n   tx-queue 3\n      bandwidth percent 1",
        "A queue of a port without classes.",
        switch="fe-leaf-000",
    ),
    eos(r"^(snmp-server host 10.0.0.9 .*) monitor$", r"\1 other", "Traps by another user."),
    eos(r"^snmp-server host (10.0.0.9 .*) monitor$", r"\g<0>\nsnmp-server host \1 other", "Traps by two users."),
)
NXOS = (nxos(r"^(snmp-server host 10.0.0.9 traps .*) monitor$", r"\1 other", "Traps by another user."),)
daemons, links = partial(frr, file="daemons"), partial(frr, file="interfaces")
FRR = (
    daemons(r'^(bgpd_options=").*"$', r'\1-A 127.0.0.1 -n"', "BGP keeps its routes out of the kernel."),
    daemons(r'^(bgpd_options=").*"$', r'\1"', "BGP listens everywhere."),
    daemons(r"^bgpd=yes$", r"\g<0>\nospfd=yes", "Another routing protocol."),
    daemons(r"^bgpd=yes$", r"\g<0>\nfrr_global_options='--limit-fds 9'", "Options of all daemons."),
    daemons(r"^bgpd=yes$", r'\g<0>\nbgpd_wrap="/bin/true"', "Another program in place of BGP."),
    daemons(r"^bgpd=yes$", r"\g<0>\nexport bgpd=no", "No BGP after all."),
    links(r"^auto (swp1|eth0)$", r"allow-hotplug \1", "The port waits for its device.", of=2),
    links(r"\Z", "iface swp[1-32]\n    mtu 1500\n", "Many ports at once."),
    links(r"\Z", "auto br9\niface br9\n    bridge-ports swp1\n", "A port in a bridge."),
    frr(r"\Z", "interface eth0\n ip address 10.9.9.9/24\n", "A second address of management.", file="frr.conf"),
    frr(r"\Z", "interface eth0\n shutdown\n", "Management that is shut.", file="frr.conf"),
    links(r"^(iface eth0)$", r"\1 inet dhcp", "Addresses below DHCP do not count."),
)
database = partial(sonic, file="config_db.json")
feature = partial(database, r'^ +"FEATURE": \{$')
of_port = partial(database, under=("PORT_QOS_MAP", "Ethernet8"))
PORT_QOS, BGP = (r'^ +"tc_to_queue_map"',), (r'^ +"BGP_GLOBALS": \{$',)
LISTS, FIRST_LIST = 2, (r'"CL-FROM-ABOVE": \{$',)
SONIC = (
    feature(r'\g<0>\n"bgp": {"state": "disabled"},', "No BGP."),
    feature(r'\g<0>\n"swss": {"state": "always_disabled"},', "Nothing writes to the chip."),
    feature(r'\g<0>\n"snmp": {"state": "disabled"},', "No SNMP."),
    feature(r'\g<0>\n"telemetry": {"state": "enabled"},', "A second server of gNMI."),
    feature(r'\g<0>\n"restapi": {"state": "enabled"},', "An API that nobody planned."),
    feature(r'\g<0>\n"dhcp_server": {"state": "enabled"},', "A DHCP server."),
    database(
        r"^\{$", r'{\n"BGP_DEVICE_GLOBAL": {"STATE": {"tsa_enabled": "true"}},', "Traffic is shifted to other switches."
    ),
    database(r'^ +"localhost": \{$', r'\g<0>\n"default_bgp_status": "down",', "Sessions are shut by themselves."),
    database(
        r'^ +"FLEX_COUNTER_TABLE": \{$',
        r'\g<0>\n"PFCWD": {"FLEX_COUNTER_STATUS": "disable"},',
        "A watchdog that is blind.",
    ),
    database(r'^ +"CABLE_LENGTH": \{$', r'\g<0>\n"AZURE": {"Ethernet0": "300m"},', "A second length of a cable."),
    of_port(
        r',\n +"tc_to_queue_map": "FABRIC"', "", "All packets of a port in one queue.", also=(r'"Ethernet8": \{$',)
    ),
    of_port(r'"tc_to_queue_map": "FABRIC"', '"tc_to_queue_map": "OTHER"', "A map of queues that is not there."),
    of_port(r'"tc_to_pg_map": "FABRIC",\n +', "", "A port without a map of priority groups."),
    of_port(r'"tc_to_pg_map": "FABRIC"', '"tc_to_pg_map": "OTHER"', "A map of groups that is not there."),
    of_port(r'"pfc_to_queue_map": "FABRIC",\n +', "", "A port whose pauses stop no queue."),
    of_port(r'"pfc_to_pg_map": "FABRIC",\n +', "", "A port whose groups pause nobody."),
    database(r'^    "TC_TO_QUEUE_MAP": \{(.*\n)+?    \},\n', "", "No map of queues.", also=PORT_QOS),
    database(r',\n +"set_type": "STANDARD"', "", "A list of communities without a type.", of=LISTS, also=FIRST_LIST),
    database(r'^ +"community_member": \[\n.*\n +\],\n', "", "A list of communities without one.", of=LISTS),
    database(r'"match_action": "ANY",\n +', "", "A list of communities that is not written.", of=LISTS),
    database(r'^ +"default\|ipv4_unicast": \{\n.*\n +\},\n', "", "Equal paths are those of the build."),
    database(r',\n +"default\|ipv6_unicast": \{\n.*\n +\}', "", "The same for IPv6."),
    database(r'^    "BGP_GLOBALS_AF": \{(.*\n)+?    \},\n', "", "The same for both.", also=BGP),
)
JUNOS = (
    junos(r"\Z", "inactive: snmp;\n", "A hierarchy that is inactive."),
    junos(r"\Z", "inactive: protocols {\n}\n", "A block that is inactive, behind an active one of its name."),
    junos(r"^system \{$", r"inactive: class-of-service {\n}\n\g<0>", "The same ahead of the active one."),
    junos(r"\Z", "protocols { inactive: bgp; }\n", "A hierarchy below another."),
    junos(r"\Z", "system { processes { routing disable; } }\n", "No daemon of routing."),
    junos(r"\Z", "routing-instances { mgmt_junos { interface et-0/0/0.0; } }\n", "A port beside management."),
    junos(r"export ECMP;", "export [ OTHER ECMP ];", "A policy that decides before the one for equal paths."),
    junos(r" 111111 \];$", " 111111 011000 ];", "A code point in two classes."),
    junos(r"^    fpc 0 \{$", "    fpc 1 {", "Buffers of a card that is not there."),
)
system = partial(cumulus, r"^    system:$")
CUMULUS = (
    system(r"\g<0>\n      api:\n        listening-address:\n          0.0.0.0: {}", "The API at an address."),
    system(r"\g<0>\n      api:\n        state: enabled\n        port: 80", "The API at another port."),
    system(r"\g<0>\n      api:\n        state: disabled", "No API."),
    cumulus(r"^( +)'10.0.0.16/24': .*$", r"\g<0>\n\1dhcp: {}", "Addresses beside DHCP do not count."),
    system(r"\g<0>\n      ssh-server:\n        vrf:\n          default: {}", "SSH in the default VRF."),
    system(r"\g<0>\n      control-plane:\n        acl:\n          mine:\n            inbound: {}", "A filter of BGP."),
    system(r"\g<0>\n      global:\n        fabric-mac: 00:00:5e:00:01:01", "Another MAC address of gateways."),
)
JSON_RPC = (
    r'\g<0>\n"srl_nokia-json-rpc:json-rpc-server": {"admin-state": "enable", "network-instance": ['
    r'{"name": "default", "https": {"admin-state": "enable"}}]},'
)
GRPC = r'"name": "other", "admin-state": "enable", "network-instance": "mgmt", "services": ["gnmi"]},\n{\n\g<0>'
SRLINUX = (
    srlinux(r'^  "srl_nokia-system:system": \{$', JSON_RPC, "JSON-RPC in the default instance."),
    srlinux(r'^ +"name": "mgmt",\n.*\n.*\n +"port": 6030,$', GRPC, "gNMI at a second port, which nothing says."),
    srlinux(r'^( +)"srl_nokia-grpc:gnmi"$', r'\g<0>,\n\1"srl_nokia-grpc:gribi"', "Routes by gRIBI."),
)
REJECTS = r'("name": "{}",)\n +"default-action": \{{\n.*\n +\}}'
"""The default action of a policy."""
PATHS = r',\n +"multipath": \{{\n.*\n.*\n +"maximum-paths": {}\n +\}}\n +\}}'
"""The equal paths of a family."""
FAMILY = r'\{\n +"afi-safi-name": "[a-z_-]+:ipv4-unicast",\n.*\n +"multipath": \{\n.*\n.*\n.*\n +\}\n +\}\n +\},\n +'
SRLINUX_DEFAULTS = (
    srlinux(REJECTS.format("RM-SPINES-IPV4-IN") + ",", r"\1", "Every route is accepted."),
    srlinux(REJECTS.format("RM-SPINES-IPV4-OUT") + ",", r"\1", "Routes that nobody planned are announced."),
    srlinux(
        REJECTS.format("EVPN-STORAGE-OUT") + ",",
        r"\1",
        "Routes that nobody planned become EVPN routes.",
        switch="fe-leaf-000",
    ),
    srlinux(
        r'("name": "RM-LEAVES-IPV4-OUT",\n[\s\S]*?),\n +"protocol": "srl_nokia-common:bgp"',
        r"\1",
        "The switch's own links are announced.",
        switch="be-spine-00",
    ),
    srlinux(PATHS.format(32), "", "One path of IPv4.", of=2),
    srlinux(FAMILY, "", "One path of IPv4, which groups turn on."),
)
SRLINUX_QOS = (
    srlinux(r'^( +"slot": )1,$', r"\g<1>2,", "Headroom of a card that is not there."),
    srlinux(
        r'^( +"name": )"0",(\n +"input": \{\n +"pfc-buffer-reservation")',
        r'\1"1",\2',
        "Headroom of a chip that is not there.",
    ),
    srlinux(
        r'("pfc-queue": \[)(\n +\{\n +"pfc-queue-name": "pfc3",\n +"queue-index": 3\n[\s\S]*'
        r'"unicast-mapping": \{\n +"pfc-queue": \[\n +\{\n +"pfc-queue-name": )"pfc3"',
        r'\1\n{"pfc-queue-name": "pfc4", "queue-index": 4},\2"pfc4"',
        "Lossless traffic in a queue without headroom.",
    ),
    srlinux(
        r'("pfc-queue-name": "pfc3",\n +"queue-index": )3', r"\g<1>4", "A default queue has the index of its name."
    ),
    *(
        srlinux(rf'^( +"{key}": )"all",$', rf'\1"{instead}",', "RoCE is not marked.")
        for key, instead in (("traffic-type", "tcp"), ("traffic-type", "non-tcp"), ("drop-probability", "high"))
    ),
)
ADDED = (
    frr(
        r"^( neighbor \S+ password \$\{env:\w+\})$",
        r"\1 more",
        "A secret with something behind it.",
        of=2,
        file="frr.conf",
        switch="fe-border-00",
    ),
    database(r'^( +"passkey": "\$\{env:\w+\})"', r'\1x"', "A secret with something behind it."),
    srlinux(r'^( +"secret-key": "\$\{env:\w+\})"', r'\1x"', "A secret with something behind it."),
)
RUNS = (eos(r"^sflow run\n", "", "Nothing is sampled."),)
TWICE_KEYS = (
    srlinux(
        r'^  "srl_nokia-system:system": \{$', r'"srl_nokia-system:system": {},\n\g<0>', "A key twice, an empty value."
    ),
    srlinux(
        r'^ +"name": "ethernet-1/1",$',
        r'\g<0>\n"mtu": 1500,\n"mtu": 9232,',
        "A key twice, in one line each.",
        of=1,
    ),
    srlinux(r'^ +"host-name": .*$', r'"host-name": "x",\n\g<0>', "A key twice."),
    srlinux(r'^ +"host-name": .*$', r'"host-name": "x",  \g<0>', "A key twice in one line."),
    database(r'^ +"hostname": .*$', r'"hostname": "x",\n\g<0>', "A key twice."),
    cumulus(r"^      hostname: .*$", r"      hostname: x\n\g<0>", "A key twice."),
)

ROWS = (
    *(*TWICE_KEYS, *ADDED, *RUNS, *TWICE, *EOS, *NXOS, *FRR, *SONIC, *JUNOS, *CUMULUS),
    *(*SRLINUX, *SRLINUX_DEFAULTS, *SRLINUX_QOS),
)
