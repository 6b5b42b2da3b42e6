"""What is unpacked of a revision: nothing that a commit holds is written or linked outside of its folder."""

import io
import os
import stat
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from fabricgen.baseline.unpack import NOWHERE, unpack
from fabricgen.errors import FabricError

Member = tuple[str, bytes, str]
"""Name, type as tarfile has it, and what a file holds or a link leads to."""
FILE, FOLDER, LINK = tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE


def _unpacked(tmp_path: Path, members: Iterable[Member]) -> Path:
    archive, into = tmp_path / "one.tar", tmp_path / "files"
    with tarfile.open(archive, "w") as made:
        for name, kind, words in members:
            member = tarfile.TarInfo(name)
            member.type = kind
            member.mode = 0o6755 if name.endswith(".sh") else 0o644
            if kind == FILE:
                member.size = len(words)
                made.addfile(member, io.BytesIO(words.encode()))
            else:
                member.linkname = words
                made.addfile(member)
    into.mkdir()
    unpack(archive, into)
    return into


def test_files_folders_and_links_inside(tmp_path: Path) -> None:
    into = _unpacked(
        tmp_path,
        [
            ("to", LINK, "a/b"),
            ("a", FOLDER, ""),
            ("a/b", FILE, "one"),
            ("c/d.sh", FILE, "two"),
            ("c/up", LINK, "../a"),
            ("c/none", LINK, "not-there"),
        ],
    )
    assert (into / "to").read_text() == (into / "c/up/b").read_text() == "one"
    assert (into / "to").readlink() == Path("a/b")
    assert (into / "c/none").readlink() == Path("not-there")
    found = (into / "c/d.sh").stat().st_mode
    assert found & stat.S_IXUSR
    assert not found & (stat.S_ISUID | stat.S_ISGID)
    assert not (into / "a/b").stat().st_mode & stat.S_IXUSR


@pytest.mark.parametrize(
    "links",
    [
        {"out": "/etc"},
        {"out": "../secret"},
        {"a/out": "../../secret"},
        {"out": "a/../../secret"},
        {"a/b/top": "../..", "out": "a/b/top/../secret"},
        {"out": "a/b/top/../secret", "a/b/top": "../.."},
        {"one": "two", "two": "../secret"},
    ],
    ids=str,
)
def test_no_link_leads_out(tmp_path: Path, links: dict[str, str]) -> None:
    """Also not by way of another: read as words, a/b/top/../secret is a/b/secret."""
    (tmp_path / "secret").mkdir()
    members = [("a/b/file", FILE, ""), *((name, LINK, target) for name, target in links.items())]
    into = _unpacked(tmp_path, members)
    for name in links:
        assert Path(os.path.realpath(into / name)).is_relative_to(into), name
    assert any((into / name).readlink() == Path(NOWHERE) for name in links)


@pytest.mark.parametrize(
    "members",
    [
        [("../made", FILE, "x")],
        [("a/../../made", FILE, "x")],
        [("/made", FILE, "x")],
        [("a//made", FILE, "x")],
        [(".", FOLDER, "")],
        [("made", tarfile.LNKTYPE, "../secret")],
        [("made", tarfile.FIFOTYPE, "")],
        [("made", tarfile.CHRTYPE, "")],
        [("made", tarfile.BLKTYPE, "")],
        [("link", LINK, ".."), ("link/made", FILE, "x")],
        [("link/made", FILE, "x"), ("link", LINK, "..")],
        [("made", FILE, "x"), ("made", FILE, "y")],
        [("file", FILE, "x"), ("file/made", FILE, "x")],
        [("file/made", FILE, "x"), ("file", FILE, "x")],
        [("file", FILE, "x"), ("file", FOLDER, "")],
    ],
    ids=str,
)
def test_what_is_no_file_below_the_folder_is_refused(tmp_path: Path, members: list[Member]) -> None:
    with pytest.raises(FabricError) as refused:
        _unpacked(tmp_path, members)
    assert refused.value.problems[0].code == "revision-strange-file"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["files", "one.tar"]
