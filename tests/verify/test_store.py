"""A collection on disk: the same bytes for the same answers, its owner's alone, and no file that is not whole."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.reader import Output
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.store import PACKED, PLAIN, Collected, Failure, read, write
from fabricgen.verify.collect.store_folder import check_folder, open_folder
from fabricgen.verify.collect.store_lab import read_lab, read_pings, write_lab, write_pings
from fabricgen.verify.probe.pings import Ping, PingResult

ONE = Collected(
    device="be-leaf-000",
    system="double",
    vrfs={"red": "research", "blue": "storage"},
    outputs={"show version": Output({"b": [1, None], "a": "x"}), "show bgp": Output(None, "no such command")},
)
TEXT = """\
{
 "collection": 1,
 "device": "be-leaf-000",
 "failure": null,
 "outputs": {
  "show bgp": {
   "error": "no such command"
  },
  "show version": {
   "value": {
    "a": "x",
    "b": [
     1,
     null
    ]
   }
  }
 },
 "system": "double",
 "vrfs": {
  "blue": "storage",
  "red": "research"
 }
}
"""


def codes(step: Callable[[], object]) -> list[str]:
    with pytest.raises(FabricError) as caught:
        step()
    return [problem.code for problem in caught.value.problems]


def test_a_file_as_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, ONE)
    path = tmp_path / "be-leaf-000.json"
    assert path.read_text() == TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["be-leaf-000.json"]


def test_only_what_a_killed_run_has_left_is_taken_over(tmp_path: Path) -> None:
    for name in (".be-leaf-000.json.new", ".be-leaf-000.json.fabricgen-tmp"):
        (tmp_path / name).write_text("x")
    write(tmp_path, ONE)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".be-leaf-000.json.new", "be-leaf-000.json"]


@pytest.mark.parametrize("suffix", [PLAIN, PACKED])
@pytest.mark.parametrize("kept", [ONE, Collected(device="be-leaf-000", system="x", vrfs={}, failure=Failure("a", "b"))])
def test_what_is_written_is_read(tmp_path: Path, suffix: str, kept: Collected) -> None:
    write(tmp_path, kept, suffix)
    assert read(tmp_path, "be-leaf-000", suffix) == kept
    assert read(tmp_path, "be-leaf-001", suffix) is None


def test_the_same_answers_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write(tmp_path, ONE, PACKED)
    write(tmp_path / "other", ONE, PACKED)
    name = f"be-leaf-000{PACKED}"
    assert (tmp_path / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        (TEXT[:200], "collection-file", "not whole JSON"),
        ("", "collection-file", "not whole JSON"),
        ("[" * 100_000, "collection-file", "not whole JSON"),
        (
            TEXT.replace('"collection": 1', '"collection": 2'),
            "collection-version",
            "collection: 2; this release reads 1",
        ),
        ("[]", "collection-version", "collection: null"),
        (TEXT.replace('"device": "be-leaf-000"', '"device": "be-leaf-001"'), "collection-file", "it is of be-leaf-001"),
        (TEXT.replace('"system": "double",', ""), "collection-file", "system: Field required"),
        (TEXT.replace('"error": "no such command"', '"eror": ""'), "collection-file", "outputs.show bgp.eror"),
    ],
)
def test_a_file_that_can_not_be_judged(tmp_path: Path, text: str, code: str, words: str) -> None:
    (tmp_path / "be-leaf-000.json").write_text(text)
    with pytest.raises(FabricError) as caught:
        read(tmp_path, "be-leaf-000")
    (problem,) = caught.value.problems
    assert (problem.code, words in problem.why) == (code, True), problem.why
    assert str(tmp_path / "be-leaf-000.json") in problem.what


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "be-leaf-000.json").mkdir()
    assert codes(lambda: read(tmp_path, "be-leaf-000")) == ["collection-file"]
    assert codes(lambda: write(tmp_path, ONE)) == ["collection-write"]
    assert [entry.name for entry in tmp_path.iterdir()] == ["be-leaf-000.json"], "nothing half written is left"


def test_a_new_collection_forgets_what_its_switches_said(tmp_path: Path) -> None:
    folder = tmp_path / "a/b"
    open_folder(folder, ["be-leaf-000"])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    write(folder, ONE)
    (folder / ".half").write_text("of a run that was killed")
    write_lab(folder, "units=1")
    open_folder(folder, ["be-leaf-000", "be-leaf-002"])
    assert sorted(entry.name for entry in folder.iterdir()) == [".half", "_lab.json"]


def test_a_new_collection_is_not_mixed_with_an_earlier_one(tmp_path: Path) -> None:
    write(tmp_path, ONE)
    write(tmp_path, Collected(device="be-leaf-001", system="x", vrfs={}))
    with pytest.raises(FabricError) as caught:
        open_folder(tmp_path, ["be-leaf-000", "be-leaf-002"])
    (problem,) = caught.value.problems
    assert problem.code == "collection-mixed"
    assert "be-leaf-001.json" in problem.what
    assert (tmp_path / "be-leaf-000.json").read_text() == TEXT, "the earlier one is whole"


def test_a_folder_of_someone_else(tmp_path: Path) -> None:
    write(tmp_path, ONE)
    (tmp_path / "notes.txt").write_text("mine")
    assert codes(lambda: open_folder(tmp_path, ["be-leaf-000"])) == ["collection-folder"]
    assert (tmp_path / "be-leaf-000.json").read_text() == TEXT
    assert codes(lambda: open_folder(tmp_path / "notes.txt", [])) == ["collection-write"]


def test_names_against_the_plan(tmp_path: Path) -> None:
    write(tmp_path, ONE)
    write_lab(tmp_path, "units=1")
    check_folder(tmp_path, ["be-leaf-000", "be-leaf-001"])
    with pytest.raises(FabricError) as caught:
        check_folder(tmp_path, ["be-leaf-001", "fe-spine-00"])
    (problem,) = caught.value.problems
    assert problem.code == "collection-device"
    assert "did you mean be-leaf-001?" in problem.fix
    assert codes(lambda: check_folder(tmp_path / "none", [])) == ["collection-file"]
    (tmp_path / "empty").mkdir()
    assert codes(lambda: check_folder(tmp_path / "empty", ["be-leaf-000"])) == ["collection-file"]


def test_which_lab_it_was(tmp_path: Path) -> None:
    assert read_lab(tmp_path) is None
    write_lab(tmp_path, "units=1,leaves=2")
    assert read_lab(tmp_path) == "units=1,leaves=2"
    write_lab(tmp_path, None)
    assert read_lab(tmp_path) is None
    for text in ("{", "[]", json.dumps({"collection": 2, "subset": ""}), json.dumps({"collection": 1, "subset": 1})):
        (tmp_path / "_lab.json").write_text(text)
        assert codes(lambda: read_lab(tmp_path)) == ["collection-file"]


def test_pings_of_a_lab(tmp_path: Path) -> None:
    tried = {
        Ping("a", "10.0.0.1", "b", "10.0.0.2", True, "a within l"): PingResult(2, 1),
        Ping("b", "10.0.0.2", "c", "10.0.0.3", False, "b from c"): PingResult(0, 0, "no such name"),
    }
    assert read_pings(tmp_path) is None
    write_pings(tmp_path, tried)
    found = read_pings(tmp_path)
    assert found is not None
    assert list(found.items()) == list(tried.items()), "in their order"
    text = (tmp_path / "_pings.json").read_text()
    for bad in (text[:40], "[]", text.replace('"collection": 1', '"collection": 2'), text.replace('"sent"', '"send"')):
        (tmp_path / "_pings.json").write_text(bad)
        assert codes(lambda: read_pings(tmp_path)) == ["collection-file"]
    write_lab(tmp_path, "")
    assert read_pings(tmp_path) is None, "a new collection begins without"


# Lines of the manuals and of the recorded switches, and what is left of each. Everything else must stay: drift is
# judged by what is kept.
LINES = [
    ("username a role network-admin secret sha512 $6$SALT$HASH", "username a role network-admin secret sha512 *"),
    ("username a privilege 15 role admin secret 5 $1$X", "username a privilege 15 role admin secret 5 *"),
    ("username admin nopassword", None),
    ("enable password sha512 $6$X", "enable password sha512 *"),
    ("aaa root secret sha512 $6$X", "aaa root secret sha512 *"),
    ("   neighbor 10.0.0.1 password 7 AbC==", "   neighbor 10.0.0.1 password 7 *"),
    (" neighbor 10.0.0.1 password open", " neighbor 10.0.0.1 password *"),
    ("tacacs-server host 10.0.0.7 vrf MGMT key 7 0822455D0A16", "tacacs-server host 10.0.0.7 vrf MGMT key 7 *"),
    ("tacacs-server key open", "tacacs-server key *"),
    ("radius-server host 10.0.0.7 key open", "radius-server host 10.0.0.7 key *"),
    ("snmp-server community public ro", "snmp-server community * ro"),
    (
        "snmp-server user m G v3 localized f5717f auth sha 01ab priv aes 02cd",
        "snmp-server user m G v3 localized f5717f auth sha * priv aes *",
    ),
    ("snmp-server group G v3 priv read ALL", None),
    ("snmp-server host 10.0.0.9 vrf MGMT version 3 priv monitor", None),
    ("snmp-server host 10.0.0.9 informs version 3 auth monitor udp-port 162", None),
    ("snmp-server host 10.0.0.9 version 2c public", "snmp-server host 10.0.0.9 version 2c *"),
    (
        "snmp-server host 10.0.0.9 vrf MGMT informs version 1 public udp-port 162",
        "snmp-server host 10.0.0.9 vrf MGMT informs version 1 * udp-port 162",
    ),
    ("snmp-server host nms.example traps public", "snmp-server host nms.example traps *"),
    ("snmp-server host nms.example public", "snmp-server host nms.example *"),
    ("ntp authentication-key 1 md5 7 0822", "ntp authentication-key 1 md5 7 *"),
    (" ip ospf message-digest-key 1 md5 open", " ip ospf message-digest-key 1 md5 *"),
    (" isis password md5 open", " isis password md5 *"),
    ("  key-string open", "  key-string *"),
    # nhrpd.rst, ripd.rst and pathd.rst of the FRR user manual.
    (" ip nhrp authentication open", " ip nhrp authentication *"),
    (" ipv6 nhrp authentication open", " ipv6 nhrp authentication *"),
    (" ip nhrp network-id 1", None),
    (" ip rip authentication string open", " ip rip authentication string *"),
    (" ip rip authentication mode md5 auth-length rfc", None),
    ("   tcp-md5-auth open", "   tcp-md5-auth *"),
    ("   source-address ip 10.0.0.1", None),
    # mac-security and management-security of arista.avd's eos_cli_config_gen; openconfig/featureprofiles has type 0.
    ("      key 1234c 7 10195F4C5144405A fallback", "      key 1234c 7 * fallback"),
    ("      key 0123 0 0ab1 fallback", "      key 0123 0 * fallback"),
    ("      key 7 7 0822", "      key 7 7 *"),
    ("      mka key-server priority 100", None),
    ("      mka session rekey-period 30", None),
    (
        "      secret Key1 7 0822 receive-lifetime infinite transmit-lifetime infinite",
        "      secret Key1 7 * receive-lifetime infinite transmit-lifetime infinite",
    ),
    ("   session shared-secret profile P", None),
    (" key 7", None),
    ("key chain K", None),
    ("      certificate fabric.crt key fabric.key", None),
    ("service password-encryption", None),
    ("   set community 65000:1 additive", None),
    ("ip community-list C permit GSHUT", None),
    ("   neighbor SPINES send-community standard extended", None),
    (" password minimum length 8", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "left"), LINES)
def test_words_that_are_not_kept(line: str, left: str | None) -> None:
    text = f"hostname a\n{line}\nend\n"
    expected = text if left is None else f"hostname a\n{left.replace('*', '<removed>')}\nend\n"
    assert without_secrets(text) == expected
    assert without_secrets({"cmds": {line: [line, None, 1]}}) == {
        "cmds": {expected.splitlines()[1]: [expected.splitlines()[1], None, 1]}
    }
