"""An other side that is no YAML at all, or no text: said with its place, and never an error of ours."""

from pathlib import Path

import pytest

from fabricgen.baseline.open import open_side
from tests.baseline.conftest import Git

BROKEN = {
    "a bracket left open": b"fabricgen: 1\nsite: [dc1\n",
    "a key twice": b"fabricgen: 1\nsite: dc1\nsite: dc2\n",
    "no UTF-8": b"fabricgen: 1\nsite: \xff\xfe\n",
    "nothing": b"",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_revision_that_is_no_yaml_is_unreadable_and_says_where(
    repo: Path, site: Path, git: Git, content: bytes
) -> None:
    text = site.read_bytes()
    site.write_bytes(content)
    git(repo, "commit", "--quiet", "--all", "--message=broken")
    site.write_bytes(text)
    with open_side("HEAD", site, None) as side:
        assert side.plan is None
        assert "HEAD:inventories/dc1/intent.yaml" in side.fault


@pytest.mark.parametrize("content", [content for content in BROKEN.values() if content])
def test_so_is_a_file(site: Path, tmp_path: Path, content: bytes) -> None:
    other = tmp_path / "other" / site.name
    other.parent.mkdir()
    other.write_bytes(content)
    with open_side(str(other), site, None) as side:
        assert side.plan is None
        assert str(other) in side.fault
