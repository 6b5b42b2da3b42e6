"""A folder that a person filled: what is listed to collect, what is judged of it, and what is refused."""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from fabricgen.operation.intended import intended, read_plan
from fabricgen.platforms.base.live.by_hand import NAMESPACES, RefusedError, in_vtysh, of_shell, plain
from fabricgen.platforms.base.live.reader import JSON, TEXT, ReadCommand
from fabricgen.platforms.linux.live.interfaces import ABSENT, ADDRESSES, within
from fabricgen.platforms.readers import READERS
from fabricgen.verify.collect.by_hand import commands, convert, file_name
from fabricgen.verify.collect.store import Target
from fabricgen.verify.collect.store import read as kept
from tests.push.eos_fabric import ENVIRONMENT, fabric, rendered
from tests.push.eos_fabric import INTENT as SITE

LEAF = "be-leaf-000"
ONE = ("--devices", LEAF)
NEIGHBORS = "show-lldp-neighbors-detail.json"
RUNNING = "show-running-config-sanitized.txt"
FRR = Path(__file__).parents[2] / "inventories/frr/intent.yaml"
CANARY = "c4n4ry-by-hand"
Verify = Callable[..., Result]


@pytest.fixture
def verify() -> Verify:
    def call(*words: object) -> Result:
        return CliRunner().invoke(main, ["verify", *map(str, words)], catch_exceptions=False)

    return call


class Site(NamedTuple):
    """An intent, what the driver collected of its switches, and what they are asked."""

    intent: Path
    saved: Path
    targets: Mapping[str, Target]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Doubles of EOS that run what their intent says, asked through NAPALM's own driver."""
    folder = tmp_path_factory.mktemp("site")
    intent = folder / "intent.yaml"
    intent.write_text(SITE)
    with pytest.MonkeyPatch.context() as patch, fabric(folder / "doubles", rendered(intent)):
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        words = ["verify", str(intent), "-i", str(folder / "doubles"), "--save", str(folder / "saved")]
        done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code in (0, 4), done.output
    return Site(intent, folder / "saved", intended(read_plan(intent), None, "*").targets)


@pytest.fixture
def intent(site: Site) -> Path:
    return site.intent


@pytest.fixture
def hand(tmp_path: Path, site: Site) -> Path:
    """The same as a person would have it: a file per command, as the switch prints it."""
    folder = tmp_path / "hand"
    for name, target in site.targets.items():
        (folder / name).mkdir(parents=True)
        collected = kept(site.saved, name)
        assert collected is not None
        for read in target.reads:
            value, error = collected.outputs[read.command]
            text = value if isinstance(value, str) else json.dumps(value, indent=2)
            (folder / name / file_name(read)).write_text(f"% {error}\n" if error else text)
    return folder


def result(done: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def codes(found: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(one["device"], one["code"], one["subject"]) for row in found["switches"] for one in row["findings"]]


def test_it_is_judged_as_what_the_driver_collected(verify: Verify, site: Site, hand: Path) -> None:
    by_driver, by_hand = (result(verify(site.intent, "--from", folder, "--json")) for folder in (site.saved, hand))
    assert [switch["passed"] for switch in by_hand["switches"]] == [
        switch["passed"] for switch in by_driver["switches"]
    ]
    assert codes(by_hand) == codes(by_driver)
    assert by_hand["summary"]["passed"] > 100


def test_what_is_missing_is_not_checkable_and_named(verify: Verify, intent: Path, hand: Path) -> None:
    before = result(verify(intent, "--from", hand, "--json", *ONE))
    (hand / LEAF / NEIGHBORS).unlink()
    after = result(verify(intent, "--from", hand, "--json", *ONE))
    leaf = after["switches"][0]
    assert codes(after) == codes(before)
    (reason,) = {row["reason"] for row in leaf["unchecked"] if row["check"] == "lldp"}
    assert f"not collected manually: {LEAF}/{NEIGHBORS}" in reason
    assert "lldp" in before["switches"][0]["passed"]
    assert "lldp" not in leaf["passed"]


def test_a_switch_without_a_file_is_a_finding(verify: Verify, intent: Path, hand: Path) -> None:
    for file in (hand / LEAF).iterdir():
        file.unlink()
    done = verify(intent, "--from", hand, "--json", "--devices", "be-leaf-*")
    assert done.exit_code == 4
    assert [one["code"] for one in result(done)["switches"][0]["findings"]] == ["not-collected"]


@pytest.mark.parametrize(
    ("file", "octets", "told"),
    [
        (NEIGHBORS, b'{"default": {\n  "x": }', ("2:8", "not json: Expecting value")),
        (NEIGHBORS, b"Unknown command: show bgp", ("1:1", "not json: Expecting value")),
        (NEIGHBORS, b"\xff\xfe{}", ("1:1", "it is not UTF-8 text")),
        (RUNNING, b"hostname \xff", ("1:1", "it is not UTF-8 text")),
    ],
)
def test_what_is_no_output_is_a_problem(
    verify: Verify, intent: Path, hand: Path, file: str, octets: bytes, told: tuple[str, str]
) -> None:
    (hand / LEAF / file).write_bytes(octets)
    done = verify(intent, "--from", hand, *ONE)
    assert done.exit_code == 1
    assert f"{hand / LEAF / file}:{told[0]}: error[by-hand-file]" in done.stderr
    assert told[1] in done.stderr


def test_every_problem_is_told_at_once(verify: Verify, intent: Path, hand: Path) -> None:
    (hand / LEAF / NEIGHBORS).rename(hand / LEAF / "show-lldp-neighbours-detail.json")
    (hand / LEAF / "show-version.json").write_bytes(b"\xff")
    (hand / "be-leaf-0000").mkdir()
    (hand / "be-leaf-001.json").write_text("{}")
    (hand / LEAF / ".show-version.json.swp").write_text("")
    done = verify(intent, "--from", hand, "--json", *ONE)
    assert done.exit_code == 1
    problems = result(done)["problems"]
    assert sorted(one["code"] for one in problems) == ["by-hand-file", *["by-hand-name"] * 3], problems
    assert any(f"did you mean {NEIGHBORS}?" in one["fix"] for one in problems)
    assert any("did you mean be-leaf-000?" in one["fix"] for one in problems)


def test_a_folder_without_a_file_is_refused(verify: Verify, intent: Path, tmp_path: Path) -> None:
    (tmp_path / "empty" / LEAF).mkdir(parents=True)
    done = verify(intent, "--from", tmp_path / "empty", *ONE)
    assert (done.exit_code, "it has no file of a selected switch" in done.stderr) == (1, True)


def test_a_rendered_folder_is_one_problem(verify: Verify, intent: Path, tmp_path: Path) -> None:
    """It has a folder for each switch: each of its files was a problem of its own."""
    (tmp_path / "out/.fabricgen").mkdir(parents=True)
    (tmp_path / "out/be-leaf-000").mkdir()
    (tmp_path / "out/be-leaf-000/startup-config").write_text("!")
    result = verify(intent, "--from", tmp_path / "out", "--json")
    assert [problem["code"] for problem in json.loads(result.stdout)["problems"]] == ["collection-rendered"]


def test_a_file_that_can_not_be_read_is_a_problem(verify: Verify, intent: Path, hand: Path) -> None:
    (hand / LEAF / NEIGHBORS).unlink()
    (hand / LEAF / NEIGHBORS).mkdir()
    done = verify(intent, "--from", hand, *ONE)
    assert (done.exit_code, "Is a directory" in done.stderr) == (1, True)


def test_a_secret_of_a_configuration_is_told_nowhere(verify: Verify, site: Site, hand: Path, tmp_path: Path) -> None:
    with (hand / LEAF / RUNNING).open("a") as file:
        file.write(f"router bgp 4201000000\n   neighbor 10.0.0.9 password {CANARY}\n")
    done = verify(site.intent, "--from", hand, "--json", *ONE)
    assert done.exit_code == 4
    assert "10.0.0.9" in done.stdout
    assert CANARY not in done.stdout + done.stderr
    (tmp_path / "kept").mkdir()
    convert(hand, site.targets, site.targets, tmp_path / "kept")
    assert CANARY not in (tmp_path / "kept" / f"{LEAF}.json").read_text()


def test_live_difference_is_made_of_it_too(intent: Path, hand: Path) -> None:
    with (hand / LEAF / RUNNING).open("a") as file:
        file.write("ip prefix-list by-hand seq 5 permit any\n")
    words = ["diff", str(intent), "--against", "live", "--from", str(hand)]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 3
    assert "by-hand" in done.stdout


@pytest.mark.parametrize("system", [system for system in READERS if READERS[system].by_hand is not None])
def test_every_command_has_a_file_of_its_own(system: str) -> None:
    reader = READERS[system]
    target = Target("s", system, reader.driver, {}, reader.reads(("RED", "BLUE", "Blue-2")))
    listed = commands(target)
    files = [row.file for row in listed]
    assert len(set(files)) == len(files) == len({read.command for read in target.reads})
    assert not [name for name in files if not all(sign.isalnum() or sign in "-." for sign in name) or len(name) > 100]
    assert not [row for row in listed if "\t" in row.typed or "\n" in row.typed]


def test_what_is_typed_on_each_system() -> None:
    """EOS' and Junos' pipes as their manuals have them; FRR's own commands in vtysh."""

    def typed(system: str, command: str, encoding: str) -> str:
        hand = READERS[system].by_hand
        assert hand is not None
        return hand.typed(ReadCommand("", command, encoding))

    assert typed("eos", "show version", JSON) == "show version | json"
    assert typed("eos", "show running-config sanitized", TEXT) == "show running-config sanitized"
    assert typed("junos", "show interfaces", "xml") == "show interfaces | display xml | no-more"
    assert typed("junos", "show configuration", TEXT) == "show configuration | no-more"
    assert typed("nxos", "show interface | json", TEXT) == "show interface | json"
    assert typed("frr", "show version", TEXT) == "vtysh -c 'show version'"
    assert typed("cumulus", "nv config show", TEXT) == "nv config show"
    assert typed("frr", "ip -j rule show", JSON) == "ip -j rule show"


def test_a_namespace_that_is_not_there_is_said_where_a_vrf_is_a_device(tmp_path: Path) -> None:
    """Typed in a shell: no command fails, and what it prints is to the reader what a live switch says of it."""
    read = ReadCommand("interfaces", within(ADDRESSES, "no-such-vrf"), JSON)
    typed = in_vtysh(read)
    done = subprocess.run(["sh", "-c", typed], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("% no network namespace no-such-vrf\n", "")
    with pytest.raises(RefusedError, match=ABSENT):
        of_shell(read, done.stdout)
    (tmp_path / "no-such-vrf").touch()
    there = typed.replace(NAMESPACES, str(tmp_path)).replace("|| ip -n no-such-vrf", "|| echo asked:")
    done = subprocess.run(["sh", "-c", there], capture_output=True, text=True, check=True)
    assert done.stdout == "asked: -j -d addr show\n"


@pytest.mark.parametrize("text", ["% Invalid input\n", "\n% Unknown command.\n", "bfdd is not running\n"])
@pytest.mark.parametrize("encoding", [JSON, TEXT])
@pytest.mark.parametrize("read", [of_shell, plain])
def test_what_the_switch_refused_is_its_error(
    read: Callable[[ReadCommand, str], object], encoding: str, text: str
) -> None:
    with pytest.raises(RefusedError, match=text.strip()):
        read(ReadCommand("", "show x", encoding), text)


@pytest.mark.parametrize(
    ("command", "text", "value"),
    [
        ("show bgp json", "", {}),
        ("ip -j rule show", "\n", []),
        ("ip -j rule show", "[]", []),
        ("show bgp json", '{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
    ],
)
def test_json_of_a_shell(command: str, text: str, value: object) -> None:
    """FRR prints a value for each VRF, and iproute2 nothing at all for an empty list (seen with 8.4.4 and 6.1)."""
    assert of_shell(ReadCommand("", command, JSON), text) == value
    assert of_shell(ReadCommand("", command, TEXT), text) == text
    assert in_vtysh(ReadCommand("", command, JSON)).startswith(("vtysh -c ", "ip "))


def test_commands_are_listed_for_a_shell_to_read(verify: Verify) -> None:
    listed = verify(FRR, "--commands", "frr").stdout.splitlines()
    assert len({line.partition("/")[0] for line in listed}) == 14
    name, typed = "show-bgp-vrf-all-neighbors-json.json", "vtysh -c 'show bgp vrf all neighbors json'"
    assert f"{LEAF}/{name}\t{typed}" in listed
    rows = result(verify(FRR, "--commands", "frr", "--json"))["commands"]
    assert [f"{row['switch']}/{row['file']}\t{row['command']}" for row in rows] == listed
    anywhere = verify("--commands", "frr").stdout.splitlines()
    assert f"SWITCH/{name}\t{typed}" in anywhere
    assert any("ip -n VRF -j" in line for line in anywhere)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--commands", "srlinux"), 1, "error[by-hand]: srlinux cannot be collected manually"),
        (("--commands", "vrp"), 1, "error[no-reader]"),
        (("--commands", "ios"), 1, "fix: choose one of "),
        ((FRR, "--commands", "eos"), 1, "error[by-hand-none]"),
        ((FRR, "--commands", "frr", "-i", "x"), 2, "--commands only prints"),
        ((), 2, "missing argument INTENT"),
        (("--from", "x"), 2, "missing argument INTENT"),
    ],
)
def test_what_can_not_be_listed_is_said(verify: Verify, words: tuple[object, ...], code: int, told: str) -> None:
    done = verify(*words)
    assert (done.exit_code, told in done.stderr) == (code, True), done.stderr
