"""What a break of the code on purpose went unfound by: EVPN routes of EOS that are known and not used."""

from fabricgen.platforms.eos.live import reader as eos
from fabricgen.state.state import EvpnRoute
from tests.live.eos_shown import of


def test_a_path_that_is_not_active_is_no_route() -> None:
    """ANTA VerifyEVPNType5Routes reads `routeType` for `active` and `valid` of each path; recorded paths have both."""

    def path(hop: str, active: bool) -> object:
        return {"nextHop": hop, "routeType": {"active": active, "valid": active}}

    def row(*paths: object) -> object:
        detail = {"rd": "10.0.0.1:10", "nlriType": "ip-prefix", "ipGenPrefix": "10.9.0.0/24"}
        return {"routeKeyDetail": detail, "evpnRoutePaths": list(paths)}

    name = "RD: 10.0.0.1:10 ip-prefix 10.9.0.0/24"
    one = of(eos.EVPN_ROUTES, {"evpnRoutes": {name: row(path("10.1.1.1", True), path("10.1.1.2", False))}})
    assert one.evpn == (EvpnRoute(5, "10.0.0.1:10", "10.9.0.0/24", "10.1.1.1"),)
    none = of(eos.EVPN_ROUTES, {"evpnRoutes": {name: row(path("10.1.1.2", False))}})
    assert none.evpn == ()
