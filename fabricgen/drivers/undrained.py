"""What stands in a Manner for a driver whose platform is not rendered yet: no drain, and nothing to see of one."""

from fabricgen.device.device import Device
from fabricgen.drivers.reader import Outputs, Read

NO_DRAIN = "Nothing drains a switch of this platform yet, as no configuration of it is rendered."

SIGNS: tuple[Read, ...] = ()


def drain(device: Device, running: str) -> str:
    """Return no line."""
    del device, running
    return ""


def seen(outputs: Outputs) -> frozenset[str]:
    """Return no peer."""
    del outputs
    return frozenset()
