"""Wait until FRR knows the VRFs that the files of a commit have created; the kernel reports them asynchronously."""

import re
import time

from napalm_frr.shell import Shell

_INSTANCE = re.compile(r"^router bgp \d+ vrf (\S+)$", re.MULTILINE)
_ACTIVE = re.compile(r"^vrf (\S+) id \d+", re.MULTILINE)
SECONDS, PAUSE_SECONDS = 10, 0.2


def known(shell: Shell, text: str) -> None:
    """Wait until FRR knows every VRF that a configuration has a BGP instance of.

    The time is limited, as some VRFs may be created later. bgpd 8.4 loses `redistribute` of an instance that is
    configured before its VRF is known: it is stored by the VRF's number, which does not exist yet (bgp_redistribute_set
    in bgpd/bgp_zebra.c, vrf_bitmap_set in lib/vrf.c), and nothing restores it when the VRF appears. Its connected
    routes were then never announced.
    """
    vrf_names, deadline = set(_INSTANCE.findall(text)), time.monotonic() + SECONDS
    while vrf_names - set(_ACTIVE.findall(shell.vtysh("show vrf"))):
        if time.monotonic() > deadline:
            return
        time.sleep(PAUSE_SECONDS)
    if vrf_names:
        shell.vtysh("show bgp vrfs")  # bgpd answers after it has read what zebra sent before
