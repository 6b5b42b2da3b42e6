"""The routing of Cumulus Linux in a lab."""

from collections.abc import Mapping

from fabricgen.platforms.cumulus.lab.nvue_frr import read_routing
from fabricgen.platforms.cumulus.names import vrf_names
from fabricgen.platforms.cumulus.platform import CUMULUS as PLATFORM
from fabricgen.platforms.linux.lab.routing import LabRouting, RoutingText


def _routing(files: Mapping[str, str], _: str) -> RoutingText:
    return read_routing(files[PLATFORM.main])


CUMULUS = LabRouting(
    _routing, vrf_names, "what NVUE writes into frr.conf, by NVIDIA's documented pairs, without limits of EVPN routes"
)
