"""Route distinguishers that are in effect although FRR does not print them.

If a configured RD is the one that a VNI or VRF uses already, FRR 8.4.4 does nothing, and so prints no `rd` line:
bgp_evpn_vni_rd, bgp_evpn_vrf_rd, write_vni_config and bgp_config_write_evpn_info in bgpd/bgp_evpn_vty.c. In use is the
automatic one, the router id and a number from the order in which VNIs and VRFs were created (bgp_evpn_derive_auto_rd in
bgp_evpn.c), and in a VRF whose `rd` line was removed the value of that line (evpn_unconfigure_vrf_rd leaves it). So
this module asks the daemon.
"""

import re
from collections.abc import Iterable, Iterator

from napalm_frr.paths import Path, paths
from napalm_frr.shell import Shell

INSTANCE = re.compile(r"router bgp \d+(?: vrf (\S+))?")
EVPN = "address-family l2vpn evpn"
VNI = re.compile(r"vni (\d+)")
DISTINGUISHER = re.compile(r"rd (\S+)")
DEFAULT = "default"  # name of the default VRF
LAYER_2 = "L2"

Owner = tuple[str, str]
"""Owner of an RD: ("vni", number) or ("vrf", name)."""


def unprinted(running: str, candidate: str) -> tuple[Path, ...]:
    """The `rd` lines of a candidate that the running configuration lacks, in BGP instances that exist."""
    have = frozenset(paths(running))
    return tuple(path for path in paths(candidate) if _owner(path) and path[:1] in have and path not in have)


def rds_in_use(shell: Shell, lines: Iterable[Path]) -> frozenset[Path]:
    """Those of the lines whose value is the RD in use. Asks bgpd once, or not at all if there are no lines."""
    owners = {path: owner for path in lines if (owner := _owner(path))}
    if not owners:
        return frozenset()
    used = dict(_in_use(shell, owners.values()))
    return frozenset(path for path, owner in owners.items() if path[-1] == f"rd {used.get(owner)}")


def _owner(path: Path) -> Owner | None:
    """Owner of the RD that a line sets, or None."""
    instance = INSTANCE.fullmatch(path[0])
    if instance is None or path[1:2] != (EVPN,) or not DISTINGUISHER.fullmatch(path[-1]):
        return None
    if len(path) == 3:
        return "vrf", instance[1] or DEFAULT
    vni = VNI.fullmatch(path[2])
    return ("vni", vni[1]) if vni and len(path) == 4 else None


def _in_use(shell: Shell, owners: Iterable[Owner]) -> Iterator[tuple[Owner, str]]:
    """RDs of these VRFs and of all VNIs."""
    vrfs = dict.fromkeys(name for kind, name in owners if kind == "vrf")
    # vtysh stops at a command that fails, and this one fails without EVPN: it comes last.
    commands = [*(f"show bgp vrf {name} vni json" for name in vrfs), "show bgp l2vpn evpn vni json"]
    for value in shell.values(commands):
        if "vrf" in value:
            yield ("vrf", str(value["vrf"])), str(value.get("rd"))
        for name, row in value.items():
            # The same list has the L3 VNIs, whose RD is the VRF's.
            if isinstance(row, dict) and row.get("type") == LAYER_2:
                yield ("vni", name), str(row.get("rd"))
