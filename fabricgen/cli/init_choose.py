"""Answers to switches of the library that fit them: each that could be is planned and checked, the leanest is taken."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from fabricgen.checks.catalogue import run_checks, run_plan_checks
from fabricgen.checks.marking import NIC_MARKINGS
from fabricgen.cli.init_model import RAIL_ONLY, Answers, Chosen, Switches
from fabricgen.cli.init_text import PORT_OPTIONS, Written, intent_text
from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.hardware.model import NicGroup, Server
from fabricgen.intent.fabric import FabricBase
from fabricgen.intent.scalars import Name
from fabricgen.plan.fabric import chassis_of, places
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.platform import Platform
from fabricgen.policy.marking import MARKING_BY_NAME
from fabricgen.render.tree import count_devices
from fabricgen.workspace import open_workspace

LOSSLESS = ("pfc", "ecn", "headroom")
FLOWLET = "dlb-flowlet"
MTU = FabricBase.model_fields["mtu"].default
"""Octets of a fabric's packets that nobody chose."""
BACKEND_NICS = ("compute",)
FRONTEND_NICS = ("frontend", "data")
"""NIC groups of the library's servers, by what they are for, the first that a server has."""


class _Tried(NamedTuple):
    """A choice that holds: whether packets may be lost, how many switches it takes, the terabits of all their chips."""

    lossy: bool
    chips: int
    terabits: float
    switches: Switches


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The text of an intent that renders, what was chosen for it, and how many switches it has."""

    text: str
    chosen: Chosen
    switches: int


def systems() -> tuple[str, ...]:
    """Operating systems that can be rendered, each with its newest release."""
    return tuple(f"{platform.name}-{platform.versions[-1]}" for platform in PLATFORMS.values())


def choose(answers: Answers) -> Choice:
    """An intent for the answers, planned and checked. Raises FabricError where nothing of the library fits them."""
    catalog = load_catalog(None)
    platform = _platform(answers.system)
    server = _server(catalog, answers.model)
    _site(answers.site)
    _switch(catalog, "--leaf", answers.leaf)
    _switch(catalog, "--spine", answers.spine)
    chosen = Chosen(
        backend=None,
        frontend=None,
        backend_nics=_nics(server, BACKEND_NICS, "backend") if answers.backend else "",
        frontend_nics=_nics(server, FRONTEND_NICS, "frontend") if answers.frontend else "",
        able=frozenset(feature for feature in (*PORT_OPTIONS, "esi-multihoming") if _can(platform, feature)),
    )
    rails = len({port.rail for nics in server.nics.values() for port in nics.ports})
    search = _Search(answers, chosen, Written(server.gpus, rails), catalog)
    if answers.backend:
        nics = server.nics[chosen.backend_nics]
        rounds = (_backends(catalog, platform, nics, pairs) for pairs in _pairs(catalog, platform, answers))
        chosen = chosen._replace(backend=search.leanest("backend", *rounds))
    if answers.frontend:
        chosen = chosen._replace(frontend=search.leanest("frontend", *_frontends(catalog, platform, answers)))
    text = intent_text(answers, chosen, search.facts)
    with _planned(text) as plan:
        problems = tuple(run_checks(plan))
        if problems:
            raise FabricError(problems)
        return Choice(text=text, chosen=chosen, switches=count_devices(plan))


class _Search:
    """What was asked for, and what is known of it."""

    def __init__(self, answers: Answers, chosen: Chosen, facts: Written, catalog: Catalog) -> None:
        self.facts = facts
        self._answers, self._chosen, self._catalog = answers, chosen, catalog

    def leanest(self, fabric: str, *rounds: Iterable[Switches]) -> Switches:
        """The choice that needs the fewest switches, then the least switching capacity, of the first round with any.

        Lossless ones go before all others.

        Raises FabricError where there is none.
        """
        faults: list[Problem] = []
        for tries in rounds:
            found = tuple(self._held(fabric, tries, faults))
            if found:
                return min(found).switches
        raise FabricError([_nothing_fits(fabric, self._answers, faults)])

    def _held(self, fabric: str, tries: Iterable[Switches], faults: list[Problem]) -> Iterator[_Tried]:
        """Choices that hold; of the same switches the first alone: the others have another marking, or none."""
        known: set[tuple[str, str]] = set()
        for switches in tries:
            if (switches.leaf, switches.spine) in known:
                continue
            try:
                yield self._tried(fabric, switches)
            except FabricError as error:
                faults += error.problems[:1]
            else:
                known.add((switches.leaf, switches.spine))

    def _tried(self, fabric: str, switches: Switches) -> _Tried:
        smallest = min(self._catalog.switches[model].mtu for model in (switches.leaf, switches.spine) if model)
        switches = switches._replace(mtu=smallest if smallest < MTU else 0)
        backend, frontend = (switches, None) if fabric == "backend" else (None, switches)
        chosen = self._chosen._replace(backend=backend, frontend=frontend)
        with _planned(intent_text(self._answers, chosen, self.facts)) as plan:
            problems = run_plan_checks(plan)
            if problems:
                raise FabricError(problems)
            chips = [chassis_of(each, place).asic.terabits for each in plan.fabrics.values() for place in places(each)]
            (made,) = plan.fabrics.values()
            found = switches._replace(spines=made.shape.spines)
            return _Tried(not switches.marking, len(chips), float(sum(chips)), found)


@contextmanager
def _planned(text: str) -> Iterator[Plan]:
    """The plan of an intent that is written nowhere a person sees."""
    with TemporaryDirectory(prefix="fabricgen-") as folder:
        path = Path(folder) / "intent.yaml"
        path.write_text(text, encoding="utf-8")
        yield open_workspace(path).plan


def _pairs(catalog: Catalog, platform: Platform, answers: Answers) -> tuple[list[Switches], list[Switches]]:
    """Switches of a backend: one model for both tiers, then other spines above a leaf that was asked for."""
    known, leaf = _known(catalog, platform), answers.leaf
    if answers.design == RAIL_ONLY:
        return [Switches(one, "") for one in ([leaf] if leaf else known)], []
    if answers.spine or not leaf:
        return [Switches(one, answers.spine or one) for one in ([leaf] if leaf else known)], []
    return [Switches(leaf, leaf)], [Switches(leaf, spine) for spine in known if spine != leaf]


def _backends(catalog: Catalog, platform: Platform, nics: NicGroup, pairs: Iterable[Switches]) -> Iterator[Switches]:
    """What a backend of these may be: lossless first, best effort where nothing else holds."""
    markings: tuple[str, ...] = ()
    if all(_may(platform, feature) for feature in LOSSLESS):
        own = NIC_MARKINGS.get(nics.vendor, ())
        markings = (*own, *(name for name in MARKING_BY_NAME if name not in own))
    for pair in pairs:
        mode = _balancing(catalog, platform, pair) if pair.spine else "ecmp"
        yield from (pair._replace(marking=marking, load_balancing=mode) for marking in markings)
        yield pair._replace(load_balancing=mode)


def _frontends(catalog: Catalog, platform: Platform, answers: Answers) -> tuple[list[Switches], list[Switches]]:
    """Switches of a frontend: one model for both tiers, then every other pair. Asked for is the backend's, if any."""
    known = _known(catalog, platform)
    leaf, spine = ("", "") if answers.backend else (answers.leaf, answers.spine)
    pairs = [Switches(*pair) for pair in product([leaf] if leaf else known, [spine] if spine else known)]
    return [pair for pair in pairs if pair.leaf == pair.spine], [pair for pair in pairs if pair.leaf != pair.spine]


def _known(catalog: Catalog, platform: Platform) -> tuple[str, ...]:
    """Switches of the library that the operating system has port names for."""
    return tuple(name for name, switch in catalog.switches.items() if platform.name in switch.port_names)


def _platform(system: str) -> Platform:
    if system not in systems():
        raise FabricError([_unknown("--os", system, "operating system", systems())])
    return PLATFORMS[system.partition("-")[0]]


def _server(catalog: Catalog, model: str) -> Server:
    if model not in catalog.servers:
        raise FabricError([_unknown("--model", model, "server of the library", catalog.servers)])
    return catalog.servers[model]


def _site(name: str) -> None:
    try:
        TypeAdapter(Name).validate_python(name)
    except ValidationError:
        raise FabricError(
            [
                Problem(
                    code="bad-name",
                    what=f"--site {name} can not be the name of a site",
                    why="a name is of lower case letters, digits and hyphens, 24 at most, and starts with a letter",
                    fix="write another, e.g. --site dc1",
                )
            ]
        ) from None


def _switch(catalog: Catalog, option: str, model: str) -> None:
    if model and model not in catalog.switches:
        raise FabricError([_unknown(option, model, "switch of the library", catalog.switches)])


def _nics(server: Server, names: tuple[str, ...], fabric: str) -> str:
    found = next((name for name in names if name in server.nics), None)
    if found is None:
        problem = Problem(
            code="init-nics",
            what=f"{server.model} has no NICs for a {fabric}",
            why=f"it has {', '.join(server.nics)}; a {fabric} takes {' or '.join(names)}",
            fix="name another --model, or leave that fabric out",
        )
        raise FabricError([problem])
    return found


def _unknown(option: str, given: str, what: str, known: Iterable[str]) -> Problem:
    return Problem(
        code="unknown-name",
        what=f"{given} is no {what}",
        why=f"{option} names one that fabricgen knows",
        fix=did_you_mean(given, known),
    )


def _nothing_fits(fabric: str, answers: Answers, faults: list[Problem]) -> Problem:
    last = faults[-1] if faults else None
    tried = f"{len(faults)} ways were tried; of the last, {last.what}: {last.why}" if last else "none runs it"
    return Problem(
        code="init-nothing-fits",
        what=f"no switches of the library make a {fabric} ({answers.design}) of {answers.planned} {answers.model} with "
        f"{answers.system}",
        why=tried,
        fix=last.fix if last else "name another --os",
    )


def _balancing(catalog: Catalog, platform: Platform, switches: Switches) -> str:
    models = [name for name in (switches.leaf, switches.spine) if name]
    chips = [catalog.asics[catalog.switches[name].asic] for name in models]
    return FLOWLET if _can(platform, FLOWLET) and all(FLOWLET in chip.load_balancing for chip in chips) else "ecmp"


def _can(platform: Platform, feature: str) -> bool:
    found = platform.can(feature)
    return found is not None and not found.refusal


def _may(platform: Platform, feature: str) -> bool:
    """Whether it can on some models at least: each choice is checked whole."""
    found = platform.can(feature)
    return found is not None and (not found.refusal or bool(found.vouched))
