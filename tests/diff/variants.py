"""Plans of the demo inventory, with edits of its text, and what differs between them."""

import shutil
from pathlib import Path

from fabricgen.diff.difference import Options, compare
from fabricgen.diff.model import Difference
from fabricgen.diff.side import SiteState
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.site.workspace import open_workspace

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


def judged(old: Plan, new: Plan, templates: Path | None = None) -> Difference:
    """What differs, with the costs that ship."""
    left, right = (SiteState(name="a side", plan=plan, templates=templates) for plan in (old, new))
    return compare(left, right, Options(costs=lambda system: PLATFORMS[system].costs))
