"""Neighbors of NX-OS that follow each other and are alike: of the plan they have little of their own.

Ports are no such blocks: the speed of one is said in another line, of its cage.
"""

import re

from fabricgen.device.device import Device
from fabricgen.readback import addresses
from fabricgen.readback.platform import Files
from fabricgen.readback.rows import new
from fabricgen.readback.runs import (
    VALUE,
    Kind,
    Own,
    OwnSession,
    Shortened,
    planned_sessions,
    shortened,
    without_sessions,
)

MAIN = "running-config"


def _session(block: re.Match[str]) -> tuple[object, Own]:
    name, remote, description, others = block.groups()
    return others, new(OwnSession, (name, description, remote))


_OTHERS = r"(?:\n    +(?!description |remote-as )\S.*)+"
SESSIONS = Kind(
    block=re.compile(rf"\n  neighbor (\S+)\n    remote-as (\S+)\n    description {VALUE}({_OTHERS})"),
    parted=_session,
    mention=re.compile(r"neighbor\s+(\S+)"),
    plain=addresses.address,
    planned=planned_sessions,
    without=without_sessions,
)


def without_copies(device: Device, files: Files) -> Shortened | None:
    """The one file of a switch without the copies of runs."""
    return shortened(device, files[MAIN], (SESSIONS,)) if files.keys() == {MAIN} else None
