"""A template without its lines is noticed by the judge of what is left out (test_left_out.py), section by section.

No list of ours says what a section prints: one pass over the switches finds a field that this section alone prints, and
the judge must complain of that field where a folder of the user's templates has the section as an empty file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer, environment
from tests.changes import walk
from tests.platform_cases import CASES
from tests.platforms import rich, test_left_out
from tests.platforms.test_left_out import Changes, Edits, bare, excused, is_left, is_rendered, kind, outcome, small
from tests.some import some

TRIES = 12
"""Fields of a section for which the judge is asked before it counts as silent."""
EDITS = 2
"""How often a field of one switch is changed to find the sections that print it."""
ENVIRONMENT = environment(None)


@cache
def switches(system: str) -> tuple[Device, ...]:
    """Switches that can be rendered, so that each role, release and section is there: few, the fullest first."""
    found: dict[object, Device] = {}
    for device in sorted(rich.fleet(system), key=lambda one: -len(repr(one))):
        if is_rendered(outcome(device)):
            found.setdefault((kind(device), frozenset(filled(device))), device)
    return tuple(found.values())


def filled(device: Device) -> Iterator[str]:
    """Sections of a switch that print something."""
    return (name for name, text in texts(device).items() if text.strip())


def texts(device: Device) -> dict[str, str]:
    """Section → what it prints for a switch."""
    platform = PLATFORMS[device.system]
    spell = platform.template_context(device)
    found: dict[str, str] = {}
    for artifact in platform.artifacts[device.role]:
        raw = tuple(lines for lines in device.raw if (lines.artifact or platform.main) == artifact.name)
        for name in artifact.sections:
            template = ENVIRONMENT.get_template(f"{platform.name}/{name}")
            found[name] = found.get(name, "") + template.render(device=device, context=spell, raw=raw)
    return found


@cache
def own_fields(system: str) -> Mapping[str, Mapping[tuple[str, str], Device]]:
    """Section → role and path of the fields that no other section prints → a switch that shows it."""
    printed: dict[tuple[str, str], set[str]] = {}
    where: dict[tuple[str, str], Device] = {}
    for device in switches(system):
        before = texts(device)
        turns: Counter[str] = Counter()
        for edit in walk.edits(device):
            path = ".".join(name for _, name in edit.path)
            turns[path] += 1
            seen = printed.setdefault((kind(device), path), set())
            # What two sections print is no section's own, whatever other switches show of it.
            if turns[path] <= EDITS and len(seen) < 2 and not skipped(device, edit):
                seen |= sections(edit.value, before)
                where.setdefault((kind(device), path), device)
    own: dict[str, dict[tuple[str, str], Device]] = {}
    for key, changed in printed.items():
        if len(changed) == 1:
            own.setdefault(next(iter(changed)), {})[key] = where[key]
    return own


def skipped(device: Device, edit: walk.Edit) -> bool:
    """Fields of which the judge expects nothing."""
    path = ".".join(name for _, name in edit.path)
    return is_left(device.system, ".".join(edit.field)) or excused(device.system, kind(device), bare(path))


def sections(device: Device, before: Mapping[str, str]) -> set[str]:
    """Sections that print something else than before; of a Device that cannot be rendered none."""
    try:
        after = texts(device)
    except Exception:  # noqa: BLE001 - whatever stops a render is not the word of one section
        return set()
    return {name for name, text in after.items() if text != before[name]}


class OneField(Changes):
    """The judge, asked for one field alone."""

    def __init__(self, system: str, role: str, path: str) -> None:
        super().__init__(system)
        self.key = role, path

    def _is_open(self, edits: Edits, role: str, path: str, *, also_excused: bool) -> bool:
        return (role, path) == self.key and super()._is_open(edits, role, path, also_excused=also_excused)


def complains(system: str, role: str, path: str) -> bool:
    """Whether the judge says that a field may be changed without anything of it in the files.

    Its large changes, which are there for rounding, are left out: they take most of its time.
    """
    changes = OneField(system, role, path)
    for device in switches(system):
        if kind(device) == role and (role, path) not in changes.seen:
            changes.look(device, small, also_excused=False)
    return (role, path) in changes.silent - changes.seen


def all_sections(system: str) -> set[str]:
    platform = PLATFORMS[system]
    return {name for files in platform.artifacts.values() for file in files for name in file.sections}


def candidates(system: str, name: str) -> list[tuple[str, str]]:
    """A few fields of a section, those of whole parts first."""
    return sorted(own_fields(system)[name], key=lambda key: (len(key[1]), key))[:TRIES]


@pytest.mark.parametrize("system", some(PLATFORMS, of=len(PLATFORMS)))
def test_a_blank_section_is_noticed(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = all_sections(system) - set(own_fields(system))
    for name in own_fields(system):
        (tmp_path / name / system).mkdir(parents=True)
        (tmp_path / name / system / name).touch()
        with monkeypatch.context() as own:
            own.setattr(test_left_out, "RENDERER", Renderer(tmp_path / name))
            silent |= set() if any(complains(system, *key) for key in candidates(system, name)) else {name}
    assert sorted(silent) == sorted(CASES[system].silent)


@pytest.mark.parametrize("system", some(PLATFORMS, of=len(PLATFORMS)))
def test_a_section_with_its_lines_is_no_complaint(system: str) -> None:
    """Else the complaints above, of the same systems, would say nothing. test_left_out.py asks it of every field."""
    keys = [candidates(system, name)[0] for name in own_fields(system)]
    assert [key for key in keys if complains(system, *key)] == []
