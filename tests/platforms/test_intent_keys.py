"""Each key of an intent changes a file of every system, or a verb names it: an intent says nothing in vain.

The Devices of test_left_out.py begin behind the resolver; this begins at what a user types.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel

from fabricgen.checks.catalogue import examine_plan
from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.checks.support.left_to_system import left_to_system
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import Backend, Frontend, RailOnly, Tor
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from tests.pairs import sites
from tests.platforms.finished import finished_once
from tests.platforms.intent_keys import ELSEWHERE, KEYS, NAMED, OF_HOSTS, OFF, Key, site
from tests.some import LONG

RENDERER = Renderer()
KEPT = 64
"""So many files are kept, by the sections that they were made of."""
REFUSALS = {"platform-cannot", "platform-part", "platform-limit"}


@pytest.fixture(scope="module", autouse=True)
def _finished_once() -> Iterator[None]:
    """Sections that are the same become the same file: most changes leave most switches as they are."""
    with finished_once(KEPT):
        yield


class Said(NamedTuple):
    """What verbs make of an intent.

    problems  refusals and warnings; refused: whether one stops it
    left      features that are left to the system by name
    files     path → text, of one switch of each kind
    """

    problems: tuple[Problem, ...]
    is_refused: bool
    left: frozenset[str]
    files: Mapping[str, str]

    def names(self, key: Key) -> bool:
        """Whether a problem is at the key, above or below it, or its feature is left by name."""
        path = tuple(key.path.split("."))
        at = [tuple(map(str, problem.where)) for problem in self.problems]
        is_near = any(where[: len(path)] == path or (len(where) > 1 and path[: len(where)] == where) for where in at)
        return is_near or not self.left.isdisjoint(key.features.split())


def said(value: dict[str, Any]) -> Said:
    """What validate, plan and render say of an intent."""
    try:
        intent = Intent.model_validate(value)
        plan = make_plan(intent, sites.catalog(), make_shapes(intent, sites.catalog()), Lock(), Exceptions())
    except FabricError as refused:
        return Said(refused.problems, is_refused=True, left=frozenset(), files={})
    found = examine_plan(plan)
    if found.problems:
        return Said(found.problems, is_refused=True, left=frozenset(), files={})
    return _rendered(found.notes, found.kinds)


def _rendered(notes: tuple[Problem, ...], kinds: tuple[FeatureUse, ...]) -> Said:
    told = tuple(problem for kind in kinds for problem in PLATFORMS[kind.device.system].limits(kind.device))
    left = frozenset(row.feature for row in left_to_system(kinds))
    if told:
        return Said(told, is_refused=True, left=left, files={})
    return Said(
        notes, is_refused=False, left=left, files={f.path: f.text for k in kinds for f in RENDERER.render(k.device)}
    )


@cache
def _known() -> dict[str, Said]:
    return {}


def _before(name: str, key: Key) -> Said:
    """Many keys have the same site before them."""
    value = site(name, key, is_changed=False)
    if repr(value) not in _known():
        _known()[repr(value)] = said(value)
    return _known()[repr(value)]


class Answer(NamedTuple):
    """What becomes of a change of a key on a system.

    is_silent  no file changes, and no verb names it
    is_seen    a file changes
    """

    is_silent: bool
    is_seen: bool


@cache
def answer(name: str, key: int) -> Answer:
    """What becomes of a key, by its position in KEYS."""
    return _answer(name, KEYS[key])


FEW = 5
"""One key in so many is for every run, on each system others."""


def turns(name: str, stride: int) -> list[int]:
    """Positions in KEYS of those that a system tries. What is excused is always tried."""
    turn = list(sites.SITES).index(name) % stride
    paths = {path for system, path in OFF if system == name}
    return [at for at, key in enumerate(KEYS) if at % stride == turn or key.path in paths]


def tried(name: str, stride: int) -> list[tuple[Key, Answer]]:
    return [(KEYS[at], answer(name, at)) for at in turns(name, stride)]


def _answer(name: str, key: Key) -> Answer:
    before = _before(name, key)
    if before.is_refused:
        assert {problem.code for problem in before.problems} <= REFUSALS, before.problems
        return Answer(is_silent=False, is_seen=False)
    after = said(site(name, key, is_changed=True))
    is_same = after.files == before.files
    return Answer(not after.is_refused and is_same and not after.names(key), bool(after.files) and not is_same)


def silent(name: str, stride: int) -> list[tuple[str, object]]:
    return [(key.path, key.value) for key, answer in tried(name, stride) if answer.is_silent]


SOME = pytest.mark.parametrize("stride", [FEW, pytest.param(1, marks=LONG)], ids=["some keys", "all keys"])


@SOME
@pytest.mark.parametrize("name", sites.SITES)
def test_no_key_is_silent(name: str, stride: int) -> None:
    assert [row for row in silent(name, stride) if row[0] not in OF_HOSTS and (name, row[0]) not in OFF] == []


def test_every_key_is_tried_on_some_system_in_every_run() -> None:
    assert {at for name in sites.SITES for at in turns(name, FEW)} == set(range(len(KEYS)))


@pytest.mark.parametrize("name", sites.SITES)
def test_every_excuse_is_needed(name: str) -> None:
    found = {path for path, _ in silent(name, FEW)}
    assert sorted(path for system, path in OFF if system == name and path not in found) == []


@LONG
def test_every_key_changes_a_file_of_some_system() -> None:
    """Else its case changes nothing anywhere, and shows nothing."""
    seen = {key.path for name in sites.SITES for key, one in tried(name, 1) if one.is_seen}
    assert sorted({key.path for key in KEYS} - seen) == sorted({*OF_HOSTS, *NAMED})


NAMES = {"0": "*", "research": "*", "storage": "*", "reader": "*"}
"""Names and positions of this site → what stands for any."""


def _leaves(model: type[BaseModel], path: str = "") -> Iterator[str]:
    """Keys of a model that have a value, by their path; `*` for each name or position."""
    for name, field in model.model_fields.items():
        here = f"{path}{name}"
        below = () if _excuses(here) else tuple(_models(field.annotation))
        if not below:
            yield here
        for one in below:
            yield from _leaves(one, f"{here}.{_any(field.annotation, one)}")


def _excuses(path: str) -> bool:
    return path in ELSEWHERE or path.rpartition(".")[2] in ELSEWHERE


def _models(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401  # whatever pydantic holds
    """Models in a type; of topologies one for each kind of fabric, as the others have the same keys."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from () if annotation in (Tor, RailOnly) else (annotation,)
    for part in get_args(annotation):
        yield from _models(part)


def _any(annotation: Any, model: type[BaseModel]) -> str:  # noqa: ANN401  # as above
    """What stands between a key and those of its model: a name, a position, or nothing."""
    if model in (Backend, Frontend):
        return f"{model.__name__.lower()}."
    return "*." if {get_origin(one) for one in (annotation, *get_args(annotation))} & {dict, tuple} else ""


def test_every_key_of_the_schema_is_tried_or_tried_elsewhere() -> None:
    paths = (key.path.replace("networks.hosts", "networks.*") for key in KEYS)
    tried = {".".join(NAMES.get(part, part) for part in path.split(".")) for path in paths}
    leaves = set(_leaves(Intent))
    excused = {leaf for leaf in leaves if _excuses(leaf)}
    reached = {leaf for leaf in leaves if any(f"{leaf}.".startswith(f"{one}.") for one in tried)}
    assert sorted(leaves - reached - excused) == []
    assert sorted(set(ELSEWHERE) - {part for leaf in excused for part in (leaf, leaf.rpartition(".")[2])}) == []
