"""The folder of a user's cache: what lies in it is believed, so one that somebody else could write to is none."""

import os
import sys
from pathlib import Path

import pytest

from fabricgen.output.user_cache import cache_folder


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Python keeps bytecode."""
    found = tmp_path / "bytecode"
    monkeypatch.setattr(sys, "pycache_prefix", str(found))
    return found


def made() -> Path:
    found = cache_folder("words")
    assert found is not None
    return found


def test_a_folder_is_made_for_the_user_alone(base: Path) -> None:
    folder = made()
    assert folder == base / "fabricgen/words"
    assert not folder.stat().st_mode & 0o077
    assert made() == folder


def test_a_folder_of_somebody_else_does_not_count(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (made(), made().parent):
        mode = folder.stat().st_mode
        folder.chmod(mode | 0o020)
        assert cache_folder("words") is None, f"others write to {folder}"
        folder.chmod(mode)
    assert made()
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert cache_folder("words") is None


def test_nothing_is_made_in_the_home_of_another(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)
    assert cache_folder("words") is None
    assert not base.exists()


def test_a_link_does_not_count(base: Path, tmp_path: Path) -> None:
    folder = made()
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache_folder("words") is None


def test_a_folder_that_can_not_be_made_is_none(base: Path) -> None:
    base.write_text("a file stands here\n")
    assert cache_folder("words") is None


@pytest.mark.parametrize(
    ("named", "below"), [("{home}/cache", "cache/fabricgen"), ("cache", ".cache/fabricgen"), ("", ".cache/fabricgen")]
)
def test_the_folder_is_that_of_the_xdg_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, below: str
) -> None:
    """XDG Base Directory Specification: $XDG_CACHE_HOME, ~/.cache where it is empty; a relative path is ignored."""
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", named.format(home=tmp_path))
    assert made() == tmp_path / below / "words"
