"""Faults seeded into what a switch says: each is found for what it is, and nothing else with it."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tests.cumulus.shown_fabric import findings, site

BACK, FRONT = "be-leaf-000", "fe-leaf-000"
NEIGHBORS, ADDRESSES = "show bgp vrf all neighbors json", "ip -j -d addr show"
ROUTES, VNIS, FLOOD = "ip -j -N route show table all", "show evpn vni detail json", "bridge -j fdb show"
LLDP, EVPN, VLANS = "lldpcli -f json0 show neighbors details", "show bgp l2vpn evpn json", "bridge -j vlan show"
RUNNING, RULES = "nv config show", "ip -j rule show"


Printed = Any
"""What one command printed, JSON parsed."""


class Fault(NamedTuple):
    """What is changed at a switch, and the check and code of what must be found, with a word of it."""

    switch: str
    command: str
    change: Callable[[Printed], Printed]
    check: str
    code: str
    word: str


def peers(shown: Printed) -> list[dict[str, Any]]:
    return [row for row in shown["default"].values() if isinstance(row, dict)]


def down(shown: Printed) -> None:
    peers(shown)[0]["bgpState"] = "Active"


def other_as(shown: Printed) -> None:
    peers(shown)[0].update(remoteAs=65000, bgpState="Idle")


def no_family(shown: Printed) -> None:
    peers(shown)[0]["neighborCapabilities"]["multiprotocolExtensions"] = {
        "ipv6Multicast": {"advertisedAndReceived": True}
    }


def dead_to_bfd(shown: Printed) -> None:
    next(row for row in peers(shown) if "peerBfdInfo" in row)["peerBfdInfo"]["status"] = "Down"


def unwatched(shown: Printed) -> None:
    del next(row for row in peers(shown) if "peerBfdInfo" in row)["peerBfdInfo"]


def device(name: str, **more: object) -> Callable[[Printed], None]:
    return lambda shown: next(row for row in shown if row["ifname"] == name).update(more)


def other_address(shown: Printed) -> None:
    row = next(row for row in shown if row["ifname"] == "swp1")
    row["addr_info"] = [{"family": "inet", "local": "192.0.2.1", "prefixlen": 31, "scope": "global"}]


def first_route(shown: Printed) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in shown if "nexthops" in row)
    return found


def no_route(shown: Printed) -> None:
    shown.remove(first_route(shown))


def one_hop(shown: Printed) -> None:
    first_route(shown)["nexthops"].pop()


def weighted(shown: Printed) -> None:
    first_route(shown)["nexthops"][0]["weight"] = 5


def swapped(shown: Printed) -> None:
    rows = shown["lldp"][0]["interface"]
    for one in rows:
        if one["name"].startswith("swp"):
            one["chassis"][0]["name"][0]["value"] = "be-spine-99"
            return


def no_vni(shown: Printed) -> str:
    return json.dumps([row for row in json.loads(shown) if row["type"] != "L2"])


def vni_down(shown: Printed) -> str:
    rows = json.loads(shown)
    next(row for row in rows if row["type"] == "L3")["state"] = "Down"
    return json.dumps(rows)


def other_vlan(shown: Printed) -> str:
    rows = json.loads(shown)
    row = next(row for row in rows if row["type"] == "L2")
    row.pop("sviInterface", None)
    row["vlan"] = 3000
    return json.dumps(rows)


def no_flood(shown: Printed) -> None:
    shown.pop()


def no_type_5(shown: Printed) -> None:
    for block in shown.values():
        for name in [name for name in block if name.startswith("[5]")] if isinstance(block, dict) else []:
            del block[name]
            return


def other_trunk(shown: Printed) -> None:
    next(row for row in shown if row["ifname"].startswith("bond"))["vlans"].pop()


def stray_rule(shown: Printed) -> None:
    shown.append({"priority": 50, "src": "all", "dst": "10.0.0.2", "table": "77"})


def lacking(shown: Printed) -> str:
    return str(shown).replace("      hostname: be-leaf-000\n", "")


def extra(shown: Printed) -> str:
    return str(shown).replace("    system:\n", "    system:\n      ntp-by-hand: on\n", 1)


def unbundled(shown: Printed) -> None:
    """LACP has left a port out: it is in an aggregator of its own."""
    row = next(row for row in shown if "info_slave_data" in row.get("linkinfo", {}))
    row["linkinfo"]["info_slave_data"]["ad_aggregator_id"] = 99


FAULTS = (
    Fault(BACK, NEIGHBORS, down, "sessions", "session-down", "Active"),
    Fault(BACK, NEIGHBORS, other_as, "sessions", "session-wrong-as", "65000"),
    Fault(BACK, NEIGHBORS, no_family, "sessions", "session-family-missing", "ipv4"),
    Fault(BACK, NEIGHBORS, dead_to_bfd, "bfd", "bfd-down", "BFD down"),
    Fault(BACK, NEIGHBORS, unwatched, "bfd", "bfd-missing", "no BFD"),
    Fault(BACK, ADDRESSES, device("swp1", mtu=1500), "mtu", "mtu-wrong", "1500"),
    Fault(BACK, ADDRESSES, device("swp1", flags=["BROADCAST"], operstate="DOWN"), "interfaces", "interface-shut", ""),
    Fault(BACK, ADDRESSES, other_address, "addresses", "address-wrong", "192.0.2.1/31"),
    Fault(BACK, ROUTES, no_route, "routes", "route-missing", ""),
    Fault(BACK, ROUTES, one_hop, "routes", "route-width", ""),
    Fault(BACK, ROUTES, weighted, "routes", "route-weights", ""),
    Fault(BACK, LLDP, swapped, "lldp", "lldp-wrong-peer", "be-spine-99"),
    Fault(FRONT, VNIS, no_vni, "vnis", "vni-missing", ""),
    Fault(FRONT, VNIS, vni_down, "vnis", "vni-down", ""),
    Fault(FRONT, VNIS, other_vlan, "vnis", "vni-wrong-vlan", "3000"),
    Fault(FRONT, FLOOD, no_flood, "vnis", "vtep-missing", ""),
    Fault(FRONT, EVPN, no_type_5, "evpn", "evpn-missing", ""),
    Fault(FRONT, VLANS, other_trunk, "interfaces", "port-wrong-vlan", ""),
    Fault(BACK, RULES, stray_rule, "routes", "rule-unexpected", "77"),
    Fault(BACK, RUNNING, lacking, "drift", "drift-missing", "hostname: be-leaf-000"),
    Fault(BACK, RUNNING, extra, "drift", "drift-extra", "ntp-by-hand: on"),
    Fault(FRONT, ADDRESSES, unbundled, "interfaces", "lag-member-missing", "swp"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.change.__name__ for fault in FAULTS])
def test_each_is_found(fault: Fault) -> None:
    switch = site()[fault.switch]
    said = switch.says()
    changed = fault.change(said[fault.command])
    if changed is not None:
        said[fault.command] = changed
    found = findings(switch, said, drift=fault.command == RUNNING)
    assert found
    assert {(one.check, one.code) for one in found} == {(fault.check, fault.code)}
    assert any(fault.word in f"{one.subject} {one.expected} {one.actual}" for one in found), found
