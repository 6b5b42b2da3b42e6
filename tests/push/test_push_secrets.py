"""References to secrets: what they lead to, what is refused, and that no error tells a value."""

from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.push.secrets import filled, read_secrets, references

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


def test_references_are_found_once_and_sorted() -> None:
    texts = (f"key {ENV}\nsecret {FILE} x {ENV}\n", "password ${env:A}")
    assert references(texts) == ("${env:A}", ENV, FILE)
    assert references(["$env:A ${ENV:A} ${env:} ${file:../x} ${env:A B} {env:A}"]) == ()


def test_values_are_put_in_place_of_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", CANARY)
    found = read_secrets((ENV, FILE), written(tmp_path, b"  of-a-file\n"))
    assert found == {ENV: CANARY, FILE: "of-a-file"}
    assert filled(f"a {ENV} b {FILE}{ENV}\n", found) == f"a {CANARY} b of-a-file{CANARY}\n"
    assert filled("nothing\n", {}) == "nothing\n"
    with pytest.raises(KeyError):
        filled(ENV, {})


def test_a_value_that_looks_like_a_reference_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", FILE)
    assert filled(f"key {ENV}", read_secrets((ENV,), tmp_path)) == f"key {FILE}"


def test_what_is_missing_is_named_with_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUSH_TEST_KEY", raising=False)
    env, file = refused((ENV, FILE), tmp_path).problems
    assert (env.code, env.what, env.fix) == (
        "secret-missing", "${env:PUSH_TEST_KEY} leads nowhere", "export PUSH_TEST_KEY=…"
    )  # fmt: skip
    assert env.why == "the environment has no PUSH_TEST_KEY"
    assert (file.code, file.what) == ("secret-missing", "${file:keys/tacacs} leads nowhere")
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
    assert filled(f"a {ENV} b", {ENV: value}) == f"a {value} b"


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUSH_TEST_KEY", f"{CANARY} x")
    monkeypatch.delenv("PUSH_TEST_OTHER", raising=False)
    found = refused((ENV, FILE, "${env:PUSH_TEST_OTHER}"), tmp_path).problems
    assert [problem.code for problem in found] == ["secret-shape", "secret-missing", "secret-missing"]


def test_what_is_no_reference_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is no reference"):
        read_secrets(("env:A",), tmp_path)
