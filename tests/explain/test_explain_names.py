"""Names that the site's own files do not give: outside peers, and ports as another operating system calls them.

Expected values are worked out by hand from inventories/demo/intent.yaml and the hardware file of the backend's switch:
cages 1-64 of eight lanes are split in two at 400G, `Ethernet{cage}/{lane}` on EOS (lanes 1 and 5) and
`swp{cage}s{part}` (parts 0 and 1) on FRR; the frontend's ports of 200G are whole cages, `Ethernet{cage}/1` and
`swp{cage}`.
"""

from pathlib import Path

import pytest

from tests.explain.asking import DEMO, FRR, one, refused


def test_an_outside_peer() -> None:
    told = one("fw1")
    assert (told.kind, told.title) == ("peer", "fw1: external peer of frontend, AS 64601")
    assert told.values("tenants") == ["research, serving"]
    assert told.facts["port"] == [("fe-border-00 Ethernet1/1, 200G", "border 0, port 0", "")]
    assert told.values("length") == ["30 m"]
    assert told.values("outside") == [
        "research to fw1, AS 64601, on fe-border-00 Ethernet1/1.900",
        "serving to fw1, AS 64601, on fe-border-00 Ethernet1/1.901",
    ]
    assert told.values("our address") == ["172.31.0.0/31", "fd5e:8c1f:2a00:2f00::/127", "172.31.0.4/31"]
    assert told.values("peer's address") == ["172.31.0.1/31", "fd5e:8c1f:2a00:2f00::1/127", "172.31.0.5/31"]
    assert told.values("accepted") == ["0.0.0.0/0, ::/0; 100 at most", "0.0.0.0/0; 100 at most"]
    assert told.facts["outside"][0][2] == "intent.yaml:59:7"
    assert told.facts["accepted"][1][2] == "intent.yaml:68:90"


def test_the_other_peer_is_on_the_other_border() -> None:
    told = one("peer", "fw2")
    assert told.values("port") == ["fe-border-01 Ethernet1/1, 200G"]
    assert told.values("our address") == ["172.31.0.2/31", "fd5e:8c1f:2a00:2f00::2/127", "172.31.0.6/31"]


def test_a_peer_at_two_borders_is_told_port_by_port(tmp_path: Path) -> None:
    path = tmp_path / "intent.yaml"
    path.write_text(DEMO.read_text().replace("peer: fw2", "peer: fw1"))
    told = one("fw1", intent=path)
    assert told.values("port") == ["fe-border-00 Ethernet1/1, 200G", "fe-border-01 Ethernet1/1, 200G"]
    assert told.values("outside") == [
        f"{tenant} to fw1, AS 64601, on fe-border-0{border} Ethernet1/1.{vlan}"
        for border in (0, 1)
        for tenant, vlan in (("research", 900), ("serving", 901))
    ]


def test_a_peer_that_nobody_names() -> None:
    assert refused("fw")["fix"] == "did you mean fw1 or fw2?"
    assert refused("peer", "be-leaf-000")["what"] == "be-leaf-000 is not a known peer of this site"


@pytest.mark.parametrize(
    ("device", "asked", "own"),
    [
        ("be-leaf-000", "swp33s0", "Ethernet33/1"),
        ("be-leaf-000", "swp33s1", "Ethernet33/5"),
        ("be-leaf-000", "SWP1S1", "Ethernet1/5"),
        ("be-spine-03", "swp64s1", "Ethernet64/5"),
        ("fe-border-00", "swp1", "Ethernet1/1"),
    ],
)
def test_a_port_as_another_system_calls_it_is_the_same_port(device: str, asked: str, own: str) -> None:
    told, same = one(device, asked), one(device, own)
    assert told.title == same.title
    assert told.title.startswith(f"{device} {own}: ")
    assert told.facts.pop("name") == [(f"{own} on eos-4.34, as the intent has it; {asked} on frr", "", "")]
    assert told.facts == same.facts
    assert "name" not in same.facts


def test_it_holds_the_other_way_round() -> None:
    told = one("be-leaf-000", "Ethernet33/5", intent=FRR)
    assert told.title.startswith("be-leaf-000 swp33s1: ")
    assert told.values("name") == ["swp33s1 on frr-8.4, as the intent has it; Ethernet33/5 on eos"]


def test_a_session_and_the_management_port_as_another_system_calls_them() -> None:
    told = one("fe-border-00", "swp1.901")
    assert told.title == "fe-border-00 Ethernet1/1.901: to fw1 in serving"
    assert told.values("name") == ["Ethernet1/1.901 on eos-4.34, as the intent has it; swp1.901 on frr"]
    told = one("be-leaf-000", "eth0")
    assert told.title == "be-leaf-000 Management1: the out-of-band port"
    assert told.values("name")[0] == "Management1 on eos-4.34, as the intent has it; eth0 on frr"
    assert refused("fe-border-00", "swp1.902")["code"] == "unknown-port"  # no tenant has it


def test_interfaces_in_two_words_as_verify_prints_them() -> None:
    assert one("be-leaf-000", "loopback", "0").title == "be-leaf-000 loopback 0: the router id"
    assert one("fe-leaf-002", "vlan", "110").title == "fe-leaf-002 VLAN 110: gateway of research/hosts"


@pytest.mark.parametrize("port", ["swp33s2", "swp65s0", "swp1s00", "swp", "Ethernet33"])
def test_a_port_that_no_system_has_is_unknown(port: str) -> None:
    problem = refused("be-leaf-000", port)
    assert problem["code"] == "unknown-port"
    assert problem["fix"].count(",") < 5


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (("be-leaf-000", "swp33"), "did you mean swp33s0 or swp33s1?"),
        (("be-leaf-000", "swp3"), "did you mean swp3s0 or swp3s1?"),  # and not swp30s0
        (("be-leaf-000", "Ethernet7"), "did you mean Ethernet7/1 or Ethernet7/5?"),
        (
            ("be-leaf-000", "qqq"),
            "write a name, such as Ethernet1/1, Ethernet1/5, Ethernet2/1, Ethernet2/5, Ethernet3/1",
        ),
        (
            ("be-leaf-000", "Ether"),
            "did you mean Ethernet1/1, Ethernet1/5, Ethernet2/1, Ethernet2/5 or Ethernet3/1?",
        ),
        (("qqqqqqqq",), "write a name, such as backend, be-leaf-000, fw1, research, train[0]"),
    ],
)
def test_a_remedy_names_five_at_most_in_the_order_of_their_numbers(words: tuple[str, ...], fix: str) -> None:
    assert refused(*words)["fix"] == fix
