"""Choices of switches for a first intent → the leanest one that holds, with room to grow where there is any.

A choice is written, planned and checked; the best of those is checked switch by switch, too, before it is taken.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fabricgen.checks.catalogue import run_checks, run_plan_checks
from fabricgen.cli.init.model import RAIL_ONLY, DerivedChoices, InitAnswers, PlannedGrowth, SwitchChoices
from fabricgen.cli.init.text import Written, intent_text
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.fabric import FabricBase
from fabricgen.plan.fabric import FabricPlan, chassis_of, places
from fabricgen.plan.plan import Plan
from fabricgen.site.workspace import open_workspace
from fabricgen.topologies.arithmetic import legal_spines
from fabricgen.topologies.shape import Shape

MTU = FabricBase.model_fields["mtu"].default
"""Octets of a fabric's packets that nobody chose."""
MODES = ("dlb-per-packet", "dlb-flowlet", "ecmp")
"""Ways to spread traffic, the best for few large flows first (policy.load_balancing)."""
UNBALANCED = ("balancing-mode", "platform-cannot", "dynamic-groups")
"""Codes of the checks that refuse a mode."""
MODELS_TOLD = 3
"""Choices that are refused for one reason, after which no other is looked at switch by switch."""
NO_MORE_SPINES = "no larger number of spines gives every leaf the same whole number of links to each"
SPINES_TRIED = 4
"""Counts of spines above today's that are tried."""
TOO_LARGE = ("too-many-pods", "too-many-leaves")
"""Codes of a fabric that no count of its switches makes large enough."""
UPLINKS_TRIED = 64
"""Most uplinks of a frontend's leaf that are thought of: two of its pairs take no more."""


class _Tried(NamedTuple):
    """A choice that holds, in the order of preference.

    lossy    whether packets may be lost
    cramped  whether nothing is reserved
    chips    switches that stand, and rank of the mode in MODES; terabits: of all their chips
    """

    lossy: bool
    cramped: bool
    chips: int
    mode: int
    terabits: float
    switches: SwitchChoices


class Search:
    """What was asked for, and what is known of it."""

    def __init__(self, answers: InitAnswers, chosen: DerivedChoices, facts: Written, catalog: Catalog) -> None:
        self._answers, self._chosen, self._facts, self._catalog = answers, chosen, facts, catalog
        self._wanted = 0

    def leanest(self, fabric: str, *rounds: Iterable[SwitchChoices]) -> SwitchChoices:
        """The choice that needs the fewest switches, then balances best, then has the least switching capacity.

        Lossless ones go before all others, then those with room to grow. Of the first round with any.

        Raises FabricError where there is none.
        """
        faults: list[Problem] = []
        told: Counter[str] = Counter()
        for tries in rounds:
            for found in sorted(self._held(fabric, tries, faults)):
                problems = self._told(fabric, found.switches)
                if not problems:
                    return found.switches
                faults += problems[:1]
                told[problems[0].why] += 1
                if told[problems[0].why] == MODELS_TOLD:
                    raise FabricError([_nothing_fits(fabric, self._answers, faults)])
        raise FabricError([_nothing_fits(fabric, self._answers, faults)])

    def _held(self, fabric: str, tries: Iterable[SwitchChoices], faults: list[Problem]) -> Iterator[_Tried]:
        """Choices whose plan holds; of the same switches the first alone: others balance worse, or may lose packets."""
        skipped: set[tuple[str, ...]] = set()
        refused: dict[tuple[str, ...], str] = {}
        for switches in tries:
            size = (*switches.models, str(switches.units_per_pod))
            mode = (*size, switches.load_balancing)
            if skipped & {switches.models, size, mode}:
                continue
            try:
                shape, problems = self._sized(fabric, switches)
            except FabricError as error:
                skipped.add(size)  # no marking and no mode changes its dimensions
                faults += error.problems[:1]
                continue
            if problems:
                faults += problems[:1]
                whys = [problem.why for problem in problems if problem.code in UNBALANCED]
                if whys and switches.load_balancing != MODES[-1]:
                    skipped.add(mode)
                    refused.setdefault(size, f"{switches.load_balancing}: {'; '.join(whys)}")
                continue
            try:
                found = self._roomiest(fabric, switches._replace(unbalanced=refused.get(size, "")), shape)
            except FabricError as error:
                skipped.add(size)
                faults += error.problems[:1]
            else:
                skipped.add(switches.models)
                yield found

    def _sized(self, fabric: str, switches: SwitchChoices) -> tuple[Shape, tuple[Problem, ...]]:
        """Dimensions for the servers of today, and problems of that plan. Raises FabricError where there is none."""
        with self._planned(fabric, self._fitted(switches)) as plan:
            return _fabric(plan).shape, run_plan_checks(plan)

    def _fitted(self, switches: SwitchChoices) -> SwitchChoices:
        """With an MTU that all of its models carry, where that is less than a fabric's own."""
        smallest = min(self._catalog.switches[model].mtu for model in switches.models)
        return switches._replace(mtu=smallest if smallest < MTU else 0)

    def _roomiest(self, fabric: str, switches: SwitchChoices, shape: Shape) -> _Tried:
        """A choice that holds today, with the most room that it has. Raises FabricError where that is too little."""
        switches, why = self._fitted(switches), ""
        *some, none = self._rooms(shape)
        for room in some:
            try:
                return self._measured(fabric, switches._replace(room=room, tight=self._tight(room, why)))
            except FabricError as error:
                why = error.problems[0].why
        return self._measured(fabric, switches._replace(room=none, tight=self._tight(none, why)))

    def _tight(self, room: PlannedGrowth, why: str) -> str:
        """Why not more is reserved; empty where another unit and another spine are."""
        is_whole = room.servers == self._wanted and (room.spines < room.spines_planned or not room.spines)
        return "" if is_whole else why or NO_MORE_SPINES

    def _rooms(self, shape: Shape) -> Iterator[PlannedGrowth]:
        """What may be reserved: the servers wanted and another spine, then one of them, then no more than was said."""
        self._wanted = self._slots(shape)
        for servers in dict.fromkeys((self._wanted, self._answers.least)):
            counts = (*self._spines(shape, servers), shape.spines)
            yield from (PlannedGrowth(servers, shape.spines, count) for count in counts)

    def _slots(self, shape: Shape) -> int:
        """Servers to reserve numbers for: what was said, or those of today and one unit more."""
        if self._answers.planned:
            return self._answers.planned
        each = shape.groups[0].slots_a_unit
        units = -(-self._answers.servers // each)
        return each * (units if shape.design == RAIL_ONLY else units + 1)

    def _spines(self, shape: Shape, servers: int) -> Iterator[int]:
        """Counts above today's that give each leaf the same whole number of links to each spine."""
        if not shape.spines or shape.spine is None:
            return
        (group,) = shape.groups
        units = -(-servers // group.slots_a_unit) if shape.core is None else group.units_a_pod
        # Leaves of a frontend take more uplinks for more spines where they have ports.
        most = UPLINKS_TRIED if shape.uplinks_least else 0
        leaves = units * group.rails * group.indexes
        legal = legal_spines(leaves, shape.uplinks_asked, len(shape.spine.down), most)
        yield from [count for count in legal if count > shape.spines][:SPINES_TRIED]

    def _measured(self, fabric: str, switches: SwitchChoices) -> _Tried:
        with self._planned(fabric, switches) as plan:
            problems = run_plan_checks(plan)
            if problems:
                raise FabricError(problems)
            made = _fabric(plan)
            chips = [chassis_of(made, place).asic.terabits for place in places(made)]
        mode = MODES.index(switches.load_balancing)
        return _Tried(not switches.marking, bool(switches.tight), len(chips), mode, float(sum(chips)), switches)

    def _told(self, fabric: str, switches: SwitchChoices) -> tuple[Problem, ...]:
        """Problems that show on its switches alone: ports, names and limits of the operating system."""
        with self._planned(fabric, switches) as plan:
            return run_checks(plan)

    @contextmanager
    def _planned(self, fabric: str, switches: SwitchChoices) -> Iterator[Plan]:
        backend, frontend = (switches, None) if fabric == "backend" else (None, switches)
        chosen = self._chosen._replace(backend=backend, frontend=frontend)
        with planned(intent_text(self._answers, chosen, self._facts)) as plan:
            yield plan


@contextmanager
def planned(text: str) -> Iterator[Plan]:
    """The plan of an intent that is written nowhere a person sees."""
    with TemporaryDirectory(prefix="fabricgen-") as folder:
        path = Path(folder) / "intent.yaml"
        path.write_text(text, encoding="utf-8")
        yield open_workspace(path).plan


def _fabric(plan: Plan) -> FabricPlan:
    (made,) = plan.fabrics.values()
    return made


def _nothing_fits(fabric: str, answers: InitAnswers, faults: list[Problem]) -> Problem:
    last = faults[-1] if faults else None
    tried = f"{len(faults)} ways were tried; of the last, {last.what}: {last.why}" if last else "none runs it"
    design = f"{fabric} ({answers.design})" if fabric == "backend" else fabric
    return Problem(
        code="init-nothing-fits",
        what=f"no known switches can build a {design} of {answers.least} {answers.model} with {answers.system}",
        why=tried,
        fix=_in_options(last, answers) + (", or --no-frontend" if fabric != "backend" and answers.backend else ""),
    )


def _in_options(last: Problem | None, answers: InitAnswers) -> str:
    """A remedy in options of `init`: that of a check is for an intent, which is not written yet."""
    if last is None:
        return "name another --os"
    if last.code == "no-port-names":
        option = "--spine" if "spine" in last.where else "--leaf"
        return re.sub(r"\bos: ", "--os ", last.fix.replace("write ", "name ")).replace("model: ", f"{option} ")
    most = re.search(r"at most ([0-9]+) servers", last.fix) if last.code == "needs-spines" else None
    if most is not None:
        asked = f"--servers {most[1]}" + (f" --planned {most[1]}" if answers.planned else "")
        return f"name {asked}, or --design rail-optimized"
    if last.code in TOO_LARGE:
        return "name fewer --servers" + (" and --planned" if answers.planned else "") + _other_models(answers)
    return last.fix.replace("write os: ", "name --os ")


def _other_models(answers: InitAnswers) -> str:
    named = [option for option, model in (("--leaf", answers.leaf), ("--spine", answers.spine)) if model]
    return f", or another {' and '.join(named)}" if named else ", or another --os"
