"""Choose switches of the library for the answers: candidates are planned and checked, the leanest is taken."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from fabricgen.checks.catalogue import run_checks
from fabricgen.checks.lossless.marking import NIC_MARKINGS
from fabricgen.cli.init.model import RAIL_ONLY, DerivedChoices, InitAnswers, SwitchChoices
from fabricgen.cli.init.search import LAST_ONE, MODES, NO_MODEL, Search, not_lossless, planned
from fabricgen.cli.init.text import PORT_OPTIONS, Written, intent_text
from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.hardware.model import NicGroup, ServerModel
from fabricgen.intent.scalars import Name
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.platforms.base.platform import Platform
from fabricgen.platforms.base.release import is_at_least, is_of_train
from fabricgen.platforms.releases import newest
from fabricgen.platforms.spelling_keys import spelling_keys
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.render.tree import count_devices
from fabricgen.topologies.nics import choices

SERVERS_TRIED = 8
"""Servers of the site with which operating systems are tried before one is asked for."""
UNITS_PER_POD = (64, 32, 16, 8, 4, 2, 1)
"""Sizes of a pod that are tried, the largest first."""
BACKEND_NICS = ("compute",)
FRONTEND_NICS = ("frontend", "data")
"""NIC groups of the library's servers, by purpose; the first that a server has is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitResult:
    """The text of an intent that renders, the choices in it, and its number of switches."""

    text: str
    chosen: DerivedChoices
    switches: int


def plane_choices(model: str, hardware: Path | None) -> tuple[int, ...]:
    """Numbers of planes that the backend's NICs of a server can be divided into, its own first; empty where unknown."""
    catalog = load_catalog(hardware, spelling_keys)
    nics = catalog.servers[model].nics if model in catalog.servers else {}
    group = next((nics[name] for name in BACKEND_NICS if name in nics), None)
    return tuple(dict.fromkeys((group.planes, *choices(group)))) if group is not None else ()


def systems() -> tuple[str, ...]:
    """Operating systems that can be rendered, each with its newest release."""
    return tuple(map(newest, PLATFORMS))


def releases() -> tuple[str, ...]:
    """Operating systems that can be rendered, with all their releases, the newest first."""
    return tuple(
        f"{platform.name}-{version}" for platform in PLATFORMS.values() for version in reversed(platform.versions)
    )


def is_lossy(release: str) -> bool:
    """Whether a backend of this release cannot be lossless."""
    return bool(not_lossless(PLATFORMS[release.partition("-")[0]]))


def unable(answers: InitAnswers, tried: Iterable[str]) -> dict[str, str]:
    """Return each of these releases that cannot build the site → why. Only few servers are tried: sizes come later."""
    few = replace(answers, servers=min(answers.servers, SERVERS_TRIED), planned=0)
    refused: dict[str, str] = {}
    for release in tried:
        try:
            choose(replace(few, system=release))
        except FabricError as error:
            problem = error.problems[0]
            refused[release] = (
                problem.why.rpartition(LAST_ONE)[2] if problem.code == "init-nothing-fits" else problem.what
            )
    return refused


def choose(answers: InitAnswers) -> InitResult:
    """An intent for the answers, planned and checked. Raises FabricError where nothing in the library fits."""
    catalog = load_catalog(answers.hardware, spelling_keys)
    platform = _platform(answers.system)
    if answers.model not in catalog.servers:
        raise FabricError([_unknown("--model", answers.model, "server model", catalog.servers)])
    server = catalog.servers[answers.model]
    _site(answers.site)
    _switch(catalog, "--leaf", answers.leaf)
    _switch(catalog, "--spine", answers.spine)
    bare = DerivedChoices(
        backend=None,
        frontend=None,
        backend_nics=_nics(server, BACKEND_NICS, "backend") if answers.backend else "",
        frontend_nics=_nics(server, FRONTEND_NICS, "frontend") if answers.frontend else "",
        able=frozenset(
            feature
            for feature in (*PORT_OPTIONS, "esi-multihoming", "users", "access-ssh", "login-idle", "ttl-check")
            if supports(platform.name, feature)
        ),
        factory=tuple(account.name for account in platform.factory if account.is_configurable),
    )
    rails = len({port.rail for nics in server.nics.values() for port in nics.ports})
    facts = Written(server.gpus, rails)
    chosen = _chosen(_Given(answers, bare, facts, catalog, platform, server))
    text = intent_text(answers, chosen, facts)
    with planned(text, answers.hardware) as plan:
        problems = tuple(run_checks(plan))
        if problems:
            raise FabricError(problems)
        return InitResult(text=text, chosen=chosen, switches=count_devices(plan))


class _Given(NamedTuple):
    """Inputs of a choice."""

    answers: InitAnswers
    bare: DerivedChoices
    facts: Written
    catalog: Catalog
    platform: Platform
    server: ServerModel

    def search(self, answers: InitAnswers) -> Search:
        return Search(answers, self.bare, self.facts, self.catalog)


def _chosen(given: _Given) -> DerivedChoices:
    """Switches of both fabrics, with numbers reserved for the same servers in both."""
    answers, chosen = given.answers, given.bare
    if not answers.frontend:
        return chosen._replace(backend=_backend(given, answers))
    if not answers.backend:
        return chosen._replace(frontend=_frontend(given, answers))
    backend = _backend(given, answers)
    frontend = _frontend(given, answers)
    reserved = (backend.room.servers, frontend.room.servers)
    # Without spines the size of the unit limits the servers; otherwise the larger reservation is used.
    common = replace(answers, planned=max(reserved) if backend.spine else backend.room.servers)
    if backend.room.servers != common.planned:
        backend = _backend(given, common)
    if frontend.room.servers != common.planned:
        frontend = _frontend(given, common)
    return chosen._replace(backend=backend, frontend=frontend)


def _backend(given: _Given, answers: InitAnswers) -> SwitchChoices:
    nics = given.server.nics[given.bare.backend_nics]
    rounds = (_backends(given.platform, nics, tries) for tries in _stacks(given.catalog, answers))
    return given.search(answers).leanest("backend", *rounds)


def _frontend(given: _Given, answers: InitAnswers) -> SwitchChoices:
    """One model for both tiers, else any pair, else pods. The typed models are the backend's, if there is one."""
    models = _known(given.catalog, answers.system)
    leaf, spine = ("", "") if answers.backend else (answers.leaf, answers.spine)
    pairs = [SwitchChoices(*pair) for pair in product([leaf] if leaf else models, [spine] if spine else models)]
    same = [pair for pair in pairs if pair.leaf == pair.spine]
    other = [pair for pair in pairs if pair.leaf != pair.spine]
    return given.search(answers).leanest("frontend", same, other, _towers(same or other))


def _stacks(catalog: Catalog, answers: InitAnswers) -> tuple[list[SwitchChoices], ...]:
    """Candidates for a backend: one model for all tiers, then other spines above a typed leaf; then pods."""
    models, leaf, spine = _known(catalog, answers.system), answers.leaf, answers.spine
    leaves = [leaf] if leaf else list(models)
    if answers.design == RAIL_ONLY and not spine:
        return ([SwitchChoices(model, "") for model in leaves],)
    same = [SwitchChoices(model, spine or model) for model in leaves]
    other = [SwitchChoices(leaf, model) for model in models if model != leaf] if leaf and not spine else []
    return same, other, _towers((*same, *other))


def _towers(pairs: Iterable[SwitchChoices]) -> list[SwitchChoices]:
    """The pairs with superspines of the spine's model above, in pods from the largest down."""
    return [pair._replace(core=pair.spine, units_per_pod=units) for pair in pairs for units in UNITS_PER_POD]


def _backends(platform: Platform, nics: NicGroup, tries: Iterable[SwitchChoices]) -> Iterator[SwitchChoices]:
    """Variants of the candidates: lossless first, then best effort; the best load-balancing mode first."""
    markings: tuple[str, ...] = ()
    lossy = not_lossless(platform)
    if not lossy:
        nic_markings = NIC_MARKINGS.get(nics.vendor, ())
        markings = (*nic_markings, *(name for name in MARKING_BY_NAME if name not in nic_markings))
    for candidate in tries:
        for mode in MODES if candidate.spine else MODES[-1:]:
            yield from (candidate._replace(marking=marking, load_balancing=mode) for marking in markings)
        for mode in MODES if candidate.spine else MODES[-1:]:
            yield candidate._replace(load_balancing=mode, lossy=lossy or NO_MODEL)


def _known(catalog: Catalog, system: str) -> tuple[str, ...]:
    """Switches of the library that run a release."""
    name, _, version = system.partition("-")
    named = (switch for switch in catalog.switches.values() if name in switch.port_names)
    return tuple(
        one.model
        for one in named
        if is_at_least(version, one.first_release.get(name, "0"))
        and (name not in one.release_trains or is_of_train(version, one.release_trains[name]))
    )


def _platform(system: str) -> Platform:
    name, _, version = system.partition("-")
    platform = PLATFORMS.get(name)
    if platform is None or not (platform.covers(version) or platform.between(version)):
        raise FabricError([_unknown("--os", system, "release", releases())])
    return platform


def _site(name: str) -> None:
    try:
        TypeAdapter(Name).validate_python(name)
    except ValidationError:
        raise FabricError.of(
            code="bad-name",
            what=f"--site {name} is not a valid name",
            why="a name has at most 24 lower-case letters, digits and hyphens, and starts with a letter",
            fix="use another one, e.g. --site dc1",
        ) from None


def _switch(catalog: Catalog, option: str, model: str) -> None:
    if model and model not in catalog.switches:
        problem = _unknown(option, model, "switch model", catalog.switches)
        own = "A model of your own is a file in switches/ of --hardware, or of hardware/ beside the intent"
        raise FabricError([problem._replace(fix=f"{problem.fix}{'' if problem.fix.endswith('?') else '.'} {own}")])


def _nics(server: ServerModel, names: tuple[str, ...], fabric: str) -> str:
    group = next((name for name in names if name in server.nics), None)
    if group is None:
        raise FabricError.of(
            code="init-nics",
            what=f"{server.model} has no NICs for a {fabric}",
            why=f"it has {', '.join(server.nics)}; a {fabric} needs {' or '.join(names)}",
            fix="use another --model, or "
            + ("--design leaf-spine, which has no backend" if fabric == "backend" else "--no-frontend"),
        )
    return group


def _unknown(option: str, value: str, kind: str, names: Iterable[str]) -> Problem:
    return Problem(
        code="unknown-name",
        what=f"unknown {kind} {value}",
        why=f"it is the value of {option}",
        fix=did_you_mean(value, names),
    )
