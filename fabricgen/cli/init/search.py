"""Find the leanest valid choice of switches for a first intent, with room to grow if possible.

Each candidate is written, planned and checked; the best are also checked switch by switch before one is taken.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fabricgen.checks.catalogue import examine_plan, run_checks, run_plan_checks
from fabricgen.cli.init.model import DerivedChoices, InitAnswers, PlannedGrowth, SwitchChoices
from fabricgen.cli.init.text import Written, intent_text
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import HARDWARE, Catalog
from fabricgen.intent.fabric import FabricBase
from fabricgen.plan.cabling import unsupported_media
from fabricgen.plan.fabric import FabricPlan, chassis_of, places
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.platform import Platform
from fabricgen.site.workspace import open_workspace, plan_alone
from fabricgen.topologies.arithmetic import legal_spines
from fabricgen.topologies.shape import Shape

LOSSLESS = ("pfc", "ecn", "headroom")
"""Features that a lossless backend needs of its switches."""
MTU = FabricBase.model_fields["mtu"].default
"""A fabric's default MTU in octets."""
MODES = ("dlb-per-packet", "dlb-flowlet", "ecmp")
"""Load-balancing modes, the best for few large flows first (policy.load_balancing)."""
UNBALANCED = ("balancing-mode", "platform-cannot", "dynamic-groups")
"""Codes of the checks that refuse a mode."""
NEVER_LOSSLESS = frozenset({"headroom-unknown", "headroom-pool"})
"""Codes of the checks that refuse a lossless backend, whatever its marking and its mode."""
NO_MODEL = "no switch model that fits can be configured for it with this operating system"
WORDS = (
    ("write rails_per_plane: ", "use --rails-per-plane "),
    ("remove rails_per_plane", "leave out --rails-per-plane"),
    ("write topology.rails_per_plane: ", "use --rails-per-plane "),
    ("write topology.planes: ", "use --planes "),
    ("connect another NIC group", "another --model"),
    ("write planes: ", "use --planes "),
)
"""Words of a fix → the same for an option of `init`."""
MODELS_NAMED = 3
"""Number of candidates refused for the same reason, after which the search ends."""
NO_MORE_SPINES = "no larger number of spines gives every leaf the same whole number of links to each spine"
SPINES_TRIED = 4
"""Number of larger spine counts that are tried."""
TOO_LARGE = ("too-many-pods", "too-many-leaves")
"""Codes of a fabric that cannot be made large enough by any number of its switches."""
PLANE_KEYS = (("planes",), ("rails_per_plane",))
"""Ends of places of problems with the numbers of planes that were typed."""
LAST_ONE = " The last of them: "
"""Words before the problem of the last choice that was tried."""
UPLINKS_TRIED = 64
"""Most uplinks of a frontend's leaf that are considered."""


class _Tried(NamedTuple):
    """A valid choice, in the order of preference.

    lossy    whether packets may be lost
    cramped  whether nothing is reserved
    chips    number of switches, and rank of the mode in MODES; terabits: of all their chips
    """

    lossy: bool
    cramped: bool
    chips: int
    mode: int
    terabits: float
    switches: SwitchChoices


class Search:
    """Search with given answers and known facts."""

    def __init__(self, answers: InitAnswers, chosen: DerivedChoices, facts: Written, catalog: Catalog) -> None:
        self._answers, self._chosen, self._facts, self._catalog = answers, chosen, facts, catalog
        self._wanted = 0
        self._first_text = self._text = ""

    def leanest(self, fabric: str, *rounds: Iterable[SwitchChoices]) -> SwitchChoices:
        """The choice with the fewest switches, then the best balancing, then the least switching capacity.

        Lossless ones come before all others, then those with room to grow. Only the first round with any is used.

        Raises FabricError where there is none.
        """
        faults: list[Problem] = []
        lossy: list[SwitchChoices] = []
        found = self._first(fabric, rounds, faults, lossy) or self._first(fabric, (lossy,), faults, [])
        if found is None:
            first, last = (self._retold(text) for text in (self._first_text, self._text))
            of_planes = next((fault for fault in (first, *faults) if fault and fault.where[-1:] in PLANE_KEYS), None)
            if of_planes is not None:  # no choice of switches would change it
                raise FabricError([of_planes._replace(fix=_with_options(of_planes.fix), where=(), at=None)])
            last = _roomiest_unit(faults) or last or next(reversed(faults), None)
            raise FabricError([_nothing_fits(fabric, self._answers, len(faults), last)])
        return found

    def _retold(self, text: str) -> Problem | None:
        """Return why an intent was refused, with a fix that was tried; None where it was not refused."""
        if not text:
            return None
        try:
            with planned(text, self._answers.hardware) as plan:
                return next(iter(run_plan_checks(plan)), None)
        except FabricError as error:
            return error.problems[0]

    def _first(
        self, fabric: str, rounds: Iterable[Iterable[SwitchChoices]], faults: list[Problem], lossy: list[SwitchChoices]
    ) -> SwitchChoices | None:
        """Return the first choice that its switches accept.

        faults  filled with why others were refused
        lossy   filled with the lossless ones that only their switches refuse, as best-effort ones
        """
        refusals: Counter[str] = Counter()
        for tries in rounds:
            for candidate in sorted(self._valid_choices(fabric, tries, faults)):
                problems = self._switch_problems(fabric, candidate.switches)
                if not problems:
                    return candidate.switches
                faults += problems[:1]
                if candidate.switches.marking:
                    lossy.append(candidate.switches._replace(marking="", lossy=NO_MODEL))
                refusals[problems[0].why] += 1
                if refusals[problems[0].why] == MODELS_NAMED:
                    return None
        return None

    def _valid_choices(self, fabric: str, tries: Iterable[SwitchChoices], faults: list[Problem]) -> Iterator[_Tried]:
        """Yield the choices whose plan is valid.

        Of the same switches only the first: the others balance worse or may lose packets.
        """
        skipped: set[tuple[str, ...]] = set()
        refused: dict[tuple[str, ...], str] = {}
        for switches in tries:
            size = (*switches.models, str(switches.units_per_pod))
            mode = (*size, switches.load_balancing)
            lossless = (*size, "lossless") if switches.marking else ()
            if skipped & {switches.models, size, mode, lossless}:
                continue
            try:
                shape, problems = self._sized(fabric, switches)
            except FabricError as error:
                skipped.add(size)  # no marking and no mode changes its dimensions
                faults += error.problems[:1]
                continue
            if problems:
                faults += problems[:1]
                skipped |= {lossless} if NEVER_LOSSLESS & {problem.code for problem in problems} else set()
                reasons = [problem.why for problem in problems if problem.code in UNBALANCED]
                if reasons and switches.load_balancing != MODES[-1]:
                    skipped.add(mode)
                    refused.setdefault(size, f"{switches.load_balancing}: {_numbered(reasons)}")
                continue
            try:
                candidate = self._roomiest(fabric, switches._replace(unbalanced=refused.get(size, "")), shape)
            except FabricError as error:
                skipped.add(size)
                faults += error.problems[:1]
            else:
                skipped.add(switches.models)
                yield candidate

    def _sized(self, fabric: str, switches: SwitchChoices) -> tuple[Shape, tuple[Problem, ...]]:
        """Return the dimensions for today's servers, and the plan's problems. Raises FabricError without any."""
        plan = self._planned(fabric, self._fitted(switches))
        return _fabric(plan).shape, examine_plan(plan, unsupported_media).problems

    def _fitted(self, switches: SwitchChoices) -> SwitchChoices:
        """Return the switches with an MTU that all models support, if it is less than a fabric's default."""
        smallest = min(self._catalog.switches[model].mtu for model in switches.models)
        return switches._replace(mtu=smallest if smallest < MTU else 0)

    def _roomiest(self, fabric: str, switches: SwitchChoices, shape: Shape) -> _Tried:
        """Return a choice that is valid today, with the most room. Raises FabricError if that is too little."""
        switches, reason = self._fitted(switches), ""
        *rooms, last_room = self._rooms(shape)
        for room in rooms:
            try:
                return self._measured(fabric, switches._replace(room=room, tight=self._tight(room, reason)))
            except FabricError as error:
                reason = error.problems[0].why
        return self._measured(fabric, switches._replace(room=last_room, tight=self._tight(last_room, reason)))

    def _tight(self, room: PlannedGrowth, reason: str) -> str:
        """Return why not more is reserved; empty if another unit and another spine are."""
        is_whole = room.servers == self._wanted and (room.spines < room.spines_planned or not room.spines)
        return "" if is_whole else reason or NO_MORE_SPINES

    def _rooms(self, shape: Shape) -> Iterator[PlannedGrowth]:
        """Yield reservations: the wanted servers and another spine, then one of these, then only what was typed."""
        self._wanted = self._slots(shape)
        for servers in dict.fromkeys((self._wanted, self._answers.least)):
            counts = (*self._spines(shape, servers), shape.spines)
            yield from (PlannedGrowth(servers, shape.spines, count) for count in counts)

    def _slots(self, shape: Shape) -> int:
        """Servers to reserve numbers for: as typed, or those of today and one unit more."""
        if self._answers.planned:
            return self._answers.planned
        unit_slots = shape.groups[0].slots_a_unit
        units = -(-self._answers.servers // unit_slots)
        return unit_slots * (units + 1 if shape.spines else units)

    def _spines(self, shape: Shape, servers: int) -> Iterator[int]:
        """Larger spine counts that give each leaf the same whole number of links to each spine."""
        if not shape.spines or shape.spine is None:
            return
        (group,) = shape.groups
        units = -(-servers // group.slots_a_unit) if shape.core is None else group.units_a_pod
        # Leaves of a frontend use more uplinks for more spines if they have ports.
        uplinks_limit = UPLINKS_TRIED if shape.uplinks_least else 0
        leaves = units * group.rails * group.indexes
        legal = legal_spines(leaves, shape.uplinks_asked, len(shape.spine.down), uplinks_limit)
        yield from [count for count in legal if count > shape.spines][:SPINES_TRIED]

    def _measured(self, fabric: str, switches: SwitchChoices) -> _Tried:
        plan = self._planned(fabric, switches)
        problems = examine_plan(plan, unsupported_media).problems
        if problems:
            raise FabricError(problems)
        fabric_plan = _fabric(plan)
        chips = [chassis_of(fabric_plan, place).asic.terabits for place in places(fabric_plan)]
        mode = MODES.index(switches.load_balancing)
        return _Tried(not switches.marking, bool(switches.tight), len(chips), mode, float(sum(chips)), switches)

    def _switch_problems(self, fabric: str, switches: SwitchChoices) -> tuple[Problem, ...]:
        """Problems that only show on single switches: ports, names and limits of the operating system."""
        return run_checks(self._planned(fabric, switches))

    def _planned(self, fabric: str, switches: SwitchChoices) -> Plan:
        backend, frontend = (switches, None) if fabric == "backend" else (None, switches)
        chosen = self._chosen._replace(backend=backend, frontend=frontend)
        self._text = intent_text(self._answers, chosen, self._facts)
        self._first_text = self._first_text or self._text
        return plan_alone(self._text, self._catalog)


@contextmanager
def planned(text: str, hardware: Path | None = None) -> Iterator[Plan]:
    """The plan of an intent in a temporary file, as every verb makes it.

    hardware  folder of own hardware, already read without problems
    """
    with TemporaryDirectory(prefix="fabricgen-") as folder:
        if hardware is not None:
            (Path(folder) / HARDWARE).symlink_to(hardware.resolve())
        path = Path(folder) / "intent.yaml"
        path.write_text(text, encoding="utf-8")
        yield open_workspace(path).plan


def _numbered(reasons: list[str]) -> str:
    return "; ".join(f"({number}) {reason}" for number, reason in enumerate(reasons, 1)) if reasons[1:] else reasons[0]


def _fabric(plan: Plan) -> FabricPlan:
    (fabric_plan,) = plan.fabrics.values()
    return fabric_plan


def _nothing_fits(fabric: str, answers: InitAnswers, count: int, last: Problem | None) -> Problem:
    tried = f"{count} combinations of models were tried.{LAST_ONE}{last.what}: {last.why}" if last else "none runs it"
    design = f"{fabric} ({answers.design})" if fabric == "backend" else fabric
    return Problem(
        code="init-nothing-fits",
        what=f"no known switches can build a {design} of {answers.least} {answers.model} with {answers.system}",
        why=tried,
        fix=_in_options(last, answers) + (", or --no-frontend" if fabric != "backend" and answers.backend else ""),
    )


UNIT = re.compile(r"a unit has at most ([0-9]+) servers")
"""How `topologies` words the size of a unit of a fabric without spines."""


def _roomiest_unit(faults: list[Problem]) -> Problem | None:
    """Return the refusal of the leaf with the largest unit, where every leaf is refused as it has no spines above."""
    sizes = [(int(match[1]), fault) for fault in faults if (match := UNIT.search(fault.why))]
    return max(sizes, key=lambda pair: pair[0])[1] if sizes else None


def _with_options(fix: str) -> str:
    """The fix of a problem of planes in options of `init`."""
    for words, option in WORDS:
        fix = fix.replace(words, option)
    return fix


def _in_options(last_fault: Problem | None, answers: InitAnswers) -> str:
    """The fix in options of `init`, as a check's fix is for an intent, which does not exist yet."""
    if last_fault is None:
        return "use another --os"
    if last_fault.code == "no-port-names":
        option = "--spine" if "spine" in last_fault.where else "--leaf"
        systems = re.findall(r"\bos: (\S+?)(?=,| |$)", last_fault.fix)
        # A backend is lossless where one of them can be.
        able = [name for name in systems if not (answers.backend and not_lossless(PLATFORMS[name.partition("-")[0]]))]
        return f"use --os {' or --os '.join(able or systems)}, or leave out {option}: init then chooses a model"
    match = UNIT.search(last_fault.why) if last_fault.code == "needs-spines" else None
    if match is not None:
        servers = f"--servers {match[1]}" + (f" --planned {match[1]}" if answers.planned else "")
        return f"use {servers}, or --design rail-optimized"
    if last_fault.code in TOO_LARGE:
        return "use fewer --servers" + (" and --planned" if answers.planned else "") + _other_models(answers)
    offers = _with_options(last_fault.fix.replace("write os: ", "use --os ")).split(", or ")
    typed = [offer for offer in offers if offer.startswith(OPTIONS)]
    return ", or ".join(typed) or _other_answers(answers)


OPTIONS = ("use --", "leave out --", "another --", "--")
"""Starts of what can be typed; anything else is about a file that does not exist yet."""


def _other_answers(answers: InitAnswers) -> str:
    """Return the options that decide which cages must be joined; models that were not typed have all been tried."""
    options = ["--os", "--model"]
    options += [option for option, number in (("--planes", answers.planes),) if number]
    options += [option for option, model in (("--leaf", answers.leaf), ("--spine", answers.spine)) if model]
    return f"use another {', '.join(options[:-1])} or {options[-1]}"


def not_lossless(platform: Platform) -> str:
    """Return why no switch with this system can be configured for a lossless backend; empty where one can.

    Whether a model can is checked for each choice.
    """
    for capability in map(platform.can, LOSSLESS):
        if capability is not None and capability.refusal and not capability.vouched:
            return f"{platform.title}: {capability.refusal}"
    return ""


def _other_models(answers: InitAnswers) -> str:
    options = [option for option, model in (("--leaf", answers.leaf), ("--spine", answers.spine)) if model]
    return f", or another {' and '.join(options)}" if options else ", or another --os"
