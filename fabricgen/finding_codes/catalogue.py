"""All checks of a live fabric."""

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
