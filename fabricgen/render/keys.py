"""Input keys: one digest per switch of all inputs of its files. Equal keys mean equal files.

A render trusts them: a switch with an unchanged key is neither resolved nor rendered. So a key covers too much rather
than too little; `tests/stability/test_keys_of_edits.py` compares them with whole renders after random edits.
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
    """Digest of this release's own sources and hardware files. Cached: imported code stays the same."""
    return folder_digest(Path(__file__).parent.parent, ("*.py", "*.yaml"))


def templates_digest(system: str, user_templates: Path | None) -> str:
    """Digest of one platform's templates, and of all of the user's, as these may include one another."""
    folders = [templates_folder() / system]
    if user_templates is not None:
        folders.append(user_templates)
    return "".join(folder_digest(folder, ("*.j2",)) for folder in folders)


def made_by(user_templates: Path | None) -> str:
    """Origin of a tree, for its manifest: digest of the release's sources, a colon, digest of all templates.

    The user's templates come after ours. Equal values mean that one Device has the same files in both trees.
    """
    folders = [templates_folder(), *([user_templates] if user_templates is not None else [])]
    digests = "".join(folder_digest(folder, ("*.j2",)) for folder in folders)
    return f"{release_digest()}:{sha256(digests.encode()).hexdigest()}"


def folder_digest(folder: Path, patterns: tuple[str, ...]) -> str:
    """Digest of the names and octets of all files below a folder that match one of the patterns."""
    digest = sha256()
    for path in sorted(file for pattern in patterns for file in folder.rglob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def fabric_digest(plan: Plan, fabric: FabricPlan) -> str:
    """Digest of the inputs that the switches of a fabric share: the intent without exceptions, lock lines, hardware.

    Only one exception is included, as it affects switches that it does not name: Ethernet segments of other leaves.
    """
    intent = plan.intent
    parts: list[str] = [intent.site, _json(intent.management), _json(intent.cables), _json(fabric.fabric)]
    parts += [f"{name} {_json(group)}" for name, group in sorted(intent.servers.items())]
    if plan.tenants.get(fabric.name) is not None:
        parts += [f"{name} {_json(tenant)}" for name, tenant in sorted(intent.tenants.items())]
    parts += [repr(segment) for segment in plan.lock.segments if segment.fabric == fabric.name]
    parts += [repr(lock_id) for lock_id in plan.lock.ids if lock_id.fabric == fabric.name]
    # Chassis and media are the hardware files as they were read, including the user's own.
    parts += [repr(fabric.shape), _json(plan.catalog.media), str(multihomed(fabric))]
    return _digest(parts)


def _engine() -> str:
    """Release of jinja2, by the name of its .dist-info folder: other ways to find it take 30 ms."""
    spec = find_spec("jinja2")
    site_packages = Path(spec.origin).parents[1] if spec is not None and spec.origin else Path()
    return " ".join(sorted(path.name for path in site_packages.glob("[jJ]inja2-*.dist-info")))


def _json(model: BaseModel) -> str:
    return model.model_dump_json()


class InputKeys(NamedTuple):
    """Input keys of one switch: of its files, of the result of its checks, of its lines of the cabling plan."""

    files: str
    checks: str
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
        shared = self._shared.get((fabric.name, system))
        if shared is None:
            parts = (self._made_by, templates_digest(system, self._user_templates), fabric_digest(self._plan, fabric))
            shared = self._shared[fabric.name, system] = _digest(parts)
        plain = _digest((shared, str(place)))
        raw_texts = (str(lines) for lines in raw_lines(self._plan.intent.raw, place, name, system))
        files = _with(plain, (*sorted(reach.files(place)), *raw_texts))
        return InputKeys(files, _with(files, sorted(reach.of_checks(place))), _with(plain, sorted(reach.lines(place))))


def _with(key: str, texts: Sequence[str]) -> str:
    """The key extended by a switch's own texts; unchanged if there are none."""
    return _digest((key, *texts)) if texts else key


def _digest(parts: Sequence[str]) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()
