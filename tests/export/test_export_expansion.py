"""Text that comes out of containerlab's expansion as it went in, and secrets on their way."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.errors import FabricError
from fabricgen.export.expansion import (
    by_containerlab,
    escaped,
    expanded_file,
    has_traps,
    mounted_file,
    refuse_reference,
    resolved,
    variables,
)
from fabricgen.platforms.base.forms import WORDS, YAML, braces, json_text
from tests.export.expanding import expanded
from tests.marks import all_marked

ENVIRONMENT = {"HOME": "/root", "salt": "x", "ADMIN_HASH": "$6$salt$HOME/{", "_": "u", "a": "b", "env": "trap"}
PLAIN = "username admin secret sha512 ${env:ADMIN_HASH}\n"
HASH = all_marked(PLAIN)


@given(st.text(alphabet='$${}"aHOME_6: \\n`'))
def test_any_text_comes_out_as_it_went_in(text: str) -> None:
    assert expanded(escaped(text), ENVIRONMENT) == text


@pytest.mark.parametrize("text", ["$HOME", "${HOME}", "a {{ b", "{{ .ShortName }}", "$6$salt$abc", "{{{", "$$"])
def test_without_escaping_they_are_changed_or_refused(text: str) -> None:
    """The double is no plain copy: each of these is a trap."""
    assert has_traps(text)
    try:
        found = expanded(text, ENVIRONMENT)
    except ValueError:
        return
    assert found != text


def test_a_reference_that_stays_as_it_is_would_lose_its_name() -> None:
    assert expanded(PLAIN, {}) == "username admin secret sha512 $env\n"


def test_a_reference_becomes_a_variable_that_containerlab_fills_in() -> None:
    banner = "banner $HOME {{\n"
    text = expanded_file(banner + HASH + banner, by_containerlab)
    assert "${ADMIN_HASH}" in text
    assert expanded(text, ENVIRONMENT) == f"{banner}username admin secret sha512 $6$salt$HOME/{{\n{banner}"


def test_a_reference_to_a_file_can_not_be_left() -> None:
    for text in ("${file:secrets/key}", "${env:a.b}", "${env:9A}"):
        with pytest.raises(FabricError) as caught:
            expanded_file(all_marked(text), by_containerlab)
        (problem,) = caught.value.problems
        assert problem.code == "export-secret"
        assert "--with-secrets" in problem.fix


def test_a_mounted_file_is_not_expanded() -> None:
    assert mounted_file("a $HOME {{ $$\n", refuse_reference) == "a $HOME {{ $$\n"
    with pytest.raises(FabricError):
        mounted_file(all_marked("neighbor 10.0.0.1 password ${env:KEY}\n"), refuse_reference)


def test_a_reference_without_a_mark_is_plain_text() -> None:
    text = "description see ${env:ADMIN_HASH} ${file:key}\n"
    for spell in (by_containerlab, refuse_reference):
        assert expanded(expanded_file(text, spell), ENVIRONMENT) == text
        assert mounted_file(text, spell) == text
    assert variables(text) == []


def test_variables_are_those_of_references() -> None:
    assert variables(all_marked("${env:B} $A ${env:A} ${file:c} ${env:B}")) == ["B", "A"]


def test_a_secret_is_written_as_its_file_wants_it(tmp_path: Path) -> None:
    nasty = "a\"b\\n'c#$HOME{{"
    (tmp_path / "key").write_text(f"{nasty}\n")
    taken = {"key": nasty}
    as_json = expanded_file(all_marked('{"key": "${file:key}"}'), resolved(tmp_path, escaped), json_text({}))
    assert json.loads(expanded(as_json, ENVIRONMENT)) == taken
    for style in ("key: ${file:key}", "key: '${file:key}'", 'key: "${file:key}"'):
        assert yaml.safe_load(mounted_file(all_marked(f"{style}\n"), resolved(tmp_path, str), YAML)) == taken
    assert mounted_file(all_marked("key ${file:key}\n"), resolved(tmp_path, str), WORDS) == f"key {nasty}\n"


def test_a_secret_that_its_file_can_not_have_is_refused_and_not_told(tmp_path: Path) -> None:
    (tmp_path / "key").write_text('c4n4ry"')
    with pytest.raises(FabricError) as caught:
        mounted_file(all_marked('secret "${file:key}";'), resolved(tmp_path, str), braces(('"', "no source"), ("", "")))
    (problem,) = caught.value.problems
    assert (problem.code, problem.why) == ("secret-shape", "no source")
    assert "c4n4ry" not in f"{problem.what}{problem.fix}"


@pytest.mark.parametrize("value", ["", "a b", "a\nb", "ümlaut", "a\tb"])
def test_a_secret_is_one_word(tmp_path: Path, value: str) -> None:
    (tmp_path / "key").write_text(value)
    with pytest.raises(FabricError) as caught:
        mounted_file(all_marked("key ${file:key}\n"), resolved(tmp_path, str))
    assert [problem.code for problem in caught.value.problems] == ["secret-shape"]
