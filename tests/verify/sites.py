"""Small sites as Devices: the FRR site, healthy and with parts drained or absent."""

from functools import cache

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.resolve.device import devices
from tests.frr.site import single_homed

NONE = Exceptions()


def site(exceptions: Exceptions = NONE) -> tuple[Device, ...]:
    """Every switch of the FRR site."""
    catalog, intent = load_catalog(None), single_homed()
    return tuple(devices(make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), exceptions)))


@cache
def healthy() -> tuple[Device, ...]:
    """The site as its intent stands."""
    return site()
