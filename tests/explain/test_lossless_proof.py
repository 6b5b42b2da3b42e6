"""`explain --lossless`: the proof of each lossless fabric, from its rendered text."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "inventories/demo/intent.yaml"


def explained(*words: object) -> Result:
    return CliRunner().invoke(main, ["explain", *map(str, words)], catch_exceptions=False)


def test_the_proof_has_the_graph_its_margin_and_its_premises() -> None:
    result = explained(DEMO, "--lossless")
    assert result.exit_code == 0
    assert result.stdout.startswith("backend: PFC cannot deadlock\n")
    words = " ".join(result.stdout.split())
    assert "32 buffers, 48 waits, no circle from the rendered text of all 8 switches" in words
    assert "enough alone: AS-loop check, marks of routes from above, own prefixes only" in words
    assert "0 of them switched" in words
    assert "256 server ports, 0 sessions or routes through one" in words
    assert "drops the queue of the NIC after 200 to 300 ms" in words


def test_a_stuck_nic_stops_its_leaf_and_then_all_that_send_to_it() -> None:
    """Queue limit over line rate: the sizes of docs/performance have no part in it, only buffer, alpha and speeds."""
    [answer] = json.loads(explained(DEMO, "--lossless", "--json").stdout)["answers"]
    rows = [row for row in answer["facts"] if row["label"] == "stuck NIC"]
    assert [row["formula"] for row in rows] == ["64 NICs may stand still", "256 NICs may stand still"]


def test_a_fabric_without_a_lossless_class_is_refused() -> None:
    result = explained(ROOT / "inventories/inference-only/intent.yaml", "--lossless")
    assert (result.exit_code, "error[no-lossless]" in result.output) == (1, True)


@pytest.mark.parametrize("words", [("be-leaf-000", "--lossless")])
def test_it_is_about_whole_fabrics(words: tuple[str, ...]) -> None:
    assert explained(DEMO, *words).exit_code == 2


@pytest.mark.long
def test_large_fabrics_are_looked_at_by_two_switches_of_each_kind() -> None:
    words = " ".join(explained(ROOT / "inventories/three-tier-16k/intent.yaml", "--lossless").stdout.split())
    assert "two switches of each kind, 12 of 640" in words
    assert "needed: AS-loop check; without it be-spine-" in words
