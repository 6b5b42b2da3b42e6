"""Switches of a backend that tenants share, whose chip a hardware file of the user's vouches for."""

from functools import cache

from fabricgen.device.device import Device
from fabricgen.resolve.device import devices
from tests.checks import shared


@cache
def sample(role: str, *, lossless: bool = True) -> Device:
    """The first switch of a role. Without `lossless`: traffic is best effort, on our own hardware files."""
    plan = shared.vouched() if lossless else shared.shared()
    return next(device for device in devices(plan) if device.fabric == "backend" and device.role == role)
