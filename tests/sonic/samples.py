"""SONiC: what the tests of all platforms take of its own."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.sonic.live import drain
from tests.frr.samples import ROUTES as FRR_ROUTES
from tests.platforms.rich import backend, few
from tests.sonic import sites
from tests.sonic.test_sonic_reader import of
from tests.verify.hidden import Hidden

ROUTES = {f"vtysh -c '{command}'": output for command, output in FRR_ROUTES.items()}
"""EVPN routes of two leaves, of which one marks all of its own: `tests/live/test_marks.py`."""
MARKED = drain


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders.

    Of the oldest and the newest release: what the others print is printed by one of these (test_sonic_releases.py).
    """
    rows = (sample for sample in sites.samples() if sample[1] in (sites.RELEASES[0], sites.RELEASES[-1]))
    own = (sites.fleet(name, release)[at] for name, release, at in rows)
    return chain(own, few(backend("sonic", tenancy="evpn-type5")), few(iter(sites.guarded(sites.RELEASES[0]))))


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    leaf = of("tenants", "master", "fe-leaf-000")
    return leaf.said, leaf.vrfs


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return of("tenants", "master", "fe-leaf-000").expected.configuration or ""


def hidden() -> Hidden:
    """A file with secrets, and what the switch shows in place of one."""
    return Hidden(sites.files("managed", "master", 0)["config_db.json"], json.loads, "U2FsdGVkX1+abc=")
