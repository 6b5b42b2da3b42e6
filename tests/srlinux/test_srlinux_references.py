"""Names lead somewhere, everything has one place, sizes fit: in every file, and not in one that was broken."""

import json

import pytest

from tests.srlinux.references import faults, read
from tests.srlinux.sites import samples, text_of


@pytest.mark.parametrize("name", sorted(samples()))
def test_nothing_dangles(name: str) -> None:
    assert faults(text_of(name)) == []


BROKEN = [
    ("demo frontend leaf", '"name": "irb0.20"', '"name": "irb0.21"', "no subinterface"),
    ("demo backend leaf", '"name": "lo0.0"', '"name": "ethernet-1/1/1.0"', "is in"),
    ("demo frontend leaf", '"type": "srl_nokia-interfaces:bridged",\n          "des', '"des', "a mac-vrf"),
    ("demo frontend leaf", '"mac-limit"', '"proxy-arp"', "has irb0.20 and"),
    ("demo frontend last-leaf", '"srl_nokia-interfaces-vlans:vlan-tagging": true', '"x": 1', "no vlan-tagging"),
    ("demo frontend last-leaf", '"vlan-id": 121', '"vlan-id": 120', "of one tag"),
    ("demo backend leaf", '"mtu": 9228', '"mtu": 9100', "octets of 9100"),
    ("demo backend leaf", '"mtu": 9228', '"mtu": 9500', "has 9412"),
    ("demo frontend leaf", '"admin-key"', '"x"', "no aggregate with an LACP identity"),
    ("demo frontend leaf", '"esi": "00:00:00:00:00:00:01', '"esi": "00:00:00:00:00:00:00', "no ES-Import"),
    ("demo frontend leaf", '"esi": "00:00:00:00:00:00:01', '"esi": "00:00:00:00:00:00:02', "stands 2 times"),
    ("demo frontend leaf", "srl_nokia-interfaces:routed", "srl_nokia-interfaces:bridged", "is no tunnel of"),
    ("demo frontend leaf", '"rd": "10.', '"rdd": "10.', "auto stands"),
    ("demo frontend last-leaf", '"evi": 121', '"evi": 120', "stands 2 times"),
    ("demo frontend leaf", '"ecmp": 8', '"ecmp": 9', "paths of 8"),
    ("demo frontend leaf", '"import-rt"', '"imports"', "no route targets"),
    ("demo backend leaf", '"import-reject-all": true', '"import-reject-all": false', "without a policy"),
    ("demo backend spine", '"export-policy"', '"x"', "a way without a policy"),
    ("demo frontend spine", '"afi-safi-name": "srl_nokia-common:evpn",\n                  "admin-state": "disable"',
     '"afi-safi-name": "srl_nokia-common:ipv4-unicast",\n                  "admin-state": "disable"', "carries"),
    ("demo backend leaf", '"policy-result": "reject"\n        }', '"policy-result": "accept"\n        }', "lets"),
    ("bare backend leaf", '"router-role"', '"role"', "no router advertisements"),
    ("bare backend leaf", '"receive-ipv4-check": false', '"receive-ipv4-check": true', "takes no IPv4"),
    ("bare backend leaf", '"enable-bfd"', '"x"', "BFD is asked for") ,
    ("bare backend leaf", '"id": "ethernet-1/33/1.0"', '"id": "ethernet-1/99.0"', "which is not there"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "why"), BROKEN, ids=[f"{row[0]}: {row[3]}" for row in BROKEN])
def test_what_is_broken_is_seen(name: str, old: str, new: str, why: str) -> None:
    text = text_of(name)
    assert old in text
    assert any(why in fault for fault in faults(text.replace(old, new)))


def test_a_lost_aggregate_is_seen() -> None:
    tree = json.loads(text_of("demo backend leaf"))
    (default,) = [row for row in tree["srl_nokia-network-instance:network-instance"] if row["name"] == "default"]
    del default["srl_nokia-static-routes:static-routes"]
    assert any("is nowhere" in fault for fault in faults(json.dumps(tree)))


def test_a_member_without_its_aggregate_is_seen() -> None:
    text = text_of("demo frontend leaf").replace('"aggregate-id": "lag1"', '"aggregate-id": "lag7"')
    assert "lag1 has no member" in faults(text)
    assert read(text)["interface"]
