"""`explain --lossless`: the proof of each lossless fabric, from its rendered text."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.pairs.sites import mapping

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "inventories/demo/intent.yaml"


def explained(*words: object) -> Result:
    return CliRunner().invoke(main, ["explain", *map(str, words)], catch_exceptions=False)


def test_the_proof_has_the_graph_its_margin_and_its_premises() -> None:
    result = explained(DEMO, "--lossless")
    assert result.exit_code == 0
    assert result.stdout.startswith("backend: PFC cannot deadlock while every NIC takes its packets\n")
    words = " ".join(result.stdout.split())
    assert "32 buffers, 48 dependencies, no cycle from the rendered text of all 8 switches" in words
    assert "each of these rules alone is enough: the AS-loop check, routes from above are marked" in words
    assert "0 of them switch packets" in words
    assert "256 server ports in service, 0 BGP sessions or routes to a server" in words
    assert "the switch no longer waits for the NIC after 200 to 300 ms" in words
    assert "unproven on Arista EOS" in words


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
    assert "the AS-loop check is needed; without it be-spine-" in words


STAGES = ROOT / "tests/golden/stages"
STAGE = STAGES / "eos"
SPINE = "    spine: {model: eight-800-eos, os: eos-4.34}\n"


def edited(tmp_path: Path, *edits: tuple[str, str], more: str = "") -> str:
    """What is said of a small site after edits of its intent, with single spaces."""
    shutil.copytree(STAGE, tmp_path, ignore=shutil.ignore_patterns("expected"), dirs_exist_ok=True)
    intent = tmp_path / "intent.yaml"
    text = intent.read_text()
    for before, after in edits:
        assert before in text, before
        text = text.replace(before, after, 1)
    intent.write_text(text + more)
    result = explained(intent, "--lossless")
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def raw(*lines: str) -> str:
    """Lines that the intent adds to a leaf."""
    words = "".join(f'      - "{line}"\n' for line in lines)
    return f"raw:\n  - system: eos\n    device: be-leaf-000\n    lines:\n{words}"


def test_a_line_that_nobody_understands_leaves_the_answer_open(tmp_path: Path) -> None:
    words = edited(tmp_path, more=raw("ip access-list DENY", "   10 deny ip any any"))
    assert words.startswith("backend: no cycle of buffers, but that PFC cannot deadlock is not proven")
    assert "not proven text of be-leaf-000: it differs from the plan" in words


def test_spines_that_take_their_own_as_number_are_no_proof_by_the_check_of_as_loops(tmp_path: Path) -> None:
    """Line and place of issue 21: a raw line on all spines."""
    line = '"router bgp 4201000002", "   neighbor LEAVES-IPV4 allowas-in 3"'
    words = edited(tmp_path, more=f"raw:\n  - system: eos\n    role: spine\n    lines: [{line}]\n")
    assert words.startswith("backend: no cycle of buffers, but that PFC cannot deadlock is not proven")
    assert "1 of 3 rules" in words or "2 of 3 rules" in words
    assert "the AS-loop check" not in words
    assert "not proven text of be-spine-00" in words


def test_a_route_through_a_server_leaves_the_answer_open(tmp_path: Path) -> None:
    words = edited(tmp_path, more=raw("ip route 10.99.0.0/16 10.64.0.1"))
    assert "a session or route leads through a server port: be-leaf-000 10.99.0.0/16" in words


PFC = "interface Ethernet1/1", "   priority-flow-control on", "   priority-flow-control priority 3 no-drop"


def _pair_of_backends(folder: Path, lines: tuple[str, ...], transport: str) -> Path:
    """An intent with two backends, the second one best effort with lines of its own."""
    site = mapping("eos", "eos", "backend", transport=transport)
    other = site["fabrics"]["backend"] | {"prefix": "ot", "asns": "4203000000-4203999999", "transport": "best-effort"}
    site["servers"]["more"] = dict(site["servers"]["train"])
    site["fabrics"]["other"] = other | {
        "connects": {"more": "compute"},
        "addressing": {"ipv4": "10.96.0.0/12", "links": ["ipv4"]},
    }
    site["raw"] = [{"system": "eos", "fabric": "other", "lines": [*lines]}] if lines else []
    intent = folder / "intent.yaml"
    intent.write_text(json.dumps(site))
    return intent


def test_a_fabric_without_a_class_whose_raw_lines_may_have_one_is_named(tmp_path: Path) -> None:
    result = explained(_pair_of_backends(tmp_path, PFC, "roce-lossless"), "--lossless")
    assert result.exit_code == 0, result.output
    assert "\nother: no PFC is planned; raw lines are no part of this proof\n" in result.stdout
    result = explained(_pair_of_backends(tmp_path, (), "roce-lossless"), "--lossless")
    assert "\nother:" not in result.stdout


def test_the_refusal_names_the_fabric_whose_raw_lines_may_turn_pfc_on(tmp_path: Path) -> None:
    result = explained(_pair_of_backends(tmp_path, PFC, "best-effort"), "--lossless")
    assert (result.exit_code, "error[no-lossless]" in result.output) == (1, True)
    assert "(`raw`) may turn PFC on in other: this proof does not read them there" in " ".join(result.output.split())
    result = explained(_pair_of_backends(tmp_path, (), "best-effort"), "--lossless")
    assert "raw" not in result.output


WATCHDOG = "    asns: 4201000000-4201000999\n"


def test_a_watchdog_that_only_tells_leaves_a_stuck_nic(tmp_path: Path) -> None:
    words = edited(tmp_path, (WATCHDOG, WATCHDOG + "    roce: {watchdog: {action: notify}}\n"))
    assert "the switch reports it after 200 to 300 ms, and waits" in words


def test_watchdogs_with_other_times_are_apart(tmp_path: Path) -> None:
    words = edited(tmp_path, more="overrides:\n  be-leaf-000: {roce: {watchdog: {detect_ms: 400}}}\n")
    assert "3 of 4 switches (Arista EOS): the switch no longer waits for the NIC after 200 to 300 ms" in words
    assert "1 of 4 switches (Arista EOS): the switch no longer waits for the NIC after 400 to 600 ms" in words


def test_without_spines_there_are_no_buffers_to_wait_for(tmp_path: Path) -> None:
    words = edited(tmp_path, ("design: rail-optimized, spines: {now: 2}", "design: rail-only"), (SPINE, ""))
    assert words.startswith("backend: PFC cannot deadlock")
    assert "0 buffers, 0 dependencies, no cycle: no route leads from switch to switch" in words


def test_a_stuck_nic_stops_its_plane_and_no_other() -> None:
    """superpod-b300: 64 servers of 8 NICs, each half of a NIC in a plane of its own."""
    [answer] = json.loads(explained(ROOT / "inventories/superpod-b300/intent.yaml", "--lossless", "--json").stdout)[
        "answers"
    ]
    rows = [row["formula"] for row in answer["facts"] if row["label"] == "stuck NIC"]
    assert rows == ["64 NICs may stand still", f"{64 * 8} NICs may stand still"]


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("nxos", "after a time of the system's own = detection by the system"),
        ("srlinux", "after 200 ms and a polling interval of the system's own"),
        ("cumulus", "polling 100 ms, restoration by the system"),
    ],
)
def test_times_that_no_file_has_are_those_of_the_system(system: str, words: str) -> None:
    assert words in " ".join(explained(STAGES / system / "intent.yaml", "--lossless").stdout.split())


def test_times_are_those_of_the_text_after_rounding(tmp_path: Path) -> None:
    """SONiC's watchdog detects in 100 ms or more (sonic-swss, pfcwdorch.cpp: PFC_WD_DETECTION_TIME_MIN)."""
    shutil.copytree(STAGES / "sonic", tmp_path, ignore=shutil.ignore_patterns("expected"), dirs_exist_ok=True)
    intent = tmp_path / "intent.yaml"
    text = intent.read_text()
    assert WATCHDOG in text
    intent.write_text(text.replace(WATCHDOG, WATCHDOG + "    roce: {watchdog: {detect_ms: 50}}\n", 1))
    words = " ".join(explained(intent, "--lossless").stdout.split())
    assert "the switch no longer waits for the NIC after 100 to 200 ms" in words


def test_a_port_with_a_fixed_limit_pauses_at_it() -> None:
    """SR Linux has no alpha: a port pauses at its share of the unreserved buffer, which `plan` prints, at 800G."""
    page = CliRunner().invoke(main, ["plan", str(STAGES / "srlinux/intent.yaml")]).stdout
    [octets] = set(re.findall(r"a leaf .* has no alpha: a port pauses its peer at ([\d,]+)", page.replace("\n", " ")))
    words = " ".join(explained(STAGES / "srlinux/intent.yaml", "--lossless").stdout.split())
    assert f"after {int(octets.replace(',', '')) * 8 / 800e9 * 1000:.3g} to" in words


def test_a_tier_whose_buffer_is_unknown_is_said_to_be_unknown(tmp_path: Path) -> None:
    """Sizes of the chip of cisco-n9332d-gx2b are in no public document that was read."""
    intent = tmp_path / "intent.yaml"
    intent.write_text(yaml.safe_dump(mapping("eos", "nxos", "backend"), sort_keys=False))
    [answer] = json.loads(explained(intent, "--lossless", "--json").stdout)["answers"]
    rows = [row["value"] for row in answer["facts"] if row["label"] == "stuck NIC"]
    assert len(rows) == 2
    assert "its leaf pauses" in rows[0]
    assert rows[1] == "of the tiers above it is unknown: the size of their buffer is not published"
