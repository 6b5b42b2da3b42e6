"""Compiled templates that are kept: the same text, never an old one, never one that somebody else could have put."""

import os
import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader
from jinja2.compiler import CodeGenerator

from fabricgen.render import compiled
from fabricgen.render.compiled import compiled_templates
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import environment

NAME = "words.j2"


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python keeps bytecode."""
    found = tmp_path / "bytecode"
    monkeypatch.setattr(sys, "pycache_prefix", str(found))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return found


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A folder of templates in the place of ours."""
    found = tmp_path / "templates"
    found.mkdir()
    (found / NAME).write_text("{{ 1 + given }} lines\n")
    return found


class Other(CodeGenerator):
    """Compiles as jinja2 does, from another file."""


class Reading(Environment):
    """Compiles by it."""

    code_generator_class = Other


def reading(ours: Path, *before: Path, kind: type[Environment] = Environment) -> Environment:
    found = kind(loader=FileSystemLoader([*before, ours]), autoescape=False, keep_trailing_newline=True)
    found.bytecode_cache = compiled_templates(found, ours)
    return found


def text(ours: Path, *before: Path) -> str:
    return reading(ours, *before).get_template(NAME).render(given=2)


def kept(base: Path) -> list[Path]:
    """Files of ours; modules that a test is the first to import lie there, too."""
    return sorted(path for path in base.rglob("*") if path.is_file() and path.suffix != ".pyc")


def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiles(*_: object, **__: object) -> None:
        pytest.fail("a template was compiled")

    monkeypatch.setattr(Environment, "compile", compiles)


def test_a_template_is_compiled_once(base: Path, ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert text(ours) == "3 lines\n"
    (file,) = kept(base)
    assert not file.parent.stat().st_mode & 0o077
    no_compiler(monkeypatch)
    assert text(ours) == "3 lines\n"


def test_a_template_that_changed_is_compiled_again(base: Path, ours: Path) -> None:
    text(ours)
    stamp = (ours / NAME).stat()
    (ours / NAME).write_text("{{ 4 + given }} lines\n")
    os.utime(ours / NAME, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert text(ours) == "6 lines\n"
    assert len(kept(base)) == 1


def test_what_another_generator_wrote_is_not_taken(base: Path, ours: Path) -> None:
    for kind in (Environment, Reading, Environment):
        reading(ours, kind=kind).get_template(NAME)
    one, other = kept(base)
    assert one.name == other.name
    other.write_bytes(one.read_bytes())
    text(ours)
    reading(ours, kind=Reading).get_template(NAME)
    assert one.read_bytes() != other.read_bytes()


def test_what_another_state_of_the_generator_wrote_is_not_taken(
    base: Path, ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "generator.py"
    monkeypatch.setattr(compiled, "getfile", lambda found: str(source))
    found = []
    for state in ("one", "two"):
        source.write_text(state)
        assert text(ours) == "3 lines\n"
        (file,) = kept(base)
        found.append(file.read_bytes())
    assert found[0] != found[1]
    source.unlink()
    assert reading(ours).bytecode_cache is None


@pytest.mark.parametrize("harm", [lambda code: b"", lambda code: code[:-1], lambda code: code[:-1] + b"\0"])
def test_a_file_that_is_not_whole_is_none(base: Path, ours: Path, harm: object) -> None:
    assert callable(harm)
    text(ours)
    (file,) = kept(base)
    whole = file.read_bytes()
    file.write_bytes(harm(whole))
    assert text(ours) == "3 lines\n"
    assert file.read_bytes() == whole


def test_a_users_own_templates_are_not_kept(base: Path, ours: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / NAME).write_text("mine\n")
    assert text(ours, own) == "mine\n"
    assert not kept(base)


def test_where_no_bytecode_is_to_be_written_nothing_is(base: Path, ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert text(ours) == "3 lines\n"
    assert not (base / "fabricgen").exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    text(ours)
    before = [file.read_bytes() for file in kept(base)]
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (ours / NAME).write_text("{{ given }} words\n")
    assert text(ours) == "2 words\n"
    assert [file.read_bytes() for file in kept(base)] == before


def test_a_folder_of_somebody_else_does_not_count(base: Path, ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text(ours)
    (file,) = kept(base)
    for folder in (file.parent, file.parent.parent):
        mode = folder.stat().st_mode
        folder.chmod(mode | 0o020)
        assert reading(ours).bytecode_cache is None, f"others write to {folder}"
        folder.chmod(mode)
    assert reading(ours).bytecode_cache is not None
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert reading(ours).bytecode_cache is None


def test_nothing_is_made_in_the_home_of_another(base: Path, ours: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert text(ours) == "3 lines\n"
    assert not (base / "fabricgen").exists()


def test_a_link_does_not_count(base: Path, ours: Path, tmp_path: Path) -> None:
    text(ours)
    folder = kept(base)[0].parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert reading(ours).bytecode_cache is None


def test_a_folder_that_can_not_be_made_or_written_to_is_no_error(base: Path, ours: Path) -> None:
    base.write_text("a file stands here\n")
    assert text(ours) == "3 lines\n"
    base.unlink()
    found = reading(ours)
    (folder,) = base.glob("fabricgen/*")
    folder.rmdir()
    assert found.get_template(NAME).render(given=2) == "3 lines\n"


@pytest.mark.parametrize(
    ("named", "below"), [("{home}/cache", "cache/fabricgen"), ("cache", ".cache/fabricgen"), ("", ".cache/fabricgen")]
)
def test_the_folder_is_that_of_the_xdg_text(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, below: str
) -> None:
    """XDG Base Directory Specification: $XDG_CACHE_HOME, ~/.cache where it is empty; a relative path is ignored."""
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", named.format(home=tmp_path))
    ours = tmp_path / "templates"
    ours.mkdir()
    (ours / NAME).write_text("{{ given }}\n")
    assert text(ours) == "2\n"
    assert len(kept(tmp_path / below)) == 1
    assert not base.exists()


def test_ours_are_kept(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a run of the program reads them; other tests share theirs in memory."""
    read = environment(None)
    read.bytecode_cache = compiled_templates(read, templates_folder())
    name = next(name for name in read.list_templates() if name.startswith("eos/") and name.endswith(".j2"))
    read.get_template(name)
    assert len(kept(base)) == 1
    again = environment(None)
    again.bytecode_cache = compiled_templates(again, templates_folder())
    no_compiler(monkeypatch)
    again.get_template(name)
