"""What reading back finds in the small sites: `python -m tests.readback SYSTEM [MOST]`."""

# ruff: noqa: T201  # a command, and this is its output
import sys
from itertools import chain

from fabricgen.platforms.readbacks import READBACKS
from tests.readback.sites import intents, switches
from tests.readback.test_readback_sites import said

if __name__ == "__main__":
    system, most = sys.argv[1], int((*sys.argv, "60")[2])
    seen = [switch for switch in chain.from_iterable(map(switches, intents())) if switch[0].system == system]
    lines = [line for switch in seen for line in said(switch)]
    print(*lines[:most], sep="\n")
    print(f"{len(seen)} switches, {len(lines)} lines", READBACKS[system].main)
