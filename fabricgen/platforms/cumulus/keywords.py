"""How a release writes what is on or off, and which keys have what is below them."""

from typing import NamedTuple

from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.cumulus.releases import RENAMED


class Keywords(NamedTuple):
    """Words of a release.

    enabled, disabled  the line that turns something on or off
    on, off            the value of a key that does so by itself
    """

    enabled: str
    disabled: str
    on: str
    off: str


class Parent(NamedTuple):
    """The key that has a service below it: `service`, and then the VRF, or `system`."""

    in_service: bool
    in_system: bool


def is_renamed(version: str) -> bool:
    """Whether a release has the words of 5.15."""
    return is_at_least(version, RENAMED)


def keywords(version: str) -> Keywords:
    """Words of a release."""
    if is_renamed(version):
        return Keywords("state: enabled", "state: disabled", "enabled", "disabled")
    return Keywords("enable: on", "enable: off", "on", "off")


def parent(version: str, moved: str) -> Parent:
    """The key above a service that moved below `system` with a release."""
    in_system = is_at_least(version, moved)
    return Parent(not in_system, in_system)
