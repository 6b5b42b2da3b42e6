"""`fabricgen diff` as a reviewer calls it: what is told, in which order, and by which exit code."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.cli.sites import DEMO, edit

ROOT = Path(__file__).parents[2]
PFC = "priority-flow-control"
SAFE = ("no traffic loss", "hitless", "🟢", "⚪")


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo as it stands, rendered; nobody writes there."""
    folder = tmp_path_factory.mktemp("rendered")
    shutil.copytree(DEMO.parent, folder / "site")
    assert call("render", folder / "site/intent.yaml", "-o", folder / "out").exit_code == 0
    return folder / "out"


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The demo with its lock, to be edited."""
    shutil.copytree(DEMO.parent, tmp_path / "site")
    return tmp_path / "site/intent.yaml"


@pytest.fixture
def lossy(tmp_path: Path) -> Path:
    """A user's template that lost its PFC lines."""
    folder = tmp_path / "templates"
    (folder / "eos").mkdir(parents=True)
    text = (ROOT / "templates/eos/qos-profiles.j2").read_text()
    kept = [line for line in text.splitlines(keepends=True) if PFC not in line]
    assert len(kept) < len(text.splitlines())
    (folder / "eos/qos-profiles.j2").write_text("".join(kept))
    return folder


def test_nothing_differs(intent: Path, rendered: Path) -> None:
    result = call("diff", intent, "--against", rendered)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "No differences.")


def test_remarks_and_order_of_keys_are_no_difference(intent: Path, rendered: Path) -> None:
    intent.write_text("# a remark\n\n" + intent.read_text())
    assert call("diff", intent, "--against", rendered).exit_code == 0


def test_a_unit_added_is_a_handful_of_classes(intent: Path, rendered: Path) -> None:
    edit(intent, "slots: 0-31, planned: 192", "slots: 0-63, planned: 192")
    result = call("diff", intent, "--against", rendered)
    assert result.exit_code == 3
    lines = result.stdout.splitlines()
    assert lines[:2] == [
        "Highest risk: hitless (16 switches, 6 of them new), no session reset, no traffic loss.",
        "26 switches: 6 new, 10 changed, 10 unchanged",
    ]
    assert "HITLESS  4 spines of backend: be-spine-00…03" in lines
    assert "  + 128 BGP neighbors per switch (to be-leaf-004…007)" in lines
    assert "Renumbering: none (no address, AS number or VNI changes)." in lines
    assert len(lines) < 40


@pytest.mark.parametrize("form", [(), ("--markdown",), ("--json",)])
def test_a_template_that_lost_its_pfc_line_is_never_called_safe(
    intent: Path, rendered: Path, lossy: Path, form: tuple[str, ...]
) -> None:
    result = call("diff", intent, "--against", rendered, "--templates", lossy, *form)
    assert result.exit_code == 3
    assert PFC in result.stdout
    assert "unknown" in result.stdout.lower()
    assert not [word for word in SAFE if word in result.stdout]


def test_not_even_beside_a_harmless_change_of_the_same_switches(intent: Path, rendered: Path, lossy: Path) -> None:
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5, 10.0.0.7]")
    result = call("diff", intent, "--against", rendered, "--templates", lossy)
    assert result.exit_code == 3
    assert "Highest risk: unknown (8 switches)" in result.stdout
    assert "UNKNOWN  text of startup-config on 8 switches: be-leaf-000…003, be-spine-00…03" in result.stdout
    assert "NONE  " in result.stdout


def test_a_hand_edit_of_the_tree_is_told_apart(intent: Path, rendered: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(rendered, out)
    path = out / "be-leaf-000/startup-config"
    path.write_text(path.read_text().replace("priority-flow-control on\n", "", 1))
    result = call("diff", intent, "--against", out, "--json")
    (found,) = json.loads(result.stdout)["text"]
    assert (result.exit_code, found["cause"], found["devices"], found["risk"]) == (
        3,
        "hand",
        ["be-leaf-000"],
        "unknown",
    )


def test_an_old_side_that_can_not_be_read_leaves_the_text_and_says_so_first(
    intent: Path, rendered: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(rendered, out)
    (out / ".fabricgen/inputs/intent.yaml").write_text("fabricgen: 1\n")
    edit(intent, "vlan: 110", "vlan: 112")
    result = call("diff", intent, "--against", out)
    assert result.exit_code == 3
    assert " is not accepted by this release, so there is no plan to compare with (" in result.stdout.splitlines()[0]
    assert "Renumbering" not in result.stdout
    assert "112" in result.stdout
    assert not [word for word in SAFE if word in result.stdout]


def test_the_text_of_a_switch_is_shown_on_request(intent: Path, rendered: Path) -> None:
    edit(intent, "vlan: 110", "vlan: 112")
    plain = call("diff", intent, "--against", rendered).stdout
    asked = call("diff", intent, "--against", rendered, "--devices", "fe-leaf-002").stdout
    assert "switchport access vlan 112" not in plain
    assert "+ switchport access vlan 112" in [line.strip() for line in asked.splitlines()]
    assert "fe-leaf-003/startup-config" not in asked


def test_a_pattern_that_matches_no_switch_is_refused(intent: Path, rendered: Path) -> None:
    """Without the refusal the answer would be "No differences": the reader would believe it."""
    told = call("diff", intent, "--against", rendered, "--devices", "be-lef-*")
    assert told.exit_code == 1
    assert "error[devices-none]: no switch matches --devices be-lef-*" in told.stderr + told.stdout
    assert "did you mean 'be-leaf-*'" in told.stderr + told.stdout
    assert call("diff", intent, "--against", rendered, "--devices", "be-leaf-*").exit_code == 0


def test_details_name_every_switch_and_who_says_what_it_costs(intent: Path, rendered: Path) -> None:
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]")
    told = call("diff", intent, "--against", rendered, "-v").stdout
    assert "fe-border-01: - NTP server 10.0.0.6" in told
    assert "[none; source: " in told


@pytest.fixture
def expected(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "expect.yaml"
        path.write_text(text)
        return path

    return write


def test_what_is_expected_passes_and_the_rest_fails(
    intent: Path, rendered: Path, expected: Callable[[str], Path]
) -> None:
    edit(intent, "ntp: [10.0.0.5, 10.0.0.6]", "ntp: [10.0.0.5]")
    every = expected('expect: 1\nchanges: [{devices: ["*"], kinds: [management.ntp]}]\n')
    result = call("diff", intent, "--against", rendered, "--expect", every)
    assert (result.exit_code, f"Every change is expected by {every}." in result.stdout) == (0, True)
    some = expected('expect: 1\nchanges: [{devices: ["be-*"], kinds: [management.ntp]}]\n')
    result = call("diff", intent, "--against", rendered, "--expect", some)
    assert result.exit_code == 3
    assert "none  management.ntp removed on " in result.stdout
    assert "fe-leaf-000" in result.stdout
    assert "be-leaf" not in result.stdout.partition("Unexpected changes")[2]


def test_a_wrong_expect_file_is_told_with_its_line(
    intent: Path, rendered: Path, expected: Callable[[str], Path]
) -> None:
    path = expected("expect: 1\nchanges:\n- {devices: [x], kinds: [bgp.neighbour]}\n")
    result = call("diff", intent, "--against", rendered, "--expect", path)
    assert result.exit_code == 1
    assert f"{path}:3:" in result.stderr
    assert "bgp.neighbor" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--json", "--markdown"),
        ("--against", "live"),
        ("-i", "."),
        ("--from", "."),
    ],
)
def test_words_that_contradict_each_other(intent: Path, rendered: Path, words: tuple[str, ...]) -> None:
    assert call("diff", intent, "--against", rendered, *words).exit_code == 2


def test_a_wrong_intent_is_a_problem_and_no_difference(intent: Path, rendered: Path) -> None:
    edit(intent, "vlan: 110", "vlan: 9999")
    result = call("diff", intent, "--against", rendered)
    assert result.exit_code == 1
    assert f"{intent}:" in result.stderr


def test_no_secret_is_told(intent: Path, rendered: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", "sesame-open")
    edit(intent, "${env:ADMIN_HASH}", "${env:OTHER_HASH}")
    for form in ((), ("-v",), ("--json",), ("--markdown",), ("--devices", "*")):
        told = call("diff", intent, "--against", rendered, *form)
        assert told.exit_code == 3
        assert "sesame" not in told.output


def test_a_subnet_that_a_drain_leaves_alone_is_named_once(intent: Path, tmp_path: Path) -> None:
    """By the change that makes it so, and by no later one."""
    sites = {name: tmp_path / name / "intent.yaml" for name in ("plain", "one", "both")}
    for path in sites.values():
        shutil.copytree(intent.parent, path.parent)
    edit(sites["one"], "tenants:\n", 'overrides: {"fe-leaf-001": {state: dead}}\ntenants:\n')
    both = 'overrides: {"fe-leaf-000": {state: drained}, "fe-leaf-001": {state: dead}}\ntenants:\n'
    edit(sites["both"], "tenants:\n", both)
    told = {
        (before, after): call("diff", sites[after], "--against", sites[before]).stdout
        for before, after in (("plain", "one"), ("one", "both"), ("both", "both"))
    }
    assert {pair: text.count("(subnet-alone)") for pair, text in told.items()} == {
        ("plain", "one"): 0, ("one", "both"): 1, ("both", "both"): 0}  # fmt: skip
    assert "fe-leaf-000 is drained, and no other leaf in service has 172.17.0.0/20 of storage" in told["one", "both"]


def test_a_revision_that_is_not_accepted_and_has_no_files_is_said_to_be_so(intent: Path, tmp_path: Path) -> None:
    """Its switches were there: they are not listed as new."""
    old = tmp_path / "old"
    shutil.copytree(intent.parent, old)
    edit(old / intent.name, "rails_per_leaf: 2", "rails_per_leaf: 3")
    result = call("diff", intent, "--against", old / intent.name)
    lines = result.stdout.splitlines()
    assert result.exit_code == 3
    assert " is not accepted by this release, so there is no plan to compare with (" in lines[0]
    assert lines[1].endswith(" has no rendered files: nothing can be compared")
    assert "be-leaf-000" not in result.stdout
