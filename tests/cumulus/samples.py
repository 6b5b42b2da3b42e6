"""Cumulus Linux: what the tests of all platforms take of its own."""

from collections.abc import Iterator, Mapping

import yaml

from fabricgen.device.device import Device
from fabricgen.device.management import Gnmi
from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.cumulus.live import drain
from fabricgen.platforms.cumulus.platform import CUMULUS
from fabricgen.platforms.readers import READERS
from tests.cumulus import fleet, shown_fabric
from tests.frr import samples as frr
from tests.verify.hidden import Hidden

MARKED, ROUTES = drain, frr.ROUTES


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders; leaves also of the newest release."""
    yield from (sample.device for sample in fleet.samples())
    for name in fleet.NAMES:
        if "-leaf-" in name:
            yield _newest(fleet.sample(name).device)


def _newest(device: Device) -> Device:
    """A switch of the newest release, with what the first one does not have."""
    return device._replace(
        version=CUMULUS.versions[-1],
        management=device.management._replace(gnmi=Gnmi(9339, "lab")),
        telemetry=device.telemetry._replace(load_interval_seconds=30),
    )


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    leaf = next(switch for name, switch in shown_fabric.site(shown_fabric.NUMBERED).items() if "fe-leaf" in name)
    return shown_fabric.outputs(leaf.says()), READERS["cumulus"].vrf_names(leaf.device)


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return shown_fabric.site(shown_fabric.NUMBERED)["fe-leaf-000"].expected.configuration or ""


def hidden() -> Hidden:
    """A file with secrets, and what the switch shows in place of one."""
    return Hidden(fleet.sample("site fe-border-01").text, yaml.safe_load, "$nvsec$e46935725a803cc4864d1c")
