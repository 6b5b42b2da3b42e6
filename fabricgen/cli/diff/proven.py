"""What holds in the new state, and which failures cost more than in the old one: notes of a difference."""

from collections.abc import Iterator
from pathlib import Path

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import tried, violations
from fabricgen.audit.switch import audited
from fabricgen.base.text import counted
from fabricgen.cli.what_if.run import unsound
from fabricgen.cli.what_if.text import smaller_texts, uncompared_texts, worse_text
from fabricgen.failures.comparison import compared
from fabricgen.failures.report import FabricFailures, FabricQuestion, failures_of
from fabricgen.plan.plan import Plan
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices

MOST = 5
"""Violations, and kinds of failures, that are listed."""
SINGLE = FabricQuestion(pairs=False, fail=None, groups=())


def proven(old: Plan | None, new: Plan, templates: Path | None) -> Iterator[str]:
    """Sentences about the new state. Raises FabricError where a switch cannot be rendered."""
    yield from _texts(new, templates)
    yield from _failures(old, new)


def _texts(plan: Plan, templates: Path | None) -> Iterator[str]:
    """Render every switch in memory, read it back, and hold all of them to the properties."""
    renderer, site, switches = Renderer(templates), GatheredSite(), list(devices(plan))
    odd, added = list[str](), 0
    names = frozenset(device.name for device in switches)
    for device in switches:
        files = {file.name: file.text for file in renderer.render(device)}
        audit = audited(device, files, filled=False)
        site.add(plan.fabrics[device.fabric], device, audit, names)
        odd += [] if audit.is_exact else [device.name]
        added += len(audit.unread) + len(audit.added)
    if odd:
        yield f"the rendered text of {len(odd)} switches is not what the plan asks for, first {odd[0]}: see `audit`"
    read, planned = site.sides()
    found = list(violations(read, planned))
    broken = {row.property for row in found}
    holding = [name for name in tried(read) if name not in broken]
    understood = f" but {counted(added, 'line')} that {'was' if added == 1 else 'were'} not understood" if added else ""
    yield f"holds in the new state, by the text of {len(switches)} switches{understood}: {', '.join(holding)}"
    yield from (f"does not hold: {row.property}: {row.switch}: {row.what[0]}; {row.why}" for row in found[:MOST])
    if len(found) > MOST:
        yield f"does not hold: and {counted(len(found) - MOST, 'more violation')}: see `audit`"


def _failures(old: Plan | None, new: Plan) -> Iterator[str]:
    """Sentences about failures of the two plans. The text has no part in them."""
    if old is None or unsound(old) or unsound(new):
        yield "failures of the two states cannot be compared: one of them has no sound plan"
        return
    comparison = compared(_all(old), _all(new))
    rows = comparison.worse
    if not rows and new.fabrics.keys() - set(comparison.new):
        yield "no single failure has a worse worst case than before (computed from the plan)"
    yield from (f"costs more than before (computed from the plan): {worse_text(row)}" for row in rows[:MOST])
    if len(rows) > MOST:
        yield f"{len(rows) - MOST} more kinds of failures cost more than before: see `what-if --against`"
    yield from smaller_texts(comparison)
    yield from (f"failures {text}" for text in uncompared_texts(comparison))


def _all(plan: Plan) -> Iterator[FabricFailures]:
    return (failures_of(plan, fabric, SINGLE) for fabric in plan.fabrics.values())
