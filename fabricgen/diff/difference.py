"""Two sides to all that differs between them, switch by switch; the Devices of one switch are held at a time.

A fabric whose inputs are equal on both sides is not resolved. A switch is rendered only where its templates or its
stored files differ, and to see whether what the intent changes is spelled at all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from fabricgen.diff.blast import Radius
from fabricgen.diff.classes import Costs, in_order, is_of_configuration, make_class, unspelled
from fabricgen.diff.compare_slice import Found, Looker, Slice
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

    costs     system → kind → what it costs
    progress  called once a switch
    devices   glob; the lines of these switches that the intent changes are told one by one
    spread    what looks at all switches in this one's place, slice by slice, and returns what was found in their order
    """

    costs: Costs
    progress: Callable[[], None] = lambda: None
    devices: str = ""
    spread: Callable[[Slice], Iterator[Found]] | None = None


def compare(old: SiteState, new: SiteState, options: Options) -> Difference:
    """All that differs. Where the old side has no plan, the text of its files alone.

    Both plans must have passed the checks of plans: switches of one that does not add up cannot be resolved.

    Raises FabricError for a file that cannot be read, and for a template that fails.
    """
    if new.plan is None:
        raise ValueError(f"{new.name} is the side that the others are held against: it must have a plan")
    if old.plan is None:
        return unread(old, new, new.plan, options.progress)
    return _Comparison(old, new, (old.plan, new.plan), options).difference()


class _Comparison:
    """Both sides, and what of them was looked up."""

    def __init__(self, old: SiteState, new: SiteState, plans: tuple[Plan, Plan], options: Options) -> None:
        self._old, self._new, self._plans, self._options = old, new, plans, options
        self._pairs = pairs(*plans)
        self._renamed = renamed(self._pairs) | renamed_servers(*plans)
        self._looker = Looker(old, new, self._renamed, options.devices)
        self._found = self._looker.found

    def difference(self) -> Difference:
        """Look at every switch, then put those that differ alike together."""
        self._look()
        found, radius = self._found, Radius(*self._plans)
        meaning = in_order(self._classes(radius))
        text = (*text_classes(found.strange, radius), *site_classes(self._old, self._plans[0], radius))
        former = former_names(*(plan.intent for plan in self._plans))
        return Difference(
            notes=tuple(foreword(self._old, self._new, found.strange, text)),
            is_whole=True,
            before=found.before,
            after=found.after,
            equal=found.equal,
            meaning=meaning,
            text=text,
            reached=self._reached([*meaning, *text], radius),
            moved=tuple(moved(*self._plans, former)),
            recabled=tuple(f"{at} {port}: {was} -> {now}" for at, port, was, now in recabled(*self._plans, former)),
            hunks=found.lines,
        )

    def _look(self) -> None:
        """Look at every switch, or have others do so. Raises FabricError for what they could not read."""
        if self._options.spread is None:
            for pair in self._pairs:
                self._looker.look(pair)
                self._options.progress()
            return
        whole = Slice(self._old, self._new, self._pairs, self._renamed, self._options.devices)
        for found in self._options.spread(whole):
            if found.problems:
                raise FabricError(found.problems)
            self._found.join(found)
            for _ in range(max(found.before, found.after)):
                self._options.progress()

    def _classes(self, radius: Radius) -> Iterator[MeaningClass]:
        for group in self._found.changed:
            found = make_class(group, self._options.costs(group.key.system), radius.of(group))
            may_be_silent = found.risk > Risk.NONE and is_of_configuration(found)
            yield unspelled(found) if may_be_silent and self._is_silent(group) else found

    def _reached(self, classes: list[MeaningClass | TextClass], radius: Radius) -> Blast:
        """Whom the classes of the worst risk reach together."""
        risk = max((one.risk for one in classes), default=Risk.NONE)
        worst = [one for one in classes if one.risk is risk]
        if len(worst) == 1:
            return worst[0].blast
        facts = {name for one in worst if isinstance(one, MeaningClass) for name in one.devices}
        texts = {name for one in worst if isinstance(one, TextClass) for name in one.devices}
        strange = (one.switch for one in self._found.strange if one.switch.name in texts)
        return radius.of(chain(self._found.changed.named(facts), strange))

    def _is_silent(self, group: SwitchGroup) -> bool:
        """Whether no switch of a class is written otherwise after the change.

        Every one is looked at, not one for all: a template may ask for a name or an address. Most classes end with
        the first switch, as it differs.
        """
        twins = (DevicePair(self._looker.sites, SwitchPair(one.before, one.after, "", one.name)) for one in group.kept)
        return all(twin.stays and self._looker.artifacts.is_silent(twin.old, twin.new) for twin in twins)
