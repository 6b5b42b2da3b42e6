"""Facts of what a platform gives itself: no field of a Device holds it, and it can move under something that stays."""

from collections.abc import Iterator

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.device.device import Device
from fabricgen.platforms import PLATFORMS

KIND = "device.derived"


def derived_facts(before: Device, after: Device) -> Iterator[DeviceChange]:
    """One fact for each of a platform's own numbers that differs. None where the system does: nothing is comparable."""
    if before.system != after.system:
        return
    derived = PLATFORMS[after.system].derived
    old, new = derived(before), derived(after)
    for what in dict.fromkeys((*old, *new)):
        was, now = old.get(what, ""), new.get(what, "")
        if was != now:
            yield DeviceChange(KIND, _change(was, now), what, was, now)


def _change(was: str, now: str) -> ChangeOp:
    if not was:
        return ChangeOp.ADDED
    return ChangeOp.CHANGED if now else ChangeOp.REMOVED
