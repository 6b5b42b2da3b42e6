"""Two sides to all that differs between them, switch by switch; only the Devices of one switch are held at a time.

A fabric with equal inputs on both sides is not resolved. A switch is rendered only where its templates or its stored
files differ, and to see whether what the intent changes shows in a file at all.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from itertools import chain

from fabricgen.diff.blast import Radius
from fabricgen.diff.classes import Costs, in_order, is_of_configuration, make_class, unspelled
from fabricgen.diff.compare_slice import Comparison, Slice, SwitchComparer
from fabricgen.diff.device_pair import DevicePair
from fabricgen.diff.groups import SwitchGroup
from fabricgen.diff.model import Blast, Difference, MeaningClass, TextClass
from fabricgen.diff.pairs import SwitchPair, pairs, renamed, renamed_servers
from fabricgen.diff.side import SiteState
from fabricgen.diff.texts import foreword, site_classes, text_classes, unread
from fabricgen.errors import FabricError
from fabricgen.plan.moved_values import moved, recabled
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import former_names
from fabricgen.platforms.base.cost import Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to compare.

    costs     platform → kind → cost
    progress  called once per switch
    devices   glob; the lines of these switches that the intent changes are reported one by one
    spread    compares all switches in place of this process, slice by slice, and returns the results in their order
    among     names of switches on both sides that can differ; the others are known to be equal. None: any
    """

    costs: Costs
    progress: Callable[[], None] = lambda: None
    devices: str = ""
    spread: Callable[[Slice], Iterator[Comparison]] | None = None
    among: Collection[str] | None = None


def compare(old: SiteState, new: SiteState, options: Options) -> Difference:
    """All that differs. If the old side has no plan, only the text of its files.

    Both plans must have passed the checks of plans: switches of an inconsistent plan cannot be resolved.

    Raises FabricError for a file that cannot be read, and for a template that fails.
    """
    if new.plan is None:
        raise ValueError(f"{new.name} is the new side of the comparison: it must have a plan")
    if old.plan is None:
        return unread(old, new, new.plan, options.progress)
    return _SiteComparison(old, new, (old.plan, new.plan), options).difference()


class _SiteComparison:
    """Both sides, and the results so far."""

    def __init__(self, old: SiteState, new: SiteState, plans: tuple[Plan, Plan], options: Options) -> None:
        self._old, self._new, self._plans, self._options = old, new, plans, options
        self._pairs = pairs(*plans)
        # Plans of one intent and one lock, such as two states of it, have the same names and numbers.
        first, second = plans
        is_placed = first.exceptions.servers == second.exceptions.servers
        self._is_one = is_placed and first.intent is second.intent and first.lock is second.lock
        self._renamed = {} if self._is_one else renamed(self._pairs) | renamed_servers(*plans)
        self._comparer = SwitchComparer(old, new, self._renamed, options.devices)
        self._found = self._comparer.result

    def difference(self) -> Difference:
        """Compare every switch, then group those with similar changes."""
        self._compare_switches()
        result, radius = self._found, Radius(*self._plans)
        meaning = in_order(self._classes(radius))
        text = (*text_classes(result.unexplained, radius), *site_classes(self._old, self._plans[0], radius))
        former = former_names(*(plan.intent for plan in self._plans))
        return Difference(
            notes=tuple(foreword(self._old, self._new, result.unexplained, text)),
            is_whole=True,
            before=result.before,
            after=result.after,
            equal=result.equal,
            meaning=meaning,
            text=text,
            reached=self._reached([*meaning, *text], radius),
            moved=() if self._is_one else tuple(moved(*self._plans, former)),
            recabled=tuple(f"{leaf} {port}: {was} -> {now}" for leaf, port, was, now in recabled(*self._plans, former)),
            hunks=result.lines,
        )

    def _compare_switches(self) -> None:
        """Compare every switch, here or by `spread`. Raises FabricError for what could not be read."""
        if self._options.spread is None:
            for pair in self._pairs:
                if self._options.among is None or pair.name_after in self._options.among:
                    self._comparer.compare(pair)
                else:
                    self._comparer.count_equal()
                self._options.progress()
            return
        whole = Slice(self._old, self._new, self._pairs, self._renamed, self._options.devices)
        for part in self._options.spread(whole):
            if part.problems:
                raise FabricError(part.problems)
            self._found.join(part)
            for _ in range(max(part.before, part.after)):
                self._options.progress()

    def _classes(self, radius: Radius) -> Iterator[MeaningClass]:
        for group in self._found.changed:
            meaning_class = make_class(group, self._options.costs(group.key.system), radius.of(group))
            may_be_silent = meaning_class.risk > Risk.NONE and is_of_configuration(meaning_class)
            yield unspelled(meaning_class) if may_be_silent and self._is_silent(group) else meaning_class

    def _reached(self, classes: list[MeaningClass | TextClass], radius: Radius) -> Blast:
        """Blast radius of the classes with the highest risk together."""
        risk = max((each_class.risk for each_class in classes), default=Risk.NONE)
        worst = [each_class for each_class in classes if each_class.risk is risk]
        if len(worst) == 1:
            return worst[0].blast
        by_intent = {
            name for each_class in worst if isinstance(each_class, MeaningClass) for name in each_class.devices
        }
        by_text = {name for each_class in worst if isinstance(each_class, TextClass) for name in each_class.devices}
        strange = (stranger.switch for stranger in self._found.unexplained if stranger.switch.name in by_text)
        return radius.of(chain(self._found.changed.named(by_intent), strange))

    def _is_silent(self, group: SwitchGroup) -> bool:
        """Whether every switch of a class is rendered the same before and after.

        Every switch is rendered, not one for all: a template may use a name or an address. For most classes the first
        switch already differs and ends this.
        """
        pairs_of_class = (
            DevicePair(self._comparer.sites, SwitchPair(switch.before, switch.after, "", switch.name))
            for switch in group.switches
        )
        return all(both.stays and self._comparer.artifacts.is_silent(both.old, both.new) for both in pairs_of_class)
