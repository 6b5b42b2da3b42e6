"""Values of one Device that EOS cannot be configured with, reported at the intent's line before anything is written."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import Problem

ROOT = "root"
"""Linux's administrator. A fresh EOS has `no aaa root`, and so have our files: root cannot log in (Arista EOS Hardening
Guide, "root login is disabled by default"; templates/eos/NOTES.md)."""


def limits(device: Device) -> Iterator[Problem]:
    """Problems of this switch."""
    for user in device.management.users:
        if user.name == ROOT:
            yield Problem(
                code="platform-cannot",
                what=f"{device.name} cannot have the user {ROOT}",
                where=("management", "users", ROOT),
                why="EOS already has this account, and `no aaa root` disables its login (Arista EOS Hardening Guide)",
                fix="use another user name",
            )
