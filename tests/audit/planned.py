"""A site as its Devices have it, with rows that a test changes before the switches are viewed together."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from fabricgen.audit.properties import violations
from fabricgen.audit.site_view import End, Outside, SiteView, cables_of, leaks_of, outside_of
from fabricgen.audit.views import planned_rows, view_of
from fabricgen.audit.violations import ViolationGroup
from fabricgen.device.device import Device
from fabricgen.readback.intended import intended
from fabricgen.readback.rows import Key, Value
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

ROOT = Path(__file__).parents[2]
Rows = dict[str, dict[Key, Value]]
"""Switch → its rows."""
Change = Callable[[Rows], None]


@cache
def site_devices(intent: Path) -> tuple[Device, ...]:
    """Every Device of a site."""
    return tuple(devices(open_workspace(intent).plan))


def site_view(switches: tuple[Device, ...], change: Change) -> SiteView:
    """The site after a change of its rows. A switch whose rows a change takes away has no configuration."""
    rows = {device.name: intended(device) for device in switches}
    change(rows)
    names = frozenset(device.name for device in switches)
    cables: dict[End, End] = {}
    outside: set[Outside] = set()
    leaks: dict[tuple[str, str], frozenset[str]] = {}
    for device in switches:
        cables |= cables_of(device, names)
        outside |= outside_of(device)
        leaks |= leaks_of(device)
    views = [view_of(device, planned_rows(rows[device.name])) for device in switches if device.name in rows]
    return SiteView(views, cables, frozenset(outside), leaks)


def violated(switches: tuple[Device, ...], change: Change) -> list[ViolationGroup]:
    """What the properties say after a change."""
    return [*violations(site_view(switches, change))]
