"""Cables that were exchanged are told as an exchange, at every end that sees it; two ends of a link tell one story."""

from dataclasses import replace

from fabricgen.state.state import Adjacency
from fabricgen.verify.finding import FindingEnd
from tests.verify.cables import Cables, findings, move, planned, states, swap, verdicts

LEAF0, LEAF1 = FindingEnd("fe-leaf-000", "swp29"), FindingEnd("fe-leaf-001", "swp29")
LEAF0_SECOND = FindingEnd("fe-leaf-000", "swp30")


def told(cables: Cables) -> dict[tuple[str, str], str]:
    """What is said of each end whose cable is wrong."""
    return {key: finding.explained for key, finding in findings(verdicts(states(cables))).items()}


def test_sound_cables_say_nothing() -> None:
    assert told(planned()) == {}


def test_two_cables_swapped_at_two_leaves() -> None:
    """Their far ends are on one spine, so that is where two plugs most likely changed places."""
    text = "the cables of fe-leaf-000 swp29 and fe-leaf-001 swp29 are swapped at fe-spine-00: exchange them"
    assert told(swap(planned(), LEAF0, LEAF1)) == {
        ("fe-leaf-000", "port swp29"): text,
        ("fe-leaf-001", "port swp29"): text,
        ("fe-spine-00", "port swp3"): text,
        ("fe-spine-00", "port swp4"): text,
    }


def test_two_cables_swapped_at_one_leaf() -> None:
    text = "the cables of fe-leaf-000 swp29 and fe-leaf-000 swp30 are swapped at fe-leaf-000: exchange them"
    found = told(swap(planned(), LEAF0, LEAF0_SECOND))
    assert set(found.values()) == {text}
    assert set(found) == {
        ("fe-leaf-000", "port swp29"),
        ("fe-leaf-000", "port swp30"),
        ("fe-spine-00", "port swp3"),
        ("fe-spine-01", "port swp3"),
    }


def test_a_swap_without_a_common_switch_names_none() -> None:
    found = told(swap(planned(), LEAF0, FindingEnd("fe-leaf-001", "swp30")))
    assert set(found.values()) == {"the cables of fe-leaf-000 swp29 and fe-leaf-001 swp30 are swapped: exchange them"}
    assert len(found) == 4


def test_three_cables_in_a_circle() -> None:
    found = told(swap(planned(), LEAF0, LEAF1, FindingEnd("fe-leaf-002", "swp29")))
    assert len(found) == 6
    (text,) = set(found.values())
    assert text == (
        "the cables of 3 ports are exchanged in a circle at fe-spine-00: move fe-leaf-000 swp29 to fe-spine-00 swp3, "
        "fe-leaf-001 swp29 to fe-spine-00 swp4, fe-leaf-002 swp29 to fe-spine-00 swp5"
    )


def test_two_swaps_at_once_are_two() -> None:
    cables = swap(planned(), LEAF0, LEAF1)
    cables = swap(cables, FindingEnd("be-leaf-000", "swp33s0"), FindingEnd("be-leaf-001", "swp33s0"))
    assert len(set(told(cables).values())) == 2


def test_two_servers_swapped() -> None:
    found = told(swap(planned(), FindingEnd("fe-leaf-000", "swp1"), FindingEnd("fe-leaf-000", "swp2")))
    text = "the cables of fe-leaf-000 swp1 and fe-leaf-000 swp2 are swapped at fe-leaf-000: exchange them"
    assert found == {("fe-leaf-000", "port swp1"): text, ("fe-leaf-000", "port swp2"): text}


def test_servers_that_call_their_ports_otherwise_are_told_apart_by_name() -> None:
    found = states(planned())
    one, two = (("swp1", "store-001"), ("swp2", "store-000"))
    rows = tuple(row for row in found["fe-leaf-000"].lldp or () if row.port not in ("swp1", "swp2"))
    heard = (*rows, *(Adjacency(port, f"{server}.example.net", "ens1f0") for port, server in (one, two)))
    found["fe-leaf-000"] = replace(found["fe-leaf-000"], lldp=heard)
    texts = {finding.explained for finding in findings(verdicts(found)).values()}
    assert texts == {"the cables of fe-leaf-000 swp1 and fe-leaf-000 swp2 are swapped at fe-leaf-000: exchange them"}


def test_rails_of_one_server_swapped_over_two_leaves() -> None:
    ports = {
        end.port: near
        for near, end in planned().items()
        if end.system == "train-000" and near.system in ("be-leaf-000", "be-leaf-001")
    }
    (one, two) = (near for _, near in sorted(ports.items(), key=lambda item: item[1])[1:3])
    assert {one.system, two.system} == {"be-leaf-000", "be-leaf-001"}
    found = told(swap(planned(), one, two))
    assert set(found.values()) == {f"the cables of {one} and {two} are swapped at train-000: exchange them"}


def test_a_plug_in_an_unused_port() -> None:
    found = told(move(planned(), FindingEnd("fe-spine-00", "swp3"), FindingEnd("fe-spine-00", "swp32")))
    text = "the cable of fe-leaf-000 swp29 goes to fe-spine-00 swp32; it belongs in fe-spine-00 swp3"
    assert found == {
        ("fe-leaf-000", "port swp29"): text,
        ("fe-spine-00", "port swp3"): text,
        ("fe-spine-00", "port swp32"): "the cable of fe-leaf-000 swp29 ends here; it belongs in fe-spine-00 swp3",
    }


def test_names_with_a_domain_are_the_same_names() -> None:
    found = states(move(planned(), FindingEnd("fe-spine-00", "swp3"), FindingEnd("fe-spine-00", "swp32")))
    for name, state in found.items():
        heard = (row._replace(system=f"{row.system}.example.net") for row in state.lldp or ())
        found[name] = replace(state, lldp=tuple(heard))
    explained = {key: finding.explained for key, finding in findings(verdicts(found)).items()}
    assert explained["fe-spine-00", "port swp32"] == (
        "the cable of fe-leaf-000 swp29 ends here; it belongs in fe-spine-00 swp3"
    )
    assert len(explained) == 3


def test_a_stranger_is_no_cable_of_ours() -> None:
    cables = planned() | {FindingEnd("fe-spine-00", "swp32"): FindingEnd("laptop", "eth0")}
    assert told(cables) == {("fe-spine-00", "port swp32"): ""}


def test_one_side_is_enough_to_tell_a_swap() -> None:
    """The spine does not answer."""
    found = states(swap(planned(), LEAF0, LEAF1))
    del found["fe-spine-00"]
    texts = {finding.explained for finding in findings(verdicts(found)).values()}
    assert texts == {"the cables of fe-leaf-000 swp29 and fe-leaf-001 swp29 are swapped at fe-spine-00: exchange them"}
