"""`fabricgen audit` and `render --audit`: text, JSON, refusals; each difference has its line; no secret is printed."""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fabricgen.audit.views import At
from fabricgen.audit.violations import ViolationGroup
from fabricgen.cli.diff import proven
from tests.cli.conftest import Run
from tests.some import some

STAGE = Path(__file__).parents[2] / "golden/stages/eos"
LEAF = "fe-leaf-000"


class Tree(NamedTuple):
    """An intent and what was rendered of it."""

    intent: Path
    out: Path

    def edit(self, device: str, before: str, after: str) -> int:
        """Replace the first such text of a switch; the number of its line."""
        return self.edit_file(next(path for path in (self.out / device).iterdir()), before, after)

    def edit_file(self, path: Path, before: str, after: str) -> int:
        """Replace the first such text of a file; the number of its line."""
        text = path.read_text()
        at = text.index(before)
        path.write_text(text[:at] + after + text[at + len(before) :])
        return text.count("\n", 0, at) + 1


@pytest.fixture
def tree(tmp_path: Path, run: Run) -> Tree:
    site = tmp_path / "site"
    shutil.copytree(STAGE, site, ignore=shutil.ignore_patterns("expected"))
    assert run("render", site / "intent.yaml", "-o", tmp_path / "out").exit_code == 0
    return Tree(site / "intent.yaml", tmp_path / "out")


@pytest.fixture
def served(tree: Tree, run: Run) -> Tree:
    """With an NTP server and eAPI."""
    text = tree.intent.read_text()
    more = "  vrf: mgmt\n  ntp: [10.0.0.5]\n  eapi: {certificate: fabric}\n"
    tree.intent.write_text(text.replace("  vrf: mgmt\n", more))
    assert run("render", tree.intent, "-o", tree.out).exit_code == 0
    return tree


def document(run: Run, tree: Tree, *words: object) -> Any:  # noqa: ANN401 - JSON
    return json.loads(run("audit", tree.intent, "--configs", tree.out, "--json", *words).stdout)


def test_a_rendered_tree_is_as_planned(run: Run, tree: Tree) -> None:
    before = sorted(path.stat().st_mtime_ns for path in tree.out.rglob("*"))
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 0, result.output
    assert "8 switches audited, no difference from the plan" in result.stdout
    assert "100.00 % understood" in result.stdout
    assert "Properties that hold, judged from the configurations: session-ends, link-ends" in result.stdout
    assert sorted(path.stat().st_mtime_ns for path in tree.out.rglob("*")) == before


def test_a_wrong_line_is_named_with_what_is_planned(run: Run, tree: Tree) -> None:
    line = tree.edit(LEAF, "remote-as 4202000002", "remote-as 4202000003")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 3
    assert f"startup-config:{line}: session 10.128.0.1: remote-as is 4202000003, planned 4202000002" in result.stdout
    assert "it expects AS 4202000003, and fe-spine-00 has 4202000002" in result.stdout
    assert "reach-as-planned: ipv4 10.128.192.0/32: 1 equal path, 2 planned, on fe-spine-00" in result.stdout
    found = document(run, tree)
    assert [row["switch"] for row in found["switches"]] == [LEAF]
    assert found["properties"]["session-ends"] is False
    assert found["properties"]["overlays"] is True


def test_one_line_of_many_ports_is_one_difference(run: Run, tree: Tree) -> None:
    line = tree.edit(
        "be-leaf-000", "priority-flow-control priority 3 no-drop", "priority-flow-control priority 4 no-drop"
    )
    [switch] = document(run, tree)["switches"]
    rows = [row for row in switch["findings"] if row["setting"] == "pfc"]
    assert [(row["line"], row["planned"], row["read"]) for row in rows] == [(line, "3", "4")]
    assert len(rows[0]["names"]) == 16


def test_what_is_not_in_the_text_and_what_is_not_planned(run: Run, tree: Tree) -> None:
    tree.edit(LEAF, "   vxlan vlan 20 vni 10002\n", "")
    tree.edit(LEAF, "ip route vrf mgmt", "ip route 0.0.0.0/0 10.128.0.1\nip route vrf mgmt")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert "vlan 20: vni is missing, planned 10002" in result.stdout
    assert "static-route 0.0.0.0/0 is not planned" in result.stdout
    assert "network-owners: 0.0.0.0/0 leads to 10.128.0.1 by a static route" in result.stdout


def test_a_switch_without_a_configuration_and_a_folder_without_a_switch(run: Run, tree: Tree) -> None:
    (tree.out / LEAF).rename(tree.out / "old-leaf")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 3
    assert f"{LEAF}: no configuration" in result.stdout
    assert "that belong to no planned switch: old-leaf" in result.stdout
    assert "1 without a configuration" in result.stdout
    assert "--configs" not in result.stdout


def test_the_folder_above_the_tree_names_the_tree(run: Run, tree: Tree, tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    tree.out.rename(above / "demo")
    result = run("audit", tree.intent, "--configs", above)
    assert f"fix: if demo has the configurations, use --configs {above / 'demo'}\n" in result.stdout


def test_backups_in_one_folder_are_files_with_the_names_of_switches(run: Run, tree: Tree, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    for path in tree.out.glob("*/startup-config"):
        shutil.copy(path, backups / f"{path.parent.name}.cfg")
    (backups / "notes.md").write_text("no configuration\n")
    result = run("audit", tree.intent, "--configs", backups)
    assert (result.exit_code, "8 switches audited, no difference" in result.stdout) == (0, True), result.stdout
    wrong = backups / f"{LEAF}.cfg"
    wrong.write_text(f"nonsense\n{wrong.read_text()}".replace("remote-as 42", "remote-as 43"))
    text = run("audit", tree.intent, "--configs", backups).stdout
    assert f"  {LEAF}.cfg:1: not understood: nonsense" in text
    assert f"{LEAF} {LEAF}.cfg:" in text, "of a property"
    assert "startup-config" not in text
    (backups / f"{LEAF}.conf").write_text("")
    result = run("audit", tree.intent, "--configs", backups)
    assert result.exit_code == 1
    assert "error[two-configs]" in result.output
    assert f"{LEAF}.cfg and {LEAF}.conf of switch {LEAF}" in result.output


def test_a_line_that_is_not_understood_is_listed_without_its_secrets(run: Run, tree: Tree) -> None:
    line = tree.edit(LEAF, "hostname", "tacacs-server host 10.9.9.9 key 7 0832494D1B1C11 oddly\nhostname")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 3
    assert f"startup-config:{line}: not understood: tacacs-server host 10.9.9.9 key 7 <removed> oddly" in result.stdout
    assert "no difference from the plan in the lines that were understood" in result.stdout
    assert "0832494D1B1C11" not in result.output + json.dumps(document(run, tree))
    assert run("audit", tree.intent, "--configs", tree.out, "--allow-unread").exit_code == 0


def test_a_copy_beside_a_configuration_does_not_count_in_its_place(run: Run, tree: Tree) -> None:
    config = tree.out / LEAF / "startup-config"
    shutil.copy(config, config.with_suffix(".bak"))
    tree.edit_file(config, "remote-as 4202000002", "remote-as 4202000003")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert (result.exit_code, "remote-as is 4202000003" in result.stdout) == (3, True)
    assert "startup-config.bak:1: not understood: a file that the system does not read" in result.stdout
    shutil.copy(config, tree.out / f"{LEAF}.cfg")
    assert "error[two-configs]" in run("audit", tree.intent, "--configs", tree.out).output


@pytest.mark.parametrize("line", some([
    *("neighbor 1.1.1.1 pasword HUSH77", "community HUSH77 {", "secrets 5 HUSH77", "vrrp 1 peer authentication HUSH77"),
    *("exec /usr/bin/TerminAttr -cvauth=key,HUSH77 -x", "archive scp://u:HUSH77@h/", '"community": "HUSH77"'),
]))  # fmt: skip
def test_what_looks_like_a_secret_is_not_printed(run: Run, tree: Tree, line: str) -> None:
    tree.edit(LEAF, "hostname", f"{line}\nhostname")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert (result.exit_code, "not understood" in result.stdout) == (3, True)
    assert "HUSH77" not in result.output + json.dumps(document(run, tree))


def test_secrets_that_are_filled_in_are_no_difference_in_backups(run: Run, tree: Tree, tmp_path: Path) -> None:
    backups = tmp_path / "backups"
    backups.mkdir()
    for path in tree.out.glob("*/startup-config"):
        text = path.read_text().replace("${env:ADMIN_HASH}", "$6$salt$hash")
        (backups / f"{path.parent.name}.cfg").write_text(text)
    result = run("audit", tree.intent, "--configs", backups)
    assert (result.exit_code, "$6$" in result.output) == (0, False), result.output


def test_a_secret_in_clear_in_a_rendered_tree_is_a_difference(run: Run, tree: Tree) -> None:
    line = tree.edit(LEAF, "${env:ADMIN_HASH}", "$6$salt$hash")
    result = run("audit", tree.intent, "--configs", tree.out)
    said = f"startup-config:{line}: user admin: password is (a value), planned ${{env:ADMIN_HASH}}"
    assert (result.exit_code, said in result.stdout, "$6$" in result.output) == (3, True, False), result.output


def test_one_switch_is_read_alone(run: Run, tree: Tree) -> None:
    tree.edit("fe-leaf-001", "hostname fe-leaf-001", "hostname other")
    assert run("audit", tree.intent, "--configs", tree.out, "--device", LEAF).exit_code == 0
    result = run("audit", tree.intent, "--configs", tree.out, "--device", "fe-leaf-001")
    assert (result.exit_code, "switch: hostname is other, planned fe-leaf-001" in result.stdout) == (3, True)
    result = run("audit", tree.intent, "--configs", tree.out, "--device", "fe-leaf-01")
    assert (result.exit_code, "fe-leaf-001" in result.output) == (1, True)


def test_several_processes_report_what_one_reports(run: Run, tree: Tree) -> None:
    tree.edit(LEAF, "mtu 9214", "mtu 9000")
    tree.edit("be-leaf-000", "remote-as ", "remote-as 1")
    shutil.rmtree(tree.out / "be-spine-01")
    alone, together = (document(run, tree, "--jobs", jobs) for jobs in (1, 2))
    assert alone == together
    assert [row["switch"] for row in together["switches"]] == ["be-leaf-000", "be-spine-01", LEAF]
    assert together["audited"] == len([*tree.out.glob("*-*")]) + 1
    assert not together["properties"]["session-ends"]


def test_what_one_of_several_processes_cannot_read_is_refused(run: Run, tree: Tree) -> None:
    (tree.out / f"{LEAF}.cfg").write_text("hostname other\n")
    result = run("audit", tree.intent, "--configs", tree.out, "--jobs", 2)
    assert result.exit_code == 1
    assert f"has {LEAF} and {LEAF}.cfg of switch {LEAF}" in result.output


def test_refusals(run: Run, tree: Tree) -> None:
    result = run("audit", tree.intent, "--configs", tree.out / "nowhere")
    assert (result.exit_code, "error[no-configs]" in result.output) == (1, True)
    assert run("audit", tree.intent).exit_code == 2
    (tree.out / LEAF / "startup-config").unlink()
    (tree.out / LEAF / "startup-config").symlink_to("startup-config")
    assert run("audit", tree.intent, "--configs", tree.out).exit_code == 3
    with (tree.out / LEAF / "large").open("wb") as file:
        file.truncate(65 << 20)
    result = run("audit", tree.intent, "--configs", tree.out)
    assert (result.exit_code, "error[config-unread]" in result.output, "64 MiB" in result.output) == (1, True, True)


def test_nothing_holds_where_nothing_was_read(run: Run, tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("audit", tree.intent, "--configs", tmp_path / "empty")
    assert (result.exit_code, "Properties" in result.stdout) == (3, False)
    shutil.rmtree(tree.out / LEAF)
    result = run("audit", tree.intent, "--configs", tree.out)
    assert "Properties that hold, judged from 7 of 8 configurations" in result.stdout
    assert "no switch has this address" not in result.stdout


@pytest.mark.parametrize("content", [b"\xff\xfe\x00router", b"", b"router bgp", b"{" * 5000], ids=len)
def test_a_file_that_is_no_configuration_is_a_difference_and_no_crash(run: Run, tree: Tree, content: bytes) -> None:
    (tree.out / LEAF / "startup-config").write_bytes(content)
    assert run("audit", tree.intent, "--configs", tree.out).exit_code == 3


def test_render_reads_back_what_it_wrote(run: Run, tree: Tree, tmp_path: Path) -> None:
    result = run("render", tree.intent, "-o", tmp_path / "again", "--audit")
    assert (result.exit_code, "8 switches audited, no difference from the plan" in result.stderr) == (0, True)
    assert "audited" not in run("render", tree.intent, "-o", tmp_path / "again").stderr
    found = json.loads(run("render", tree.intent, "-o", tmp_path / "again", "--audit", "--json").stdout)
    assert found["audit"]["audited"] == 8


def test_templates_of_ones_own_are_read_back(run: Run, tree: Tree, tmp_path: Path) -> None:
    """Whoever writes templates has nobody else who reads them: the audit says what they changed."""
    own = tmp_path / "own/eos"
    own.mkdir(parents=True)
    shipped = Path(__file__).parents[3] / "templates/eos/hostname.j2"
    (own / "hostname.j2").write_text(shipped.read_text().replace("hostname ", "hostname x"))
    words = ("render", tree.intent, "-o", tmp_path / "again", "--templates", tmp_path / "own")
    result = run(*words)
    assert (result.exit_code, "switch: hostname is xfe-leaf-000, planned fe-leaf-000" in result.stderr) == (0, True)
    assert run(*words, "--audit").exit_code == 3
    assert "audited" not in run(*words, "--no-audit").stderr


def test_a_difference_says_what_holds_in_the_new_state(run: Run, tree: Tree) -> None:
    old = tree.intent.with_name("old.yaml")
    old.write_text(tree.intent.read_text())
    tree.intent.write_text(
        tree.intent.read_text().replace("site: lab", "site: lab\noverrides: {be-spine-01: {state: dead}}")
    )
    result = run("diff", tree.intent, "--against", old, "--prove")
    assert "holds in the new state, by the text of 8 switches: session-ends, link-ends" in result.stdout
    assert "costs more than before (computed from the plan): backend: no failure: " in result.stdout
    again = json.loads(run("diff", tree.intent, "--against", old, "--prove", "--json").stdout)
    assert any(note.startswith("holds in the new state") for note in again["notes"])
    assert "--prove" not in result.stdout
    alone = run("diff", tree.intent, "--against", old).stdout
    assert "holds in" not in alone
    assert alone.splitlines()[-1].startswith(
        "Not checked: whether the files of all switches fit together, and which fail"
    )
    assert run("diff", tree.intent, "--against", "live", "-i", tree.out, "--prove").exit_code == 2
    tree.intent.write_text(old.read_text())
    same = run("diff", tree.intent, "--against", old, "--prove").stdout
    assert "no single failure has a worse worst case than before (computed from the plan)" in same


def test_a_difference_counts_the_violations_that_it_does_not_list(
    run: Run, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [ViolationGroup("reach", f"be-leaf-{number:03d}", At("", 0), ("no route",), "lost") for number in range(7)]
    monkeypatch.setattr(proven, "violations", lambda read, planned: iter(rows))
    told = run("diff", tree.intent, "--against", tree.intent, "--prove").stdout.splitlines()
    listed = [line for line in told if line.startswith("does not hold: ")]
    assert (len(listed), listed[-1]) == (6, "does not hold: and 2 more violations: see `audit`")


def test_an_unknown_switch_is_offered_those_named_alike(run: Run, tree: Tree) -> None:
    result = run("audit", tree.intent, "--configs", tree.out, "--device", "be-leaf-9")
    assert "fix: write a name from be-leaf-000 to be-leaf-001" in result.stderr


def test_another_file_is_told_the_intent_beside_it(run: Run, tree: Tree) -> None:
    hosts = tree.intent.with_name("hosts.yaml")
    hosts.write_text("be-leaf-000: {hostname: 10.0.0.16}\n")
    assert f"fix: use {tree.intent}\n" in run("validate", hosts).stderr
    hosts = tree.out / "hosts.yaml"
    hosts.write_text("be-leaf-000: {hostname: 10.0.0.16}\n")
    assert "fix: use a file with the key fabricgen\n" in run("validate", hosts).stderr


def test_validate_says_what_it_does_not_check(run: Run, tree: Tree) -> None:
    assert (
        "not checked here: whether rendered files match the plan (`fabricgen audit`), and what a failure costs "
        "(`fabricgen what-if`)\n"
    ) in run("validate", tree.intent).stderr


def add_lines(run: Run, tree: Tree, device: str, *lines: str) -> None:
    """Let the intent add lines to a switch, and render again."""
    words = "".join(f'      - "{line}"\n' for line in lines)
    with tree.intent.open("a") as file:
        file.write(f"raw:\n  - system: eos\n    device: {device}\n    lines:\n{words}")
    assert run("render", tree.intent, "-o", tree.out).exit_code == 0


def test_a_line_that_the_intent_adds_and_nobody_understands_limits_what_is_said(run: Run, tree: Tree) -> None:
    add_lines(run, tree, "be-spine-00", "ip access-list DENY", "   10 deny ip any any")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 0
    assert "not understood: 10 deny ip any any (a line that the intent adds)" in result.stdout
    assert "Properties that hold, judged from the configurations as far as their lines were understood" in result.stdout
    assert "100.00 % understood" not in result.stdout
    assert "no difference from the plan in the lines that were understood" in result.stdout
    [switch] = document(run, tree)["switches"]
    assert [(row["text"].strip(), row["by_user"]) for row in switch["unread"]] == [
        ("ip access-list DENY", True),
        ("10 deny ip any any", True),
    ]


def test_what_a_line_of_the_intent_changes_of_the_routes_is_not_as_planned(run: Run, tree: Tree) -> None:
    add_lines(run, tree, "be-leaf-000", "router bgp 4201000000", "   maximum-paths 1 ecmp 1")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 3
    assert "bgp: maximum-paths is 1, planned 8 (a line that the intent adds)" in result.stdout
    assert "reach-as-planned: ipv4 10.64.0.32/28: 1 equal path, 8 planned" in result.stdout
    assert "no difference from the plan but 1 by lines that the intent adds" in result.stdout


def test_a_property_that_says_nothing_about_a_site_is_not_said_to_hold(run: Run, tmp_path: Path) -> None:
    """FRR has no lossless class."""
    site = tmp_path / "frr"
    shutil.copytree(STAGE.parent / "frr", site, ignore=shutil.ignore_patterns("expected"))
    assert run("render", site / "intent.yaml", "-o", tmp_path / "out").exit_code == 0
    holding = run("audit", site / "intent.yaml", "--configs", tmp_path / "out").stdout
    assert "reach, reach-as-planned" in holding
    assert "overlays" in holding
    assert not {"no-buffer-cycle", "nic-ends"} & {*holding.replace(",", " ").split()}


def test_a_file_that_cannot_be_parsed_has_no_differences(run: Run, tree: Tree) -> None:
    """Nor has it ends of links and sessions: it is as one that is not there."""
    (tree.out / LEAF / "startup-config").write_text("!\n" + "this is not a configuration\n" * 50)
    result = run("audit", tree.intent, "--configs", tree.out, "--allow-unread")
    assert result.exit_code == 3
    first, *others = result.stdout.splitlines()
    what = "no line of it is a configuration of eos, so nothing is compared: this is not a configuration"
    assert first == f"{LEAF}: startup-config:2: {what}"
    assert not [line for line in others if LEAF in line]
    assert "judged from 7 of 8 configurations" in result.stdout
    assert result.stdout.endswith("8 switches audited, 1 with a file that is no configuration\n")
    (row,) = document(run, tree)["switches"]
    assert (row["has_config"], row["is_read"], row["findings"], len(row["unread"])) == (True, False, [], 50)


def test_a_property_that_is_not_judged_says_so(run: Run, tree: Tree, tmp_path: Path) -> None:
    """PFC is off on every port; two switches without a neighbor; one that was picked."""
    for path in tree.out.glob("be-*/startup-config"):
        path.write_text(path.read_text().replace("priority-flow-control priority 3 no-drop\n", "\n"))
    result = run("audit", tree.intent, "--configs", tree.out)
    why = "Properties that are not judged, as no port of backend has a lossless class, and one is planned: "
    assert why + "no-buffer-cycle" in result.stdout.splitlines()
    alone = tmp_path / "alone"
    for name in ("be-leaf-000", LEAF):
        shutil.copytree(tree.out / name, alone / name)
    lines = run("audit", tree.intent, "--configs", alone).stdout.splitlines()
    (holding,) = [line for line in lines if line.startswith("Properties that hold")]
    assert not {"reach", "reach-as-planned", "session-ends", "link-ends"} & {*holding.replace(",", "").split()}
    (row,) = [line for line in lines if "no session joins two switches" in line]
    assert row.startswith("Properties that are not judged, as in backend, frontend no session joins")
    assert row.endswith(": session-ends, link-ends, reach, reach-as-planned")
    picked = ("--device", LEAF)
    why = "they are about all switches, and --device picks some"
    assert f"No property is judged, as {why}" in run("audit", tree.intent, "--configs", tree.out, *picked).stdout
    answer = document(run, tree, *picked)
    assert (answer["properties"], {*answer["not_judged"].values()}) == ({}, {why})


def test_empty_files_are_not_understood_to_100_percent(run: Run, tree: Tree) -> None:
    for path in tree.out.glob("*/startup-config"):
        path.write_text("")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert result.exit_code == 3
    assert "eos: every file is empty" in result.stdout
    assert "100.00 %" not in result.stdout


@pytest.mark.parametrize(
    ("device", "before", "after", "said"),
    [
        (
            "be-leaf-000",
            "bandwidth percent 95",
            "bandwidth percent 50",
            " more: queue 3: bandwidth is 50 %, planned 95 %",
        ),
        (
            LEAF,
            "   no shutdown\n   !\n   vrf mgmt",
            "   shutdown\n   !\n   vrf mgmt",
            "management: eapi is shut down, ",
        ),
        (LEAF, "ntp server vrf mgmt 10.0.0.5", "ntp server 1.2.3.4", "management: ntp is 1.2.3.4 (default VRF), "),
    ],
)
def test_values_are_said_in_words_at_their_line(
    run: Run, served: Tree, device: str, before: str, after: str, said: str
) -> None:
    line = served.edit(device, before, after)
    result = run("audit", served.intent, "--configs", served.out)
    assert result.exit_code == 3
    (row,) = [row for row in result.stdout.splitlines() if said in row]
    assert row.startswith(f"  startup-config:{line}: ")
    assert "not understood: " not in result.stdout


def test_what_a_switch_has_nowhere_is_missing_in_its_file(run: Run, served: Tree) -> None:
    path = served.out / LEAF / "startup-config"
    before, _, after = path.read_text().partition("management api http-commands\n")
    path.write_text(before + after.partition("\n!\n")[2])
    result = run("audit", served.intent, "--configs", served.out)
    assert '  startup-config: management: eapi-certificate is missing, planned "fabric"' in result.stdout


def test_an_empty_file_is_one_line(run: Run, tree: Tree) -> None:
    (tree.out / LEAF / "startup-config").write_text("\n")
    result = run("audit", tree.intent, "--configs", tree.out)
    assert f"{LEAF} (eos): the configuration is empty" in result.stdout
    assert "is planned, and missing" not in result.stdout


def test_a_switch_has_one_line_for_what_follows_from_one_fault(run: Run, tree: Tree) -> None:
    """One profile of all ports is wrong: each cable shows it at both ends."""
    before = "priority-flow-control priority 3 no-drop"
    tree.edit("be-leaf-000", before, before.replace("3", "4"))
    lines = run("audit", tree.intent, "--configs", tree.out).stdout.splitlines()
    rows = [row for row in lines if ": link-ends: " in row]
    assert len(rows) == len({row.split()[0] for row in rows})
    assert "PFC priorities 4, 3 at be-spine-00" in rows[0]
    assert lines.count("  why it matters: a packet that one end protects is dropped by the other") == 1
