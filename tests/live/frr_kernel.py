"""Recorded: a Linux 6.1 kernel with VRF devices, a VLAN-aware bridge and a VXLAN device, asked with iproute2 6.1.0.

Taken 2026-11-21; rows of several moments, put together and shortened to the fields that matter. Kernels without VRF
devices are read live by other tests.
"""

import json

UP = ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"]


def device(name: str, kind: str = "", **more: object) -> dict[str, object]:
    """One row of `ip -j -d addr show`; info: of the kind."""
    info = more.pop("info", {})
    linkinfo = {"linkinfo": {"info_kind": kind, "info_data": info}} if kind else {}
    common = {"ifname": name, "flags": UP, "mtu": 1500, "operstate": "UP", "link_type": "ether", "addr_info": []}
    return {**common, **linkinfo, **more}


def address(text: str, scope: str = "global", **more: object) -> dict[str, object]:
    """One address of such a row."""
    local, _, length = text.partition("/")
    return {
        "family": "inet6" if ":" in local else "inet",
        "local": local,
        "prefixlen": int(length),
        "scope": scope,
    } | more


DEVICES = [
    device(
        "lo",
        flags=["LOOPBACK", "UP", "LOWER_UP"],
        mtu=65536,
        operstate="UNKNOWN",
        link_type="loopback",
        addr_info=[
            address("127.0.0.1/8", "host"),
            address("10.0.0.4/32"),
            address("fd00::4/128"),
            address("::1/128", "host"),
        ],
    ),
    device(
        "swp1",
        addr_info=[address("10.1.0.0/31"), address("fd01::/127"), address("fe80::5c4f:f6ff:fe0a:ae98/64", "link")],
    ),
    device("swp2", flags=["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"], operstate="DOWN"),
    device("swp3", flags=["BROADCAST", "MULTICAST"], operstate="DOWN"),
    device("swp5"),
    device(
        "research",
        "vrf",
        flags=["NOARP", "MASTER", "UP", "LOWER_UP"],
        mtu=65575,
        info={"table": 1001},
        addr_info=[address("127.0.0.1/8", "host"), address("::1/128", "host")],
    ),
    device("vrf10002", "vrf", flags=["NOARP", "MASTER", "UP", "LOWER_UP"], mtu=65575, info={"table": 1002}),
    device("bridge", "bridge", info={"vlan_filtering": 1}),
    device(
        "vlan110",
        "vlan",
        link="bridge",
        master="research",
        info={"protocol": "802.1Q", "id": 110, "flags": ["REORDER_HDR"]},
        addr_info=[address("172.18.0.1/20"), address("fd02::1/64"), address("fe80::5c45:14ff:fe16:79c9/64", "link")],
    ),
    device("vlan4094", "vlan", link="bridge", master="research", info={"protocol": "802.1Q", "id": 4094}),
    device(
        "swp5.900",
        "vlan",
        link="swp5",
        master="research",
        info={"protocol": "802.1Q", "id": 900},
        addr_info=[address("172.31.0.0/31")],
    ),
    device("bond1", "bond", flags=["BROADCAST", "MULTICAST", "MASTER"], operstate="DOWN", master="bridge"),
    device("dummy1", "dummy", master="research", operstate="UNKNOWN", addr_info=[address("172.30.0.1/32")]),
    device(
        "vni10001",
        "vxlan",
        master="bridge",
        operstate="UNKNOWN",
        address="fe:ce:02:58:74:28",
        info={"id": 10001, "local": "10.0.0.4"},
    ),
]

ROUTES = json.loads("""[
{"dst":"default","gateway":"172.31.0.1","dev":"swp5.900","table":"1001","protocol":"186","metric":20,"flags":[]},
{"type":"7","dst":"default","table":"1001","metric":8192,"flags":[]},
{"type":"7","dst":"default","table":"1001","metric":4278198272,"flags":[]},
{"dst":"127.0.0.0/8","dev":"research","table":"1001","protocol":"2","scope":"253","prefsrc":"127.0.0.1","flags":[]},
{"dst":"172.18.0.0/20","dev":"vlan110","table":"1001","protocol":"2","scope":"253","prefsrc":"172.18.0.1","flags":[]},
{"type":"2","dst":"172.18.0.1","dev":"vlan110","table":"1001","protocol":"2","scope":"254","flags":[]},
{"type":"3","dst":"172.18.15.255","dev":"vlan110","table":"1001","protocol":"2","scope":"253","flags":[]},
{"dst":"172.19.0.0/20","table":"1001","protocol":"186","metric":20,"flags":[],"nexthops":[
  {"gateway":"10.0.0.9","dev":"vlan4094","weight":1,"flags":["onlink"]},
  {"gateway":"10.0.0.8","dev":"vlan4094","weight":1,"flags":["onlink"]}]},
{"dst":"10.1.0.0/31","dev":"swp1","protocol":"2","scope":"253","prefsrc":"10.1.0.0","flags":[]},
{"dst":"10.1.0.2/31","dev":"swp2","protocol":"2","scope":"253","prefsrc":"10.1.0.2","flags":["linkdown"]},
{"dst":"10.8.0.0/16","protocol":"186","metric":20,"flags":[],"nexthops":[
  {"via":{"family":"inet6","host":"fe80::1"},"dev":"swp1","weight":1,"flags":[]},
  {"via":{"family":"inet6","host":"fe80::2"},"dev":"swp2","weight":1,"flags":["linkdown"]}]},
{"dst":"10.9.0.0/16","protocol":"186","metric":20,"flags":[],"nexthops":[
  {"gateway":"10.1.0.1","dev":"swp1","weight":1,"flags":["dead","linkdown"]},
  {"gateway":"10.1.0.3","dev":"swp2","weight":1,"flags":[]}]},
{"dst":"10.10.0.0/16","nhid":13,"protocol":"186","flags":[],"nexthops":[
  {"gateway":"10.1.0.1","dev":"swp1","weight":1,"flags":[]},
  {"gateway":"10.1.0.3","dev":"swp2","weight":1,"flags":[]}]},
{"type":"6","dst":"10.11.0.0/16","nhid":14,"dev":"lo","flags":[]},
{"type":"6","dst":"10.64.0.0/16","protocol":"196","metric":20,"flags":[]},
{"type":"9","dst":"10.66.0.0/16","flags":[]},
{"type":"2","dst":"10.0.0.4","dev":"lo","table":"255","protocol":"2","scope":"254","prefsrc":"10.0.0.4","flags":[]},
{"dst":"10.77.0.0/16","dev":"swp1","table":"77","protocol":"4","flags":[]},
{"type":"2","dst":"::1","dev":"research","table":"1001","protocol":"2","metric":0,"flags":[],"pref":"medium"},
{"dst":"fd02::/64","dev":"vlan110","table":"1001","protocol":"2","metric":256,"flags":[],"pref":"medium"},
{"dst":"fd19::/64","table":"1001","protocol":"186","metric":20,"flags":[],"pref":"medium","nexthops":[
  {"gateway":"::ffff:10.0.0.9","dev":"vlan4094","weight":1,"flags":["onlink"]},
  {"gateway":"::ffff:10.0.0.8","dev":"vlan4094","weight":1,"flags":["onlink"]}]},
{"type":"7","dst":"default","dev":"lo","table":"1001","metric":8192,"flags":[],"pref":"medium"},
{"dst":"fd00::4","dev":"lo","protocol":"2","metric":256,"flags":[],"pref":"medium"},
{"dst":"fd09::/64","protocol":"186","metric":20,"flags":[],"pref":"medium","nexthops":[
  {"gateway":"fd01::1","dev":"swp1","weight":1,"flags":[]},
  {"gateway":"fd01::3","dev":"swp2","weight":1,"flags":[]}]},
{"type":"6","dst":"fd64::/64","dev":"lo","protocol":"196","metric":20,"flags":[],"pref":"medium"},
{"dst":"fe80::/64","dev":"swp1","protocol":"2","metric":256,"flags":[],"pref":"medium"},
{"type":"5","dst":"ff00::/8","dev":"swp1","table":"255","protocol":"2","metric":256,"flags":[],"pref":"medium"}]""")

FLOOD = json.loads("""[
{"mac":"fe:ce:02:58:74:28","ifname":"vni10001","vlan":110,"flags":[],"master":"bridge","state":"permanent"},
{"mac":"02:00:0a:80:c0:09","ifname":"vni10001","dst":"10.0.0.7","flags":["self","extern_learn"],"state":""},
{"mac":"00:00:00:00:00:00","ifname":"vni10001","dst":"10.0.0.9","flags":["self"],"state":"permanent"},
{"mac":"00:00:00:00:00:00","ifname":"vni10001","dst":"10.0.0.8","flags":["self"],"state":"permanent"}]""")

BRIDGED = json.loads('[{"ifname":"vni10001","vlans":[{"vlan":110,"flags":["PVID","Egress Untagged"]}]}]')
