"""Input keys: what a switch's files are a function of, as one digest a switch. Equal keys mean equal files.

A render trusts them: what has its key still is neither resolved nor rendered. So they know too much rather than too
little; `tests/stability/test_keys_of_edits.py` holds them against whole renders after random edits.
"""

import sys
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.render.folder import templates_folder
from fabricgen.render.reach import ExceptionReach
from fabricgen.resolve.device import raw_lines
from fabricgen.resolve.variants import multihomed


@cache
def release_digest() -> str:
    """Digest of this release's own sources and hardware files. Read once: what a process has imported stays."""
    return _folder_digest(Path(__file__).parent.parent, ("*.py", "*.yaml"))


def templates_digest(system: str, user_templates: Path | None) -> str:
    """Digest of one platform's templates, and of all of the user's: they may include one another."""
    folders = [templates_folder() / system]
    if user_templates is not None:
        folders.append(user_templates)
    return "".join(_folder_digest(folder, ("*.j2",)) for folder in folders)


def made_by(user_templates: Path | None) -> str:
    """What a tree was made by, for its manifest: digest of the release's sources, a colon, digest of all templates.

    The user's come behind ours. Equal ones mean that one Device has the same files in both trees.
    """
    folders = [templates_folder(), *([user_templates] if user_templates is not None else [])]
    digests = "".join(_folder_digest(folder, ("*.j2",)) for folder in folders)
    return f"{release_digest()}:{sha256(digests.encode()).hexdigest()}"


def _folder_digest(folder: Path, patterns: tuple[str, ...]) -> str:
    digest = sha256()
    for path in sorted(found for pattern in patterns for found in folder.rglob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def fabric_digest(plan: Plan, fabric: FabricPlan) -> str:
    """Digest of what the switches of a fabric share: the intent without exceptions, lock lines, hardware.

    Of exceptions that one which says something of switches that it does not name: Ethernet segments of other leaves.
    """
    intent = plan.intent
    parts: list[str] = [intent.site, _json(intent.management), _json(intent.cables), _json(fabric.fabric)]
    parts += [f"{name} {_json(group)}" for name, group in sorted(intent.servers.items())]
    if plan.tenants.get(fabric.name) is not None:
        parts += [f"{name} {_json(tenant)}" for name, tenant in sorted(intent.tenants.items())]
    parts += [repr(segment) for segment in plan.lock.segments if segment.fabric == fabric.name]
    parts += [repr(found) for found in plan.lock.ids if found.fabric == fabric.name]
    # Chassis and media are the hardware files as they were read, the user's own too.
    parts += [repr(fabric.shape), _json(plan.catalog.media), str(multihomed(fabric))]
    return _digest(parts)


def _engine() -> str:
    """Release of jinja2, by the folder that its installer has left beside it: to ask for it otherwise takes 30 ms."""
    found = find_spec("jinja2")
    beside = Path(found.origin).parents[1] if found is not None and found.origin else Path()
    return " ".join(sorted(path.name for path in beside.glob("[jJ]inja2-*.dist-info")))


def _json(model: BaseModel) -> str:
    return model.model_dump_json()


class InputKeys(NamedTuple):
    """Input keys of one switch: of its files, of all that a look at it can show, of its lines of the cabling plan."""

    files: str
    look: str
    lines: str


class Keys:
    """Input keys of the switches of a plan."""

    def __init__(self, plan: Plan, user_templates: Path | None = None) -> None:
        self._plan, self._user_templates = plan, user_templates
        self._made_by = f"{release_digest()} {sys.version_info[:3]} {_engine()}"
        self._shared: dict[tuple[str, str], str] = {}
        self._reach: dict[str, ExceptionReach] = {}

    def of(self, fabric: FabricPlan, place: Place) -> InputKeys:
        """Keys of one switch."""
        name, system = name_of(fabric, place), chassis_of(fabric, place).system.partition("-")[0]
        if fabric.name not in self._reach:
            self._reach[fabric.name] = ExceptionReach(fabric)
        reach = self._reach[fabric.name]
        found = self._shared.get((fabric.name, system))
        if found is None:
            parts = (self._made_by, templates_digest(system, self._user_templates), fabric_digest(self._plan, fabric))
            found = self._shared[fabric.name, system] = _digest(parts)
        plain = _digest((found, str(place)))
        raw = (str(lines) for lines in raw_lines(self._plan.intent.raw, place, name, system))
        files = _with(plain, (*sorted(reach.files(place)), *raw))
        return InputKeys(files, _with(files, sorted(reach.looks(place))), _with(plain, sorted(reach.lines(place))))


def _with(key: str, own: Sequence[str]) -> str:
    """The key of what has something of its own besides; the same key where it has nothing."""
    return _digest((key, *own)) if own else key


def _digest(parts: Sequence[str]) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()
