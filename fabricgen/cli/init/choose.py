"""Answers to switches of the library that fit them: each that could be is planned and checked, the leanest is taken."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from fabricgen.checks.catalogue import run_checks
from fabricgen.checks.lossless.marking import NIC_MARKINGS
from fabricgen.cli.init.model import RAIL_ONLY, DerivedChoices, InitAnswers, SwitchChoices
from fabricgen.cli.init.search import MODES, Search, planned
from fabricgen.cli.init.text import PORT_OPTIONS, Written, intent_text
from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.hardware.model import NicGroup, ServerModel
from fabricgen.intent.scalars import Name
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Platform
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.render.tree import count_devices

LOSSLESS = ("pfc", "ecn", "headroom")
UNITS_PER_POD = (64, 32, 16, 8, 4, 2, 1)
"""Sizes of a pod that are tried, the largest that its spines take first."""
BACKEND_NICS = ("compute",)
FRONTEND_NICS = ("frontend", "data")
"""NIC groups of the library's servers, by what they are for, the first that a server has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitResult:
    """The text of an intent that renders, what was chosen for it, and how many switches it has."""

    text: str
    chosen: DerivedChoices
    switches: int


def systems() -> tuple[str, ...]:
    """Operating systems that can be rendered, each with its newest release."""
    return tuple(f"{platform.name}-{platform.versions[-1]}" for platform in PLATFORMS.values())


def releases() -> tuple[str, ...]:
    """Operating systems that can be rendered, with each of their releases, the newest first."""
    return tuple(
        f"{platform.name}-{version}" for platform in PLATFORMS.values() for version in reversed(platform.versions)
    )


def choose(answers: InitAnswers) -> InitResult:
    """An intent for the answers, planned and checked. Raises FabricError where nothing of the library fits them."""
    catalog = load_catalog(None)
    platform = _platform(answers.system)
    if answers.model not in catalog.servers:
        raise FabricError([_unknown("--model", answers.model, "server of the library", catalog.servers)])
    server = catalog.servers[answers.model]
    _site(answers.site)
    _switch(catalog, "--leaf", answers.leaf)
    _switch(catalog, "--spine", answers.spine)
    bare = DerivedChoices(
        backend=None,
        frontend=None,
        backend_nics=_nics(server, BACKEND_NICS, "backend") if answers.backend else "",
        frontend_nics=_nics(server, FRONTEND_NICS, "frontend") if answers.frontend else "",
        able=frozenset(feature for feature in (*PORT_OPTIONS, "esi-multihoming", "users") if _can(platform, feature)),
        factory=tuple(account.name for account in platform.factory if account.is_told),
    )
    rails = len({port.rail for nics in server.nics.values() for port in nics.ports})
    facts = Written(server.gpus, rails)
    chosen = _chosen(_Given(answers, bare, facts, catalog, platform, server))
    text = intent_text(answers, chosen, facts)
    with planned(text) as plan:
        problems = tuple(run_checks(plan))
        if problems:
            raise FabricError(problems)
        return InitResult(text=text, chosen=chosen, switches=count_devices(plan))


class _Given(NamedTuple):
    """What a choice is made from."""

    answers: InitAnswers
    bare: DerivedChoices
    facts: Written
    catalog: Catalog
    platform: Platform
    server: ServerModel

    def search(self, answers: InitAnswers) -> Search:
        return Search(answers, self.bare, self.facts, self.catalog)


def _chosen(given: _Given) -> DerivedChoices:
    """Switches of both fabrics, with numbers for as many servers in both: they are the same ones."""
    answers, chosen = given.answers, given.bare
    if not answers.frontend:
        return chosen._replace(backend=_backend(given, answers))
    if not answers.backend:
        return chosen._replace(frontend=_frontend(given, answers))
    backend = _backend(given, answers)
    frontend = _frontend(given, answers)
    wanted = (backend.room.servers, frontend.room.servers)
    # A unit of leaves alone is full at some number of servers; elsewhere the larger unit decides.
    common = replace(answers, planned=backend.room.servers if answers.design == RAIL_ONLY else max(wanted))
    if backend.room.servers != common.planned:
        backend = _backend(given, common)
    if frontend.room.servers != common.planned:
        frontend = _frontend(given, common)
    return chosen._replace(backend=backend, frontend=frontend)


def _backend(given: _Given, answers: InitAnswers) -> SwitchChoices:
    nics = given.server.nics[given.bare.backend_nics]
    rounds = (_backends(given.platform, nics, tries) for tries in _stacks(given.catalog, given.platform, answers))
    return given.search(answers).leanest("backend", *rounds)


def _frontend(given: _Given, answers: InitAnswers) -> SwitchChoices:
    """One model for both tiers, else any pair, else pods. What is asked for is the backend's, where there is one."""
    known = _known(given.catalog, given.platform)
    leaf, spine = ("", "") if answers.backend else (answers.leaf, answers.spine)
    pairs = [SwitchChoices(*pair) for pair in product([leaf] if leaf else known, [spine] if spine else known)]
    same = [pair for pair in pairs if pair.leaf == pair.spine]
    other = [pair for pair in pairs if pair.leaf != pair.spine]
    return given.search(answers).leanest("frontend", same, other, _towers(same or other))


def _stacks(catalog: Catalog, platform: Platform, answers: InitAnswers) -> tuple[list[SwitchChoices], ...]:
    """Switches of a backend: one model for all tiers, then other spines above a leaf that was asked for; then pods."""
    known, leaf, spine = _known(catalog, platform), answers.leaf, answers.spine
    leaves = [leaf] if leaf else list(known)
    if answers.design == RAIL_ONLY:
        return ([SwitchChoices(one, "") for one in leaves],)
    same = [SwitchChoices(one, spine or one) for one in leaves]
    other = [SwitchChoices(leaf, one) for one in known if one != leaf] if leaf and not spine else []
    return same, other, _towers((*same, *other))


def _towers(pairs: Iterable[SwitchChoices]) -> list[SwitchChoices]:
    """The same with superspines of the spines' model above, in pods from the largest down."""
    return [pair._replace(core=pair.spine, units_per_pod=units) for pair in pairs for units in UNITS_PER_POD]


def _backends(platform: Platform, nics: NicGroup, tries: Iterable[SwitchChoices]) -> Iterator[SwitchChoices]:
    """What a backend of these may be: lossless first, best effort where nothing else holds; the best mode first."""
    markings: tuple[str, ...] = ()
    if all(_may(platform, feature) for feature in LOSSLESS):
        own = NIC_MARKINGS.get(nics.vendor, ())
        markings = (*own, *(name for name in MARKING_BY_NAME if name not in own))
    for one in tries:
        for mode in MODES if one.spine else MODES[-1:]:
            yield from (one._replace(marking=marking, load_balancing=mode) for marking in markings)
        for mode in MODES if one.spine else MODES[-1:]:
            yield one._replace(load_balancing=mode)


def _known(catalog: Catalog, platform: Platform) -> tuple[str, ...]:
    """Switches of the library that the operating system has port names for."""
    return tuple(name for name, switch in catalog.switches.items() if platform.name in switch.port_names)


def _platform(system: str) -> Platform:
    name, _, version = system.partition("-")
    platform = PLATFORMS.get(name)
    if platform is None or not platform.covers(version):
        raise FabricError([_unknown("--os", system, "release that can be rendered", releases())])
    return platform


def _site(name: str) -> None:
    try:
        TypeAdapter(Name).validate_python(name)
    except ValidationError:
        raise FabricError(
            [
                Problem(
                    code="bad-name",
                    what=f"--site {name} is not a valid name",
                    why="a name has at most 24 lower-case letters, digits and hyphens, and starts with a letter",
                    fix="use another one, e.g. --site dc1",
                )
            ]
        ) from None


def _switch(catalog: Catalog, option: str, model: str) -> None:
    if model and model not in catalog.switches:
        raise FabricError([_unknown(option, model, "switch of the library", catalog.switches)])


def _nics(server: ServerModel, names: tuple[str, ...], fabric: str) -> str:
    found = next((name for name in names if name in server.nics), None)
    if found is None:
        problem = Problem(
            code="init-nics",
            what=f"{server.model} has no NICs for a {fabric}",
            why=f"it has {', '.join(server.nics)}; a {fabric} needs {' or '.join(names)}",
            fix="use another --model, or "
            + ("--design leaf-spine, which has no backend" if fabric == "backend" else "--no-frontend"),
        )
        raise FabricError([problem])
    return found


def _unknown(option: str, given: str, what: str, known: Iterable[str]) -> Problem:
    return Problem(
        code="unknown-name",
        what=f"unknown {what} {given}",
        why=f"it is the value of {option}",
        fix=did_you_mean(given, known),
    )


def _can(platform: Platform, feature: str) -> bool:
    found = platform.can(feature)
    return found is not None and not found.refusal


def _may(platform: Platform, feature: str) -> bool:
    """Whether it can on some models at least: each choice is checked whole."""
    found = platform.can(feature)
    return found is not None and (not found.refusal or bool(found.vouched))
