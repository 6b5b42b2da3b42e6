"""Values of one Device that EOS cannot be configured with, reported at the intent's line before anything is written."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.errors import Problem

ROOT = "root"
"""Linux's administrator. A fresh EOS has `no aaa root`, and so have our files: root cannot log in (Arista EOS Hardening
Guide, "root login is disabled by default"; templates/eos/NOTES.md)."""

MOST_KEYS = 2


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
        if len(user.ssh_keys) > MOST_KEYS:
            yield Problem(
                code="platform-limit",
                what=f"{device.name} cannot have {len(user.ssh_keys)} SSH keys of {user.name}",
                where=("management", "users", user.name, "ssh_keys"),
                why=f"EOS has {MOST_KEYS} for each user, a primary and a secondary one (PyAVD 6.4.0, local_users)",
                fix=f"list {MOST_KEYS}, and give other people users of their own",
            )
