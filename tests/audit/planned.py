"""A site as its Devices have it, with rows that a test changes before the switches are viewed together."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from fabricgen.audit.gathered import GatheredSite
from fabricgen.audit.properties import violations
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.switch import SwitchAudit
from fabricgen.audit.views import planned_rows, view_of
from fabricgen.audit.violations import ViolationGroup
from fabricgen.device.device import Device
from fabricgen.plan.plan import Plan
from fabricgen.readback.intended import intended
from fabricgen.readback.rows import Key, Value
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

ROOT = Path(__file__).parents[2]
Rows = dict[str, dict[Key, Value]]
"""Switch → its rows."""
Change = Callable[[Rows], None]


@cache
def site_plan(intent: Path) -> Plan:
    """The plan of a site."""
    return open_workspace(intent).plan


@cache
def site_devices(intent: Path) -> tuple[Device, ...]:
    """Every Device of a site."""
    return tuple(devices(site_plan(intent)))


def site_rows(intent: Path, switch: str) -> dict[Key, Value]:
    """The rows of one switch."""
    return next(intended(device) for device in site_devices(intent) if device.name == switch)


def site_view(intent: Path, change: Change) -> SiteView:
    """The site after a change of its rows. A switch whose rows a change takes away has no configuration."""
    switches, site = site_devices(intent), GatheredSite()
    rows = {device.name: intended(device) for device in switches}
    change(rows)
    names = frozenset(device.name for device in switches)
    for device in switches:
        audit = audit_by_rows(device, rows.get(device.name))
        site.add(site_plan(intent).fabrics[device.fabric], device, audit, names)
    return site.sides()[0]


def audit_by_rows(device: Device, rows: Mapping[Key, Value] | None) -> SwitchAudit:
    """The audit of a switch whose text has these rows, without findings; None: it has no configuration."""
    if rows is None:
        return SwitchAudit(device.name, device.system, device.fabric)
    view, planned = (view_of(device, planned_rows(side)) for side in (rows, intended(device)))
    return SwitchAudit(device.name, device.system, device.fabric, view=view, planned=planned)


def violated(intent: Path, change: Change) -> list[ViolationGroup]:
    """What the properties say after a change."""
    return [*violations(site_view(intent, change))]
