"""References to secrets: what they lead to, what is refused, and that no error tells a value."""

import os
from pathlib import Path

import pytest

from fabricgen.base.secret import MARK, shown
from fabricgen.errors import FabricError, Source
from fabricgen.intent.overlay import overlaid
from fabricgen.push.switch.secrets import SecretPlace, filled, places, read_secrets, unfilled, uses
from fabricgen.source.document import load_document
from fabricgen.source.report import report
from tests.marks import all_marked

CANARY = "c4n4ry-19f3"
ENV, FILE = "${env:PUSH_TEST_KEY}", "${file:keys/tacacs}"


def written(folder: Path, octets: bytes) -> Path:
    """A file behind FILE."""
    (folder / "keys").mkdir(exist_ok=True)
    (folder / "keys/tacacs").write_bytes(octets)
    return folder


def refused(names: tuple[str, ...], folder: Path) -> FabricError:
    """The error; it has no value in it."""
    with pytest.raises(FabricError) as caught:
        read_secrets(names, folder)
    told = "".join(str(part) for problem in caught.value.problems for part in (problem.what, problem.why, problem.fix))
    assert CANARY not in told + str(caught.value)
    return caught.value


def test_marked_references_are_found_as_often_as_they_stand_there() -> None:
    text = all_marked(f"key {ENV}\nsecret {FILE} x {ENV}\n")
    assert [use.name for use in uses(text)] == [ENV, FILE, ENV]
    assert list(uses(shown(text))) == []
    assert list(uses(f"{MARK}$env:A {MARK}${{ENV:A}} {MARK}${{env:}} {MARK}${{env:A B}} {MARK} {ENV}")) == []


def test_values_are_put_in_place_of_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", CANARY)
    found = read_secrets((ENV, FILE), written(tmp_path, b"  of-a-file\n"))
    assert found == {ENV: CANARY, FILE: "of-a-file"}
    assert filled(all_marked(f"a {ENV} b {FILE}{ENV}\n"), found) == f"a {CANARY} b of-a-file{CANARY}\n"
    assert filled(f"a {ENV} b {FILE}\n", found) == f"a {ENV} b {FILE}\n"
    assert filled("nothing\n", {}) == "nothing\n"
    with pytest.raises(KeyError):
        filled(all_marked(ENV), {})


def test_a_value_that_looks_like_a_reference_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", FILE)
    assert filled(all_marked(f"key {ENV}"), read_secrets((ENV,), tmp_path)) == f"key {FILE}"


def test_what_is_missing_is_named_with_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUSH_TEST_KEY", raising=False)
    env, file = refused((ENV, FILE), tmp_path).problems
    assert (env.code, env.what, env.fix) == (
        "secret-missing", "the secret ${env:PUSH_TEST_KEY} is missing", "export PUSH_TEST_KEY=…"
    )  # fmt: skip
    assert env.why == "the environment variable PUSH_TEST_KEY is not set"
    assert (file.code, file.what) == ("secret-missing", "the secret ${file:keys/tacacs} is missing")
    assert str(tmp_path / "keys/tacacs") in file.why
    assert str(tmp_path / "keys/tacacs") in file.fix


def test_a_folder_and_octets_that_are_no_text_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "keys/tacacs").mkdir(parents=True)
    assert refused((FILE,), tmp_path).problems[0].code == "secret-missing"
    (tmp_path / "keys/tacacs").rmdir()
    assert refused((FILE,), written(tmp_path, b"\xff\xfe")).problems[0].code == "secret-missing"


WRONG = {
    "empty": "",
    "a blank inside": f"{CANARY} privilege",
    "a blank in front": f" {CANARY}",
    "a line end inside": f"{CANARY}\nusername evil privilege 15 nopassword",
    "a line end behind": f"{CANARY}\n",
    "a carriage return": f"{CANARY}\rx",
    "a tab": f"{CANARY}\tx",
    "a bell": f"{CANARY}\x07",
    "a delete": f"{CANARY}\x7f",
    "an umlaut": f"{CANARY}ü",
    "another blank": f"{CANARY}\u00a0x",
    "another line end": f"{CANARY}\u2028x",
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_word_is_refused(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", WRONG[what])
    (problem,) = refused((ENV,), tmp_path).problems
    assert problem.code == "secret-shape"
    assert ENV in problem.what
    if what not in ("a blank in front", "a line end behind"):  # those of a file are taken off
        assert refused((FILE,), written(tmp_path, WRONG[what].encode())).problems[0].code == "secret-shape"


@pytest.mark.parametrize("value", ["!", "~", "$6$abc/DEF.=", "p;w#d\"'\\{}", "0"])
def test_every_printable_word_is_taken(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", value)
    assert read_secrets((ENV,), tmp_path) == {ENV: value}
    assert filled(all_marked(f"a {ENV} b"), {ENV: value}) == f"a {value} b"


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", f"{CANARY} x")
    monkeypatch.delenv("PUSH_TEST_OTHER", raising=False)
    found = refused((ENV, FILE, "${env:PUSH_TEST_OTHER}"), tmp_path).problems
    assert [problem.code for problem in found] == ["secret-shape", "secret-missing", "secret-missing"]


def test_what_is_no_reference_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a reference"):
        read_secrets(("env:A",), tmp_path)


INTENT = """\
aaa:
  servers:
    - {host: 10.0.0.1, key: "${file:keys/tacacs}"}
    - host: 10.0.0.2
      key: "${env:PUSH_TEST_KEY}"
  password:
    ${env:PUSH_TEST_OTHER}
raw: |
  first line
  tacacs key ${env:PUSH_TEST_RAW} ${env:PUSH_TEST_KEY}
odd: "\\x24{env:PUSH_TEST_ODD}"
${env:NO_VALUE}: 1
list: ["${env:PUSH_TEST_KEY}"]
behind a long key: "first line
  ${env:PUSH_TEST_LOW}"
"""


def at(line: int, column: int) -> Source:
    return Source(file="site/intent.yaml", line=line, column=column)


def test_places_of_references_in_an_intent() -> None:
    assert places(load_document(INTENT, "site/intent.yaml")) == {
        "${file:keys/tacacs}": (SecretPlace(("aaa", "servers", 0, "key"), at(3, 29)),),
        "${env:PUSH_TEST_KEY}": (
            SecretPlace(("aaa", "servers", 1, "key"), at(5, 12)),
            SecretPlace(("list", 0), at(13, 8)),
        ),
        "${env:PUSH_TEST_OTHER}": (SecretPlace(("aaa", "password"), at(7, 5)),),
        "${env:PUSH_TEST_ODD}": (SecretPlace(("odd",), at(11, 6)),),  # where its value begins
    }
    assert places(load_document("", "site/intent.yaml")) == {}


def test_the_place_of_a_reference_in_an_overlay_is_in_its_file() -> None:
    intent = load_document('a: 1\nb: "${env:A}"\nc: "${env:PUSH_TEST_RAW}"\n', "intent.yaml")
    overlay = load_document('overrides:\n  "be-*": {raw: "${env:PUSH_TEST_RAW}"}\n', "overlay.yaml")
    found = places(overlaid(intent, overlay))
    assert found["${env:A}"] == (SecretPlace(("b",), Source(file="intent.yaml", line=2, column=4)),)
    where = ("overrides", "be-*", "raw")
    assert found["${env:PUSH_TEST_RAW}"][0] == SecretPlace(where, Source(file="overlay.yaml", line=2, column=17))


def test_a_problem_of_a_reference_has_the_place_where_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", f"{CANARY} x")
    monkeypatch.delenv("PUSH_TEST_OTHER", raising=False)
    monkeypatch.delenv("PUSH_TEST_TEMPLATE", raising=False)
    document = load_document(INTENT, "site/intent.yaml")
    names = ("${env:PUSH_TEST_TEMPLATE}", ENV, "${env:PUSH_TEST_OTHER}")
    with pytest.raises(FabricError) as caught:
        read_secrets(names, tmp_path, places(document))
    template, key, other = caught.value.problems
    assert (template.where, template.at) == ((), None)
    assert (key.where, key.at) == (("aaa", "servers", 1, "key"), at(5, 12))
    assert (other.where, other.at) == (("aaa", "password"), at(7, 5))
    told = report(caught.value.problems, document)
    assert f"site/intent.yaml:5:12: error[secret-shape]: the secret {ENV} cannot be" in told
    assert "site/intent.yaml:7:5: error[secret-missing]: the secret ${env:PUSH_TEST_OTHER} is missing" in told
    assert told == report(caught.value.problems[1:], document) + report([template], document)
    assert CANARY not in told


def test_what_runs_is_held_against_references_and_not_against_what_they_lead_to() -> None:
    """A raw line may carry a secret behind a word that nobody knows for one."""
    secrets = {"${env:LONG}": "c4n4ry-of-eight", "${env:SHORT}": "up"}
    text = "frobnicate with c4n4ry-of-eight\ninterface up\n"
    assert unfilled(text, secrets) == "frobnicate with ${env:LONG}\ninterface up\n"


LEADS_OUT = ("hw/../../vault/key", "link", "near", "parent/key", "chain", "hw/../near")


def outside(folder: Path) -> Path:
    """A site beside a secret that is not its own, with links of each kind that lead there."""
    (folder / "vault").mkdir()
    (folder / "vault/key").write_text(CANARY)
    site = folder / "site"
    (site / "hw").mkdir(parents=True)
    (site / "link").symlink_to(folder / "vault/key")
    (site / "near").symlink_to("../vault/key")
    (site / "parent").symlink_to("../vault")
    (site / "chain").symlink_to("near")
    (site / "hole").symlink_to("nowhere")
    (site / "circle").symlink_to("circle")
    (site / "root").symlink_to("/")
    os.mkfifo(site / "pipe")
    return site


@pytest.mark.parametrize(
    "name",
    [
        "hw/../../vault/key",
        "link",
        "near",
        "parent/key",
        "chain",
        "hw/../near",
        "hole",
        "circle",
        "pipe",
        "hw",
        "key/x",
    ],
)
def test_a_file_of_a_secret_lies_in_the_folder(name: str, tmp_path: Path) -> None:
    site = outside(tmp_path)
    (problem,) = refused((f"${{file:{name}}}",), site).problems
    assert problem.code == "secret-missing"
    assert (f"outside {site}" in problem.why) == (name in LEADS_OUT)


def test_a_device_of_the_system_is_no_secret(tmp_path: Path) -> None:
    site = outside(tmp_path)
    for name in ("root/dev/zero", "root/etc/hostname", "root/proc/self/environ"):
        assert refused((f"${{file:{name}}}",), site).problems[0].code == "secret-missing"
    (site / "large").write_bytes(b"a" * 70_000)
    assert "more than" in refused(("${file:large}",), site).problems[0].why


def test_links_that_stay_in_the_folder_are_followed(tmp_path: Path) -> None:
    site = outside(tmp_path)
    (site / "keys").mkdir()
    (site / "keys/tacacs").write_text("own\n")
    (site / "same").symlink_to("keys/tacacs")
    (site / "hw/up").symlink_to("../keys")
    (tmp_path / "called").symlink_to("site")
    for name in ("same", "hw/up/tacacs", "hw/../keys/tacacs"):
        for folder in (site, tmp_path / "called"):
            assert read_secrets((f"${{file:{name}}}",), folder) == {f"${{file:{name}}}": "own"}


@pytest.mark.parametrize("part", ["keys", "tacacs"])
def test_a_link_that_comes_between_the_look_and_the_opening_is_not_followed(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = outside(tmp_path)
    written(site, b"own\n")
    (tmp_path / "vault/tacacs").write_text(CANARY)
    real = os.open

    def swapped(path: str | Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        """Another process, right before a part is opened."""
        if path == part and dir_fd is not None:
            place = site / "keys" if part == "keys" else site / "keys/tacacs"
            place.rename(tmp_path / "was")
            place.symlink_to(tmp_path / "vault" if part == "keys" else tmp_path / "vault/tacacs")
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", swapped)
    assert refused((FILE,), site).problems[0].code == "secret-missing"
