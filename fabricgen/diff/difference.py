"""Two sides to all that differs between them, switch by switch; the Devices of one switch are held at a time.

A fabric whose inputs are equal on both sides is not resolved. A switch is rendered only where its templates or its
stored files differ, and to see whether what the intent changes is spelled at all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from fabricgen.diff.artifacts import Artifacts, differences
from fabricgen.diff.blast import Radius
from fabricgen.diff.classes import Changed, Costs, grouped, in_order, is_of_configuration, make_class, unspelled
from fabricgen.diff.derived import derived_facts
from fabricgen.diff.fold import Differing
from fabricgen.diff.model import Blast, Cause, Difference, Hunk, MeaningClass, TextClass
from fabricgen.diff.pairs import Pair, pairs, renamed, renamed_servers, told
from fabricgen.diff.side import Side
from fabricgen.diff.texts import Strange, foreword, site_classes, text_classes, unread
from fabricgen.diff.twins import Sites, Twin
from fabricgen.facts.compare import facts
from fabricgen.facts.fact import Change, Fact
from fabricgen.plan.former import former_names
from fabricgen.plan.moved import moved, recabled
from fabricgen.plan.plan import Plan
from fabricgen.platforms.cost import Risk


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to compare.

    costs     system → kind → what it costs
    progress  called once a switch
    devices   glob; the lines of these switches that the intent changes are told one by one
    """

    costs: Costs
    progress: Callable[[], None] = lambda: None
    devices: str = ""


def compare(old: Side, new: Side, options: Options) -> Difference:
    """All that differs. Where the old side has no plan, the text of its files alone.

    Both plans must have passed the checks of plans: switches of one that does not add up can not be resolved.

    Raises FabricError for a file that can not be read, and for a template that fails.
    """
    if new.plan is None:
        raise ValueError(f"{new.name} is the side that the others are held against: it must have a plan")
    if old.plan is None:
        return unread(old, new, new.plan, options.progress)
    return _Comparison(old, new, (old.plan, new.plan), options).difference()


@dataclass(slots=True)
class _Found:
    """What was found so far. `standing`: switches of each side; lines: path of an artifact → hunks."""

    changed: list[Changed] = field(default_factory=list)
    strange: list[Strange] = field(default_factory=list)
    lines: dict[str, tuple[Hunk, ...]] = field(default_factory=dict)
    before: int = 0
    after: int = 0
    equal: int = 0


class _Comparison:
    """Both sides, and what of them was looked up."""

    def __init__(self, old: Side, new: Side, plans: tuple[Plan, Plan], options: Options) -> None:
        self._old, self._plans, self._options = old, plans, options
        self._new = new
        self._sites = Sites(*plans)
        self._artifacts = Artifacts(old, new)
        self._found = _Found()
        self._pairs = pairs(*plans)
        self._renamed = renamed(self._pairs) | renamed_servers(*plans)

    def difference(self) -> Difference:
        """Look at every switch, then put those that differ alike together."""
        for pair in self._pairs:
            self._look(pair)
            self._options.progress()
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

    def _look(self, pair: Pair) -> None:
        found = self._found
        found.before += pair.before is not None
        found.after += pair.after is not None
        if pair.before is not None and pair.after is not None:
            self._look_at_both(Twin(self._sites, pair))
            return
        change = Change.ADDED if pair.before is None else Change.REMOVED
        found.changed.append(Twin(self._sites, pair).changed((_presence(pair, change),)))

    def _look_at_both(self, twin: Twin) -> None:
        differing = () if twin.is_same else tuple(self._facts(twin))
        strange = [*self._artifacts.strange(twin.pair.name_before, twin.old_system, lambda: twin.old)]
        if not differing and not twin.is_same and twin.old != twin.new:
            # What no kind of fact speaks of may still be spelled: an order, a name that a template prints.
            strange += self._unspoken(twin)
        if differing:
            self._found.changed.append(twin.changed(differing))
        self._found.strange += [Strange(twin.whole(), one) for one in strange]
        self._found.equal += not differing and not strange
        self._tell_lines(twin)

    def _facts(self, twin: Twin) -> Iterator[Fact]:
        yield from told(facts(twin.old, twin.new), self._renamed)
        yield from derived_facts(twin.old, twin.new)

    def _unspoken(self, twin: Twin) -> Iterator[Differing]:
        before, after = self._artifacts.today(twin.old), self._artifacts.today(twin.new)
        return differences(before, after, twin.new.system, lambda _: Cause.INTENT)

    def _tell_lines(self, twin: Twin) -> None:
        if not fnmatchcase(twin.pair.name_after, self._options.devices) or twin.is_same or twin.old == twin.new:
            return
        for artifact, found in self._artifacts.changed(twin.old, twin.new):
            self._found.lines[f"{twin.pair.name_after}/{artifact}"] = found

    def _classes(self, radius: Radius) -> Iterator[MeaningClass]:
        for key, group in grouped(self._found.changed).items():
            found = make_class(group, self._options.costs(key.system), radius.of(group))
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
        return radius.of(
            (
                *(one for one in self._found.changed if one.name in facts),
                *(one.switch for one in self._found.strange if one.switch.name in texts),
            )
        )

    def _is_silent(self, group: tuple[Changed, ...]) -> bool:
        """Whether no switch of a class is written otherwise after the change.

        Every one is looked at, not one for all: a template may ask for a name or an address. Most classes end with
        the first switch, as it differs.
        """
        twins = (Twin(self._sites, Pair(one.before, one.after, "", one.name)) for one in group)
        return all(twin.stays and self._artifacts.is_silent(twin.old, twin.new) for twin in twins)


def _presence(pair: Pair, change: Change) -> Fact:
    return Fact("device", change, pair.name_after or pair.name_before, pair.name_before, pair.name_after)
