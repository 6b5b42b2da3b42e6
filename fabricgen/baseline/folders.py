"""A folder or file as one side: a rendered tree, a folder with an intent in it, or the intent itself."""

from pathlib import Path

from fabricgen.baseline.intents import looks_like_intent, only_intent
from fabricgen.baseline.read import BaselineReader, Templates
from fabricgen.baseline.tree import is_tree, tree_side
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError

NAME_ONE = "use a folder that fabricgen render wrote, a folder with one intent in it, an intent, or a git revision"


def path_side(path: Path, intent: str, templates: Templates, reader: BaselineReader) -> SiteState:
    """Read what is at a path.

    intent  file name of the new side's intent: it is the one meant if a folder has several

    Raises FabricError if the path is none of the three.
    """
    if path.is_dir() and is_tree(path):
        return tree_side(path, intent, templates.now, reader)
    file = _intent_of(path, intent)
    if file is None:
        if path.is_dir():
            what = f"{path} is neither an output folder of render nor a folder with one intent"
            why = f"it has no .fabricgen/manifest.json, no {intent}, and no single intent of another name"
        else:
            what = f"{path} is not an intent"
            why = "it has no key fabricgen at its root, or cannot be read"
        branch = "" if path.is_absolute() else f"; to compare with a branch of this name, write refs/heads/{path}"
        fix = f"{NAME_ONE}{branch}"
        raise FabricError.of(code="against-nothing", what=what, why=why, fix=fix)
    return reader.side(reader.shown(path), file, templates)


def _intent_of(path: Path, intent: str) -> Path | None:
    if not path.is_dir():
        return path if looks_like_intent(path) else None
    if (path / intent).is_file():
        return path / intent
    name = only_intent(path)
    return path / name if name is not None else None
