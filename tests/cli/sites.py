"""Copies of the demo to work on: nothing is ever written beside the inventories of the project."""

import re
from pathlib import Path

DEMO = Path(__file__).parents[2] / "inventories/demo/intent.yaml"

Tree = dict[str, bytes]


def edit(intent: Path, old: str, new: str, count: int = 1) -> None:
    """Replace a piece of an intent's text, which must be there so many times."""
    text = intent.read_text()
    assert text.count(old) == count, f"{old!r} stands {text.count(old)} times in {intent}"
    intent.write_text(text.replace(old, new))


def backend_only(intent: Path) -> None:
    """Leave the backend alone: fewer switches, so that many renders take little time."""
    text = re.sub(r"(?ms)^  frontend:\n.*?(?=^tenants:)", "", intent.read_text())
    text = re.sub(r"(?ms)^tenants:\n.*", "", text)
    intent.write_text(re.sub(r"(?m)^  store:.*\n", "", text))


def tree(folder: Path) -> Tree:
    """Every file below a folder, fabricgen's own included but for the empty file that it locks."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        name: path.read_bytes() for path in files if (name := path.relative_to(folder).as_posix()) != ".fabricgen/lock"
    }


def rendered(folder: Path) -> Tree:
    """Every file below a folder that is not fabricgen's own."""
    return {name: content for name, content in tree(folder).items() if not name.startswith(".fabricgen/")}


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of change of every file."""
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_ino, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }
