"""A set in another order is no drift, and an ordered list in another order is."""

import json

import pytest

from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.eos.live.reader import EOS
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.platforms.junos.live.reader import JUNOS
from fabricgen.platforms.nxos.live.reader import NXOS
from fabricgen.platforms.srlinux.live.reader import SRLINUX

JUNOS_LISTS = """\
system {
    authentication-order [ %s ];
    name-server {
        %s;
        %s;
    }
    tacplus-server {
        %s;
        %s;
    }
}
"""
PROFILE = """\
class-of-service {
    drop-profiles {
        ROCE {
            interpolate {
                fill-level [ %s ];
                drop-probability [ %s ];
            }
        }
    }
    classifiers {
        dscp FABRIC {
            forwarding-class rdma {
                loss-priority low code-points [ %s ];
            }
        }
    }
}
"""
TERM = """\
policy-options {
    policy-statement OUT {
        term 10 {
            from {
                protocol [ %s ];
                community [ %s ];
            }
            then {
                community %s;
                community %s;
                accept;
            }
        }
    }
}
"""


def aaa(*methods: str) -> str:
    return json.dumps(
        {"srl_nokia-system:system": {"srl_nokia-aaa:aaa": {"authentication": {"authentication-method": methods}}}}
    )


def dns(*servers: str) -> str:
    return json.dumps({"srl_nokia-system:system": {"srl_nokia-dns:dns": {"server-list": servers}}})


def members(*values: str) -> str:
    entry = {"name": "X", "member": values}
    return json.dumps({"srl_nokia-routing-policy:routing-policy": {"community-set": [entry]}})


def policy(*names: str) -> str:
    entries = [{"name": name, "action": {"policy-result": "accept"}} for name in names]
    return json.dumps({"routing-policy": {"policy": [{"name": "P", "statement": entries}]}})


def group(*policies: str) -> str:
    bgp = {"group": [{"group-name": "G", "import-policy": policies}]}
    return json.dumps({"network-instance": [{"name": "default", "protocols": {"bgp": bgp}}]})


SETS = (
    (EOS, "qos map dscp 24 26 to traffic-class 3\n", "qos map dscp 26 24 to traffic-class 3\n"),
    (
        EOS,
        "qos map dscp 24 to traffic-class 3\nqos map dscp 26 to traffic-class 3\n",
        "qos map dscp 24 26 to traffic-class 3\n",
    ),
    (EOS, "qos map dscp 0-3 8 to traffic-class 1\n", "qos map dscp 0 1 2 3 8 to traffic-class 1\n"),
    (EOS, "qos map traffic-class 0 1 to tx-queue 1\n", "qos map traffic-class 1 0 to tx-queue 1\n"),
    (EOS, "vlan 20,22-23\n", "vlan 23,20,22\n"),
    (
        EOS,
        "route-map A permit 10\n   set community 1:1 2:2 additive\n",
        "route-map A permit 10\n   set community 2:2 1:1 additive\n",
    ),
    (EOS, "ip community-list X permit 1:1 2:2\n", "ip community-list X permit 2:2 1:1\n"),
    # As FRR 8.4.4 took the first and printed the second.
    (
        FRR,
        "route-map M permit 10\n set community 65000:200 65000:100 additive\nexit\n",
        "route-map M permit 10\n set community 65000:100 65000:200 additive\nexit\n",
    ),
    (
        FRR,
        "bgp community-list standard A seq 10 permit graceful-shutdown 65000:200 65000:100\n",
        "bgp community-list standard A seq 10 permit 65000:100 65000:200 graceful-shutdown\n",
    ),
    (
        FRR,
        "bgp extcommunity-list standard E seq 10 permit rt 65000:2 rt 65000:1\n",
        "bgp extcommunity-list standard E seq 10 permit rt 65000:1 rt 65000:2\n",
    ),
    (JUNOS, PROFILE % ("10 50", "0 5", "011000 011010"), PROFILE % ("10 50", "0 5", "011010 011000")),
    (JUNOS, TERM % ("direct static", "A B", "set C", "add D"), TERM % ("static direct", "B A", "set C", "add D")),
    (SRLINUX, members("1:1", "2:2"), members("2:2", "1:1")),
    (
        NXOS,
        "class-map type qos match-any A\n  match dscp 24,26\n",
        "class-map type qos match-any A\n  match dscp 26,24\n",
    ),
)
"""Reader, and two texts that mean the same."""
ORDERED = (
    (EOS, "aaa authentication login default group T local\n", "aaa authentication login default local group T\n"),
    (FRR, "bgp extcommunity-list expanded E seq 10 permit 1 2\n",
        "bgp extcommunity-list expanded E seq 10 permit 2 1\n"),
    (FRR, "route-map M permit 10\n set as-path prepend 1 2\nexit\n",
        "route-map M permit 10\n set as-path prepend 2 1\nexit\n"),
    (JUNOS, JUNOS_LISTS % ("tacplus password", "1.1.1.1", "2.2.2.2", "3.3.3.3", "4.4.4.4"),
        JUNOS_LISTS % ("password tacplus", "1.1.1.1", "2.2.2.2", "3.3.3.3", "4.4.4.4")),
    (JUNOS, JUNOS_LISTS % ("tacplus password", "1.1.1.1", "2.2.2.2", "3.3.3.3", "4.4.4.4"),
        JUNOS_LISTS % ("tacplus password", "2.2.2.2", "1.1.1.1", "3.3.3.3", "4.4.4.4")),
    (JUNOS, JUNOS_LISTS % ("tacplus password", "1.1.1.1", "2.2.2.2", "3.3.3.3", "4.4.4.4"),
        JUNOS_LISTS % ("tacplus password", "1.1.1.1", "2.2.2.2", "4.4.4.4", "3.3.3.3")),
    (JUNOS, PROFILE % ("10 50", "0 5", "011000"), PROFILE % ("50 10", "0 5", "011000")),
    (JUNOS, PROFILE % ("10 50", "0 5", "011000"), PROFILE % ("10 50", "5 0", "011000")),
    (JUNOS, TERM % ("direct", "A", "set C", "add D"), TERM % ("direct", "A", "add D", "set C")),
    (SRLINUX, aaa("tacacs", "local"), aaa("local", "tacacs")),
    (SRLINUX, dns("1.1.1.1", "2.2.2.2"), dns("2.2.2.2", "1.1.1.1")),
    (SRLINUX, policy("10", "20"), policy("20", "10")),
    (SRLINUX, group("A", "B"), group("B", "A")),
    (NXOS, "aaa group server tacacs+ T\n  server 1.1.1.1\n  server 2.2.2.2\n",
        "aaa group server tacacs+ T\n  server 2.2.2.2\n  server 1.1.1.1\n"),
)  # fmt: skip
"""Reader, and two texts of which the second does something else."""


@pytest.mark.parametrize(("reader", "wanted", "running"), SETS)
def test_a_set_in_another_order_is_no_drift(reader: object, wanted: str, running: str) -> None:
    assert wanted != running
    assert reader.drift(wanted, running) == ()  # type: ignore[attr-defined]
    assert reader.drift(running, wanted) == ()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("reader", "wanted", "running"), ORDERED)
def test_an_ordered_list_in_another_order_is_drift(reader: object, wanted: str, running: str) -> None:
    for one, two in ((wanted, running), (running, wanted)):
        found = reader.drift(one, two)  # type: ignore[attr-defined]
        assert {each.present for each in found} == {True, False}
        assert reader.drift(one, one) == ()  # type: ignore[attr-defined]


def test_a_member_more_is_one_line_and_no_other_order() -> None:
    assert SRLINUX.drift(dns("1.1.1.1", "2.2.2.2"), dns("3.3.3.3", "1.1.1.1", "2.2.2.2")) == (
        Drift(("system", "dns"), "server-list: 3.3.3.3", present=True),
    )
    assert FRR.drift(
        "bgp community-list standard A permit 2:2 1:1\n", "bgp community-list standard A permit 1:1\n"
    ) == (
        Drift((), "bgp community-list standard A permit 1:1", present=True),
        Drift((), "bgp community-list standard A permit 1:1 2:2", present=False),
    )
    assert EOS.drift("qos map dscp 24 26 to traffic-class 3\n", "qos map dscp 26 to traffic-class 3\n") == (
        Drift((), "qos map dscp 24 to traffic-class 3", present=False),
    )


def test_what_an_order_is_said_of() -> None:
    assert SRLINUX.drift(policy("10", "20"), policy("20", "10")) == (
        Drift(("routing-policy", "policy P"), "statement in the order 10 20", present=False),
        Drift(("routing-policy", "policy P"), "statement in the order 20 10", present=True),
    )
