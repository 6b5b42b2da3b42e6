"""Changes that another version of the defaults causes: one default after the other, each with its own risk."""

from collections.abc import Iterator

from fabricgen.diff.difference import Options, compare
from fabricgen.diff.model import DefaultChange, DefaultsStep
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError
from fabricgen.intent.completion import open_places
from fabricgen.intent.defaults import DEFAULTS, OLDEST, Default, Table, Values, changed_between, values_at
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Risk
from fabricgen.site.checked import LoadRequest
from fabricgen.site.workspace import open_workspace


def defaults_step(
    old: Plan | None, new: Plan, read: LoadRequest, scenario: str, options: Options, table: Table = DEFAULTS
) -> DefaultsStep | None:
    """Compare the new intent with itself, default by default; None where both sides have the same version.

    Each step is compared with the previous one, so the steps add up to the change of version. Other changes of the
    intent are on both sides of each step, and so in none of them.
    """
    if old is None:
        return None
    before, after = old.intent.defaults or OLDEST, new.intent.defaults or OLDEST
    if before == after:
        return None
    steps = _changes(before, after, new, _Steps(read, scenario, options), table)
    return DefaultsStep(before=before, after=after, changes=tuple(steps))


class _Steps:
    """Plans of the new intent with the defaults of a step."""

    def __init__(self, read: LoadRequest, scenario: str, options: Options) -> None:
        self._read, self._scenario, self._options = read, scenario, options

    def plan(self, values: Values) -> Plan | None:
        """The intent planned with these defaults; None where that fails."""
        try:
            opened = open_workspace(
                self._read.intent, overlay=self._read.overlay, scenario=self._scenario, defaults=values
            )
        except FabricError:
            return None
        return opened.plan

    def cost(self, before: Plan | None, after: Plan | None) -> tuple[Risk, tuple[str, ...]]:
        """Highest risk of a step and the switches that it changes; unknown where a state cannot be planned."""
        if before is None or after is None:
            return Risk.UNKNOWN, ()
        try:
            diff = compare(SiteState(name="before", plan=before), SiteState(name="after", plan=after), self._options)
        except FabricError:
            return Risk.UNKNOWN, ()
        devices = {name for group in diff.meaning for name in group.devices}
        devices |= {name for group in diff.text for name in group.devices}
        return diff.risk, tuple(sorted(devices))


def _changes(before: int, after: int, new: Plan, steps: _Steps, table: Table) -> Iterator[DefaultChange]:
    values = dict(values_at(before, table))
    opened: list[tuple[Default, tuple[str, ...]]] = [
        (row, tuple(".".join(place) for place in open_places(new.intent, row.path)))
        for row in changed_between(before, after, table)
    ]
    plan = steps.plan(values) if any(places for _, places in opened) else None
    for row, places in opened:
        old_value, values[row.path] = values.get(row.path), row.value
        if places:
            previous_plan, plan = plan, steps.plan(values)
            risk, devices = steps.cost(previous_plan, plan)
            yield DefaultChange(places, str(old_value), str(row.value), row.why, risk, devices)
