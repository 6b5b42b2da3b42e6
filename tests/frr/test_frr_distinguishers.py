"""VNIs that FRR hears of before it has read their RDs: what automatic RDs, of the router id, do to others' routes."""

import re
from collections.abc import Iterator

import pytest

from tests.frr.site import site
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr.switches import tunnel

ROUTER_ID, VTEP = "10.0.0.4", "10.0.0.5"
TEXT = f"""frr defaults datacenter
hostname box
router bgp 65000
 bgp router-id {ROUTER_ID}
 address-family l2vpn evpn
  advertise-all-vni
 exit-address-family
exit
"""
live = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")


@pytest.fixture
def box() -> Iterator[Loaded]:
    with frr.load(TEXT) as found:
        yield found


def _flooding(box: Loaded) -> dict[str, str]:
    """RD → VNI of the type-3 routes, as `show bgp` has them."""
    text = box.show("show bgp l2vpn evpn vni")
    vnis = {rd: vni for vni, rd in re.findall(r"^\* (\d+) +L2 +(\S+)", text, re.MULTILINE)}
    routes = box.show("show bgp l2vpn evpn route type multicast")
    found = re.findall(r"^Route Distinguisher: (\S+)\n\S* +\[3\]", routes, re.MULTILINE)
    return {rd: vnis.get(rd, "") for rd in found}


def _tell(box: Loaded, vni: int, rd: str) -> None:
    box.configure(("configure", "router bgp 65000", "address-family l2vpn evpn", f"vni {vni}", f"rd {rd}"))


@live
@pytest.mark.parametrize(("address", "stays"), [(ROUTER_ID, False), (VTEP, True)])
def test_a_vni_that_is_told_its_rd_late_takes_no_route_of_another_away(box: Loaded, address: str, stays: bool) -> None:
    """10011 comes before its lines and gets an automatic RD; 10010 has the planned one of that number."""
    tunnel(box, 10011, VTEP)
    becomes(["10011"], lambda: list(_flooding(box).values()))
    (automatic,) = _flooding(box)
    planned = f"{address}:{automatic.rpartition(':')[2]}"
    assert automatic.partition(":")[0] == ROUTER_ID
    tunnel(box, 10010, VTEP)
    becomes(2, lambda: len(_flooding(box)))
    _tell(box, 10010, planned)
    becomes(True, lambda: planned in _flooding(box))
    _tell(box, 10011, f"{address}:999")
    becomes(True, lambda: f"{address}:999" in _flooding(box))
    assert (planned in _flooding(box)) is stays


def test_no_planned_rd_is_one_that_frr_gives_by_itself() -> None:
    """Those are of the router id: bgp_evpn_derive_auto_rd and bgp_evpn_derive_auto_rd_for_vrf, bgpd/bgp_evpn.c."""
    found = 0
    for switch in site().values():
        bgp = switch.device.routing.bgp
        for rd in re.findall(r"^ +rd (\S+)$", switch.files["frr.conf"], re.MULTILINE):
            found += 1
            assert rd.partition(":")[0] != bgp.router_id
    assert found
