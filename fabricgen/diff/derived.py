"""Changes of numbers that a platform derives itself: no field of a Device holds them, so they can move unseen."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import ChangeScope, device_change
from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS

KIND = "device.derived"


def derived_changes(before: Device, after: Device) -> Iterator[DeviceChange]:
    """One change per derived number that differs. None if the platform differs: then they are not comparable."""
    if before.system != after.system:
        return
    derived = PLATFORMS[after.system].derived
    old, new = derived(before), derived(after)
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name, ""), new.get(name, "")
        if was != now:
            yield device_change(KIND, was, now, ChangeScope(name))
