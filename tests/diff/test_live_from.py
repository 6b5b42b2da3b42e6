"""`fabricgen diff --against live --from`: what a collection says runs, against the intent; no switch is asked."""

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.cli.sites import DEMO, edit
from tests.diff.kept import CANARY, call, eos, frr, held, keep, rendered, silent

SMALL = DEMO.parents[1] / "frr" / "intent.yaml"
LEAVES = tuple(f"be-leaf-00{number}" for number in range(4))
LEAF = LEAVES[0]
FORMS = ((), ("-v",), ("--json",), ("--markdown",))
SAFE = ("no traffic loss", "🟢", "⚪")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Texts of the demo's EOS switches."""
    return rendered(DEMO, tmp_path_factory.mktemp("demo") / "out", "eos")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Texts of the small site's FRR switches."""
    return rendered(SMALL, tmp_path_factory.mktemp("small") / "out", "frr")


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    """The demo, to be edited."""
    shutil.copytree(DEMO.parent, tmp_path / "site")
    return tmp_path / "site/intent.yaml"


def diff(kept: Path, *words: object, intent: Path = DEMO) -> Result:
    return call("diff", intent, "--against", "live", "--from", kept, *words)


def running(texts: dict[str, str], *names: str) -> dict[str, str]:
    """What these switches run that were pushed to."""
    return {name: held(texts[name]) for name in names or texts}


def kept_eos(folder: Path, texts: dict[str, str]) -> Path:
    return keep(folder, *(eos(name, text) for name, text in texts.items()))


def one_class(result: Result) -> dict[str, Any]:
    """The only class of a result in JSON."""
    (found,) = json.loads(result.stdout)["text"]
    return dict(found)


def test_what_was_pushed_runs(demo: dict[str, str], tmp_path: Path) -> None:
    result = diff(kept_eos(tmp_path / "kept", running(demo)))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-2:] == ["No differences.", "20 switches: 0 differ, 20 match"]


def test_the_files_that_are_not_read_back_are_told(small: dict[str, str], tmp_path: Path) -> None:
    kept = keep(tmp_path / "kept", *(frr(name, text) for name, text in running(small).items()))
    result = diff(kept, intent=SMALL)
    note, verdict, counts = result.stdout.splitlines()
    assert (result.exit_code, verdict) == (0, "No differences.")
    assert note.startswith("FRR on Linux: only frr.conf is compared with the switch, not: ")
    assert {"interfaces", "sysctl.conf", "daemons"} <= set(note.partition("switch, not: ")[2].split(", "))
    assert counts == "14 switches: 0 differ, 14 match"


def test_the_same_change_of_many_switches_is_one_class(demo: dict[str, str], tmp_path: Path, intent: Path) -> None:
    """Each leaf has an AS of its own; what a push would add is +, what runs is -."""
    edit(intent, "    transport: roce-lossless\n", "    transport: roce-lossless\n    bgp: {hold_seconds: 30}\n")
    kept = kept_eos(tmp_path / "kept", running(demo, *LEAVES))
    result = diff(kept, "--devices", "be-leaf-*", intent=intent)
    assert result.exit_code == 3
    lines = result.stdout.splitlines()
    assert lines.index("SESSION RESET  text of startup-config on 4 switches: be-leaf-000…003") == 3
    assert lines[-7:-1] == [
        "  the running configuration (-) differs from the rendered one (+); it concerns bgp.timers changed",
        "  @ router bgp *",
        "  - neighbor SPINES-IPV4 timers 3 9",
        "  - neighbor SPINES-IPV6 timers 3 9",
        "  + neighbor SPINES-IPV4 timers 3 30",
        "  + neighbor SPINES-IPV6 timers 3 30",
    ]


@pytest.mark.parametrize("form", FORMS)
def test_a_line_that_no_table_knows_makes_it_unknown(demo: dict[str, str], tmp_path: Path, form: tuple[str]) -> None:
    texts = running(demo, *LEAVES)
    for name in LEAVES[:2]:
        texts[name] = texts[name].replace("   update wait-install\n", "   bgp additional-paths install\n")
    result = diff(kept_eos(tmp_path / "kept", texts), "--devices", "be-leaf-*", *form)
    assert result.exit_code == 3
    for word in ("bgp additional-paths install", "update wait-install", "lines whose cost is unknown"):
        assert word in result.stdout
    assert "unknown" in result.stdout.lower()
    assert not [word for word in SAFE if word in result.stdout]


def test_a_class_says_which_way_it_goes(demo: dict[str, str], tmp_path: Path) -> None:
    texts = running(demo, LEAF)
    texts[LEAF] = texts[LEAF].replace("be-spine-00 Ethernet1/1\n", "typed by hand\n", 1)
    found = one_class(diff(kept_eos(tmp_path / "kept", texts), "--devices", LEAF, "--json"))
    assert (found["cause"], found["devices"], found["artifact"]) == ("live", [LEAF], "startup-config")
    (hunk,) = found["hunks"]
    assert [line.rsplit("description ", 1)[1] for line in hunk["removed"]] == ["typed by hand"]
    assert "typed by hand" not in "".join(hunk["added"])
    assert len(hunk["section"]) == 1


SECRETS = {
    "eos": (
        "username eve privilege 15 secret sha512 {}",
        "username eve secret 5 {}",
        "enable secret sha512 {}",
        "aaa root secret sha512 {}",
        "tacacs-server host 10.9.9.9 key 7 {}",
        "radius-server key 7 {}",
        "ntp authentication-key 9 md5 7 {}",
        "snmp-server community {} ro",
        "snmp-server user eve g v3 auth sha {} priv aes {}",
        "snmp-server user eve g v3 localized f5717f auth sha {} priv aes {}",
        "router bgp 4201000000\n   neighbor 192.0.2.1 password 7 {}",
        "ip ospf message-digest-key 1 md5 7 {}",
        "key-string 7 {}",
    ),
    "frr": (
        "password 8 {}",
        "enable password {}",
        "router bgp 4201000000\n neighbor 192.0.2.1 password {}",
        "key chain k\n key 1\n  key-string {}",
        "interface swp1\n ip ospf message-digest-key 1 md5 {}",
        "interface swp1\n isis password clear {}",
        "interface swp1\n ip rip authentication string {}",
    ),
}
"""Forms in which secrets stand in running configurations (manuals of EOS 4.34 and FRR 8.4)."""


@pytest.mark.parametrize("system", SECRETS)
def test_a_secret_is_a_line_that_is_shown_without_it(
    demo: dict[str, str], small: dict[str, str], tmp_path: Path, system: str
) -> None:
    """Lines that only the switch has. The collection has the secrets, as one that was made by hand may."""
    texts, site, says = (demo, DEMO, eos) if system == "eos" else (small, SMALL, frr)
    more = "\n".join(line.replace("{}", CANARY) for line in SECRETS[system])
    kept = keep(tmp_path / "kept", says(LEAF, f"{held(texts[LEAF])}{more}\n"))
    words = ("--devices", LEAF)
    found = one_class(diff(kept, *words, "--json", intent=site))
    assert found["risk"] == "unknown"
    hidden = [line for hunk in found["hunks"] for line in hunk["removed"] if re.search(r"\*|<secret>|<removed>", line)]
    assert len(hidden) == len({re.sub(" (?:localized f5717f|5|8)(?= )", "", line) for line in SECRETS[system]})
    for form in FORMS:
        assert diff(kept, *words, *form, intent=site).exit_code == 3


MINE = ("tacacs-server key 7 {}", "snmp-server community {} ro", "key-string 7 {}", "router x\n   passphrase 7 {}")


def test_a_secret_of_a_template_is_equal_and_shown_to_nobody(tmp_path: Path, intent: Path) -> None:
    """A user who writes a secret into a template has it rendered, and never told."""
    mine = tmp_path / "templates/eos"
    mine.mkdir(parents=True)
    secret = "\n".join(line.replace("{}", CANARY) for line in MINE)
    (mine / "end.j2").write_text(f"{secret}\nend\n")
    words = ("--templates", mine.parent, "--devices", LEAF)
    text = rendered(intent, tmp_path / "out", "eos", *words[:2])[LEAF]
    assert text.count(CANARY) == len(MINE)
    other = held(text).replace(CANARY, "another-1")
    assert diff(kept_eos(tmp_path / "same", {LEAF: other}), *words).exit_code == 0
    kept = kept_eos(tmp_path / "kept", {LEAF: held(text).replace(secret, "")})
    for form in FORMS:
        assert diff(kept, *words, *form).exit_code == 3


def test_a_switch_that_did_not_answer_is_told_first_and_nothing_is_safe(demo: dict[str, str], tmp_path: Path) -> None:
    texts = running(demo, *LEAVES[:3])
    texts[LEAF] = texts[LEAF].replace("be-spine-00 Ethernet1/1\n", "typed by hand\n", 1)
    kept = kept_eos(tmp_path / "kept", texts)
    keep(kept, silent(LEAVES[1], "eos", "the line is cut"))
    result = diff(kept, "--devices", "be-leaf-*")
    lines = result.stdout.splitlines()
    assert result.exit_code == 3
    assert lines[:2] == [
        "be-leaf-001 cannot be reached: the line is cut",
        "be-leaf-003 is not in the collection: no state was collected",
    ]
    assert lines[2] == ("2 of 4 switches could not be read: what a push would change there is unknown. Risk: unknown.")
    assert lines[3] == "4 switches: 2 not read, 1 differs, 1 matches"
    assert "no traffic loss" not in result.stdout
    value = json.loads(diff(kept, "--devices", "be-leaf-*", "--json").stdout)
    assert (value["whole"], value["risk"], value["unread"]) == (False, "unknown", [LEAVES[1], LEAVES[3]])
    assert value["switches"] == {"before": 2, "after": 4, "equal": 1}


def test_no_switch_could_be_read(tmp_path: Path) -> None:
    kept = keep(tmp_path / "kept", *(silent(name, "eos", "the line is cut") for name in LEAVES))
    for form in FORMS[1:]:
        assert diff(kept, "--devices", "be-leaf-*", *form).exit_code == 5
    first = diff(kept, "--devices", "be-leaf-*").stdout.splitlines()[0]
    assert first == "4 switches cannot be reached (the line is cut): be-leaf-000…003"


def test_a_comment_has_room_for_a_site_that_is_dark(demo: dict[str, str], tmp_path: Path) -> None:
    """Of switches with different reasons the first one's stands for all."""
    names = sorted(demo)
    kept = keep(tmp_path / "kept", *(silent(name, "eos", f"{name} is off. " * 20) for name in names))
    notes = [line for line in diff(kept, "--markdown").stdout.splitlines() if line.startswith(">")]
    assert len([line for line in notes if "cannot be reached" in line]) == 1
    assert notes[0].startswith(f"> 20 switches cannot be reached ({names[0]}: {names[0]} is off.")


def test_a_switch_that_shows_no_configuration(demo: dict[str, str], tmp_path: Path) -> None:
    kept = kept_eos(tmp_path / "kept", running(demo, LEAF))
    path = kept / f"{LEAF}.json"
    value = json.loads(path.read_text())
    value["outputs"].pop("show running-config sanitized")
    path.write_text(json.dumps(value))
    result = diff(kept, "--devices", LEAF)
    assert result.exit_code == 5
    assert result.stdout.splitlines()[0] == (
        f"{LEAF} did not show its running configuration: show running-config sanitized: not in the collection"
    )


def test_a_switch_that_was_collected_as_another_platform(small: dict[str, str], tmp_path: Path) -> None:
    result = diff(keep(tmp_path / "kept", frr(LEAF, held(small[LEAF]))), "--devices", LEAF)
    assert result.exit_code == 5
    assert "it was collected as frr, but the plan has eos" in result.stdout


def test_a_switch_with_another_name_is_told_first(demo: dict[str, str], tmp_path: Path) -> None:
    kept = keep(tmp_path / "kept", eos("DC1-LEAF1A", held(demo[LEAF])))
    (kept / "DC1-LEAF1A.json").rename(kept / f"{LEAF}.json")
    path = kept / f"{LEAF}.json"
    path.write_text(path.read_text().replace('"device": "DC1-LEAF1A"', f'"device": "{LEAF}"'))
    first = diff(kept, "--devices", LEAF).stdout.splitlines()[0]
    assert first == f"{LEAF} has the hostname DC1-LEAF1A: is it the right switch?"
    kept = keep(tmp_path / "other", eos(LEAF, held(demo[LEAF])))
    path = kept / f"{LEAF}.json"
    path.write_text(path.read_text().replace(f'"hostname": "{LEAF}"', f'"hostname": "{LEAF.upper()}.dc1.example.net"'))
    assert diff(kept, "--devices", LEAF).stdout.startswith("No differences.")


def without_bgp(text: str) -> str:
    """What vtysh shows where bgpd is dead."""
    return re.sub(r"(?ms)^router bgp .*?^exit$", "", text)


@pytest.mark.parametrize(
    ("daemons", "running", "code"),
    [
        ("zebra staticd bfdd", without_bgp, 5),
        ("zebra bgpd staticd", str, 0),  # no session of the small site asks for BFD
        ("zebra bgpd staticd", without_bgp, 3),
        ("zebra bgpd bfdd", str, 0),  # a dead program that took nothing with it is for verify to tell
    ],
)
def test_lines_that_a_dead_daemon_holds_are_not_known(
    small: dict[str, str], tmp_path: Path, daemons: str, running: type[str], code: int
) -> None:
    kept = keep(tmp_path / "kept", frr(LEAF, running(held(small[LEAF])), daemons))
    result = diff(kept, "--devices", LEAF, intent=SMALL)
    assert result.exit_code == code
    dead = f"{LEAF} did not show all of its running configuration: lines are missing, and bgpd does not run"
    assert (result.stdout.splitlines()[0] == dead) == (code == 5)


def test_daemons_of_which_nothing_is_known(small: dict[str, str], tmp_path: Path) -> None:
    result = diff(keep(tmp_path / "kept", frr(LEAF, held(small[LEAF]), "")), "--devices", LEAF, intent=SMALL)
    assert result.exit_code == 5
    assert "its running daemons are unknown" in result.stdout


def test_the_command_of_a_comment_tells_all(demo: dict[str, str], tmp_path: Path) -> None:
    texts = running(demo, LEAF)
    texts[LEAF] = texts[LEAF].replace("be-spine-00 Ethernet1/1\n", "typed by hand\n", 1)
    told = diff(kept_eos(tmp_path / "kept", texts), "--devices", LEAF, "--markdown").stdout
    assert "Renumbering" not in told
    command = re.findall(r"`(fabricgen [^`]*)`", told)[-1]
    result = call(*shlex.split(command)[1:])
    assert (result.exit_code, "typed by hand" in result.stdout) == (3, True)


def test_what_is_expected_of_live_text(demo: dict[str, str], tmp_path: Path) -> None:
    texts = running(demo, *LEAVES)
    texts[LEAF] = texts[LEAF].replace("be-spine-00 Ethernet1/1\n", "typed by hand\n", 1)
    kept, expect = kept_eos(tmp_path / "kept", texts), tmp_path / "expect.yaml"
    words = ("--devices", "be-leaf-*", "--expect", expect)
    expect.write_text(f"expect: 1\ntext: [{LEAF}]\n")
    assert diff(kept, *words).exit_code == 0
    expect.write_text("expect: 1\ntext: [be-leaf-001]\n")
    result = diff(kept, *words)
    assert result.exit_code == 3
    assert f"none  text of startup-config on {LEAF}" in result.stdout
    keep(kept, silent(LEAVES[1], "eos", "the line is cut"))
    expect.write_text('expect: 1\ntext: ["*"]\n')
    assert diff(kept, *words).exit_code == 3
