"""The audit of a folder: each switch by itself, then all of them together."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from fabricgen.audit.folder import ConfigFolder
from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import tried, violations
from fabricgen.audit.switch import SwitchAudit, audited
from fabricgen.cli.audit.text import AuditReport, AuditTotal
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.fabric import name_of, present_places
from fabricgen.plan.name_patterns import name_advice
from fabricgen.plan.plan import Plan
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.rows import TextLine
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.verify.collect.redact_config import without_likely_secrets


def audit_report(plan: Plan, folder: ConfigFolder, typed: tuple[str, ...] = ()) -> AuditReport:
    """Read every switch, and hold them together to the properties unless some were picked.

    Raises FabricError for a name that the plan does not have, and for a file that cannot be read.
    """
    names = [name_of(fabric, place) for fabric in plan.fabrics.values() for place in present_places(fabric)]
    wanted = _wanted(typed, names)
    with _without_collector():
        return _report(plan, folder, frozenset(names), wanted)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Nothing that an audit reads and keeps has cycles: looking for them took a tenth of the time of 640 switches."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _report(plan: Plan, folder: ConfigFolder, known: frozenset[str], wanted: frozenset[str] | None) -> AuditReport:
    total, shown, site = AuditTotal(), list[SwitchAudit](), GatheredSite()
    for device, audit in _audits(plan, folder, wanted):
        total.add(audit)
        if not audit.is_exact:
            shown.append(_redacted(audit))
        if wanted is None:
            site.add(plan.fabrics[device.fabric], device, audit, known)
    read, planned = site.sides()
    return AuditReport(
        site=plan.intent.site,
        shown=tuple(shown),
        total=total,
        others=() if wanted is not None else folder.others(known),
        properties=() if wanted is not None or total.absent == total.switches else tried(read),
        violations=() if wanted is not None else tuple(violations(read, planned)),
    )


def _audits(plan: Plan, folder: ConfigFolder, wanted: frozenset[str] | None) -> Iterator[tuple[Device, SwitchAudit]]:
    renderer = Renderer()
    for device in devices(plan):
        if wanted is None or device.name in wanted:
            files = folder.files(device.name, READBACKS[device.system].main)
            rendered = {file.name: file.text for file in renderer.render(device)} if device.raw else None
            yield device, audited(device, files, filled=folder.filled, rendered=rendered)


def _redacted(audit: SwitchAudit) -> SwitchAudit:
    """The audit without secrets that a line holds which nobody has understood."""
    return audit._replace(unread=_sifted(audit.unread), added=_sifted(audit.added))


def _sifted(lines: tuple[TextLine, ...]) -> tuple[TextLine, ...]:
    return tuple(line._replace(text=without_likely_secrets(line.text)) for line in lines)


def _wanted(typed: tuple[str, ...], names: list[str]) -> frozenset[str] | None:
    """Names of the switches to read; None: all. Raises FabricError for a name that the plan does not have."""
    problems = [
        Problem(
            code="unknown-name",
            what=f"unknown switch {name}",
            why=f"the plan has {len(names)} switches, and none of this name",
            fix=name_advice(name, names),
        )
        for name in typed
        if name not in names
    ]
    if problems:
        raise FabricError(problems)
    return frozenset(typed) if typed else None
