"""All checks of a live fabric."""

from collections.abc import Mapping

from fabricgen.finding_codes.links import ADDRESSES, INTERFACES, LLDP, MTU, REACHABLE
from fabricgen.finding_codes.overlay import EVPN, PATHS, PINGS, VNIS
from fabricgen.finding_codes.routing import BFD, ISOLATION, ROUTES, SESSIONS
from fabricgen.finding_codes.settings import DRIFT, QOS

LIVE_CHECKS = (
    REACHABLE,
    INTERFACES,
    MTU,
    ADDRESSES,
    LLDP,
    SESSIONS,
    BFD,
    ROUTES,
    ISOLATION,
    VNIS,
    EVPN,
    QOS,
    DRIFT,
    PINGS,
    PATHS,
)
"""In the order in which `verify` prints them: lower layers first."""

CHECK_OF: Mapping[str, str] = {row.code: check.name for check in LIVE_CHECKS for row in check.codes}
"""Code of a finding → name of the check that has it."""
