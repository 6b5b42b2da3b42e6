"""VRFs that the files of a commit have just made, and that FRR hears of from the kernel in its own time."""

import re
import time

from napalm_frr.shell import Shell

_INSTANCE = re.compile(r"^router bgp \d+ vrf (\S+)$", re.MULTILINE)
_ACTIVE = re.compile(r"^vrf (\S+) id \d+", re.MULTILINE)
SECONDS, PAUSE_SECONDS = 10, 0.2


def known(shell: Shell, text: str) -> None:
    """Wait until FRR knows every VRF that a configuration has a BGP instance of; not for ever, as some may come later.

    bgpd 8.4 forgets `redistribute` of an instance that is configured before its VRF is known: the wish is kept by the
    VRF's number, which there is none of yet (bgp_redistribute_set in bgpd/bgp_zebra.c, vrf_bitmap_set in lib/vrf.c),
    and nothing makes it again when the VRF comes. Its connected routes were then never announced.
    """
    wanted, deadline = set(_INSTANCE.findall(text)), time.monotonic() + SECONDS
    while wanted - set(_ACTIVE.findall(shell.vtysh("show vrf"))):
        if time.monotonic() > deadline:
            return
        time.sleep(PAUSE_SECONDS)
    if wanted:
        shell.vtysh("show bgp vrfs")  # bgpd answers after it has read what zebra sent before
