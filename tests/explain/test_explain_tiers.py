"""What is told of superspines, of spines below them and of planes: against the drawing in `tests.resolve.tiers`."""

import pytest

from fabricgen.explain.answer import Answer
from fabricgen.explain.explain import explain
from fabricgen.explain.known import KnownSite
from fabricgen.explain.parse import Question
from fabricgen.explain.text import answers_text
from tests.resolve import tiers

TOWERS, PLANES = KnownSite(plan=tiers.three_tiers()), KnownSite(plan=tiers.planes())


def told(known: KnownSite, word: str) -> dict[str, list[str]]:
    """Label → values of the one answer."""
    (answer,) = answers(known, word)
    found: dict[str, list[str]] = {"title": [answer.title]}
    for fact in answer.facts:
        found.setdefault(fact.label, []).append(fact.value)
    return found


def answers(known: KnownSite, word: str) -> tuple[Answer, ...]:
    return tuple(explain(known, Question("", word)))


def test_a_superspine_stands_in_a_core_group_and_joins_its_spines() -> None:
    found = told(TOWERS, "be-super-03")
    assert found["title"] == ["be-super-03: superspine of backend"]
    assert found["place"] == ["plane 0, core group 1, index 1"]
    assert found["downlinks"] == ["4 × 400G to be-spine-01, be-spine-03"]
    assert "uplinks" not in found


def test_a_server_has_a_port_in_the_plane_of_each_rail() -> None:
    found = told(KnownSite(plan=tiers.rail_planes()), "train[3]")
    assert [line.partition(",")[0] for line in found["backend"]] == ["plane 0", "plane 1"]
    assert "rail 0: nic0 at be-leaf-001" in found["backend"][0]
    assert "rail 1: nic1 at be-leaf-003" in found["backend"][1]
    leaf = told(KnownSite(plan=tiers.rail_planes()), "be-leaf-003")
    assert (leaf["NIC rails"], leaf["servers"]) == (["1 (nic1)"], ["train[2-3], 2 exist"])


def test_a_spine_is_told_both_ways() -> None:
    found = told(TOWERS, "be-spine-02")
    assert found["uplinks"] == ["4 × 400G to be-super-00, be-super-01"]
    assert found["downlinks"] == ["2 × 400G to be-leaf-002, be-leaf-003"]
    assert found["place"] == ["plane 0, pod 1, su 0, rail 0, index 0"]


@pytest.mark.parametrize(
    ("word", "title"),
    [
        ("be-super-01/Ethernet1/1", "be-super-01 Ethernet1/1: downlink 0 of a superspine of backend"),
        ("be-spine-00/Ethernet3/5", "be-spine-00 Ethernet3/5: uplink 1 of a spine of backend"),
    ],
)
def test_both_ends_of_a_cable_between_the_upper_tiers(word: str, title: str) -> None:
    found = told(TOWERS, word)
    assert found["title"] == [title]
    assert found["cable"] == ["be-spine-00 Ethernet3/5 to be-super-01 Ethernet1/1, 400G"]
    assert found["upper switch"] == ["superspine 1 of 2"]


def test_numbers_of_superspines() -> None:
    """Leaves 0-3, one a pod for spines, then one for all superspines."""
    assert told(TOWERS, "4201000006")["title"] == ["AS 4201000006: superspines of backend that share it"]
    assert told(TOWERS, "4201000006")["switches"] == ["be-super-00 to be-super-03: 4 numbered, 4 installed"]


def test_a_server_has_each_rail_in_each_plane() -> None:
    found = told(PLANES, "train[1]")["backend"]
    assert [value.partition(" at ")[0] for value in found] == [
        f"plane {plane}, rail {rail}: nic{rail}/{plane}" for plane in (0, 1) for rail in (0, 1)
    ]
    assert [value.split()[6] for value in found] == [f"be-leaf-{number:03}" for number in range(4)]


def test_a_label_never_runs_into_its_value() -> None:
    for word in ("train[1]", "be-leaf-002", "be-spine-03"):
        for line in answers_text(answers(PLANES, word)):
            label = line[2:17]
            assert not line.startswith("  ") or label.startswith("[") or label.endswith(" ") or len(line) < 17, line
