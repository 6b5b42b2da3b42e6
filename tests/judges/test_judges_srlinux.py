"""SR Linux's models take a right configuration and refuse wrong ones; what they do not see is written down here."""

import json
from copy import deepcopy
from typing import Any

import pytest

from tests.judges import srlinux
from tests.judges.srlinux_sample import LEAF

pytestmark = pytest.mark.skipif(srlinux.available() is not None, reason=f"judge: {srlinux.available()}")

Path = tuple[str | int, ...]

PORT: Path = ("srl_nokia-interfaces:interface", 0)
QOS: Path = ("srl_nokia-qos:qos",)
PORT_QOS: Path = (*QOS, "interfaces", "interface", 0)
PFC: Path = (*QOS, "pfc-mapping-profile", 0, "received-traffic", "unicast-mapping", "pfc-queue", 0)
SLOPE: Path = (*QOS, "buffer-management", "queue-management-profile", 0, "wred", "wred-slope", 0)
DEFAULT: Path = ("srl_nokia-network-instance:network-instance", 0)
BGP: Path = (*DEFAULT, "protocols", "srl_nokia-bgp:bgp")
MAC_VRF: Path = ("srl_nokia-network-instance:network-instance", 1)
VPN: Path = (*MAC_VRF, "protocols", "srl_nokia-bgp-vpn:bgp-vpn", "bgp-instance", 0)
POLICY: Path = ("srl_nokia-routing-policy:routing-policy", "policy", 0)
VXLAN: Path = ("srl_nokia-tunnel-interfaces:tunnel-interface", 0, "vxlan-interface", 0)

TWO_VXLAN = [{"name": "vxlan0.20"}, {"name": "vxlan0.30"}]

# (what is wrong, where, what stands there instead; None: it is taken out, what is said)
REFUSED: tuple[tuple[str, Path, object, str], ...] = (
    ("speed that is none", (*PORT, "ethernet", "port-speed"), "450G", 'Invalid enumeration value "450G"'),
    ("MTU out of range", (*PORT, "mtu"), 99999, "99999"),
    ("unknown name", (*PORT, "mtuu"), 9232, 'Node "mtuu" not found'),
    ("port of a wrong name", (*PORT, "name"), "eth-1/1", "eth-1/1"),
    (
        "address that is none",
        (*PORT, "subinterface", 0, "ipv4", "address", 0, "ip-prefix"),
        "10.1.0.1/33",
        "10.1.0.1/33",
    ),
    ("text where a number stands", (*PORT, "mtu"), "9232", "mtu"),
    (
        "traffic class that is not there",
        (*QOS, "classifiers", "dscp-policy", 0, "dscp", 0, "forwarding-class"),
        "nope",
        'Invalid leafref value "nope" - no target instance "/srl_nokia-qos:qos/srl_nokia-qos:forwarding-classes',
    ),
    ("DSCP 64", (*QOS, "classifiers", "dscp-policy", 0, "dscp", 0, "value"), 64, '"64"'),
    ("PFC on priority 8", (*PFC, "pfc-pause-frame-priority"), 8, 'value "8" is out of the allowed range'),
    ("PFC queue that is not there", (*PFC, "pfc-queue-name"), "nope", 'Invalid leafref value "nope"'),
    (
        "PFC profile that is not there",
        (*PORT_QOS, "pfc", "pfc-mapping-profile"),
        "nope",
        'Invalid leafref value "nope"',
    ),
    (
        "classifier that is not there",
        (*PORT_QOS, "input", "classifiers", "dscp-policy"),
        "nope",
        "Invalid leafref value",
    ),
    (
        "queue that is not there",
        (*PORT_QOS, "output", "queues", "queue", 0, "queue-name"),
        "nope",
        "Invalid leafref value",
    ),
    ("probability over 100", (*SLOPE, "max-drop-probability-percent"), 101, "101"),
    ("class without a queue", (*QOS, "forwarding-classes", "forwarding-class", 0, "output"), None, "Mandatory node"),
    ("AS number over 32 bits", (*BGP, "autonomous-system"), 4294967296, "4294967296"),
    ("family that is none", (*BGP, "afi-safi", 0, "afi-safi-name"), "ipv5-unicast", "ipv5-unicast"),
    ("peer group that is not there", (*BGP, "neighbor", 0, "peer-group"), "NOPE", 'Invalid leafref value "NOPE"'),
    ("policy that is not there", (*BGP, "group", 0, "export-policy"), ["NOPE"], 'Invalid leafref value "NOPE"'),
    ("peer that is no address", (*BGP, "neighbor", 0, "peer-address"), "10.1.0.999", "10.1.0.999"),
    ("prefixes that are not there", (*POLICY, "statement", 0, "match", "prefix", "prefix-set"), "NOPE", "leafref"),
    ("result that is none", (*POLICY, "default-action", "policy-result"), "deny", 'Invalid enumeration value "deny"'),
    ("route target of another's form", (*VPN, "route-target", "export-rt"), "65000:10100", 'value "65000:10100"'),
    ("type that is none", (*MAC_VRF, "type"), "macvrf", "macvrf"),
    ("two VXLAN interfaces", (*MAC_VRF, "vxlan-interface"), TWO_VXLAN, 'Too many "vxlan-interface" instances'),
    ("VXLAN interface of another", (*MAC_VRF, "vxlan-interface", 0, "name"), "vxlan0.99", "Invalid leafref value"),
    ("VNI over 24 bits", (*VXLAN, "ingress", "vni"), 16777216, "16777216"),
    ("VXLAN interface without a type", (*VXLAN, "type"), None, 'Mandatory node "type"'),
)

# (what is wrong, where, what stands there instead)
ACCEPTED: tuple[tuple[str, Path, object], ...] = (
    ("subinterface that is not there", (*DEFAULT, "interface", 0, "name"), "ethernet-1/9.0"),
    ("subinterface of another instance", (*MAC_VRF, "interface", 0, "name"), "ethernet-1/1.0"),
    (
        "address on a bridged subinterface",
        ("srl_nokia-interfaces:interface", 1, "subinterface", 0, "ipv4"),
        {"admin-state": "enable", "address": [{"ip-prefix": "10.20.0.1/24"}]},
    ),
    ("ECN minimum over maximum", (*SLOPE, "min-threshold"), "9000000"),
)


def test_a_leaf_is_accepted() -> None:
    assert srlinux.faults(json.dumps(dict(LEAF))) == []


@pytest.mark.parametrize(("path", "value", "said"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_the_models_refuse(path: Path, value: object, said: str) -> None:
    assert said in "\n".join(srlinux.faults(_spoilt(path, value)))


@pytest.mark.parametrize(("path", "value"), [case[1:] for case in ACCEPTED], ids=[case[0] for case in ACCEPTED])
def test_the_models_do_not_see(path: Path, value: object) -> None:
    """A known gap: should it close, this says so, and a check of ours can go."""
    assert srlinux.faults(_spoilt(path, value)) == []


def test_what_is_no_json_is_refused() -> None:
    assert "no JSON" in srlinux.faults('{"a": }')[0]


def test_a_feature_that_the_switch_has_not_is_unknown() -> None:
    output = (*QOS, "forwarding-classes", "forwarding-class", 0, "output", "queue")
    assert 'Node "queue" not found' in srlinux.faults(_spoilt(output, "unicast-0"))[0]


def _spoilt(path: Path, value: object) -> str:
    """The sample with another value, or, by None, nothing at a path."""
    document: Any = deepcopy(dict(LEAF))
    place = document
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(document)
