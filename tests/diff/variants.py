"""Plans of the demo inventory, with edits of its text."""

import shutil
from pathlib import Path

from fabricgen.plan.plan import Plan
from fabricgen.workspace import open_workspace

DEMO = Path(__file__).parent.parent.parent / "inventories" / "demo"


def plan_of(folder: Path, *edits: tuple[str, str], more: str = "") -> Plan:
    """Plan of the demo intent in a new folder, texts replaced and lines added; the lock comes along."""
    folder.mkdir(parents=True)
    text = (DEMO / "intent.yaml").read_text()
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the demo intent"
        text = text.replace(old, new)
    (folder / "intent.yaml").write_text(text + more)
    shutil.copy(DEMO / "fabricgen.lock", folder)
    return open_workspace(folder / "intent.yaml").plan
