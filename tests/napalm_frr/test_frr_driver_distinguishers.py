"""Route distinguishers that FRR had by itself: it does not print them, and a candidate that names them is reached.

One switch with two VNIs of the kernel and a tenant. Whatever RDs they came to is read from vtysh's own text.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from napalm_frr import FRRDriver
from napalm_frr.distinguishers import rds_in_use, unprinted
from napalm_frr.shell import Shell
from napalm_frr.transport import Local
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr import switches

VNIS = {"near": 10010, "far": 10011}
TEXT = """frr defaults datacenter
hostname box
no zebra nexthop kernel enable
vrf tenant
 vni 50001
exit-vrf
router bgp 65000
 bgp router-id 10.0.0.1
 address-family l2vpn evpn
  advertise-all-vni
{near}{far} exit-address-family
exit
router bgp 65000 vrf tenant
 bgp router-id 10.0.0.1
{more} address-family l2vpn evpn
  advertise ipv4 unicast
{tenant} exit-address-family
exit
"""
OTHERS = {"near": "10.0.0.1:77", "tenant": "10.0.0.1:78"}
Own = dict[str, str]


def _text(own: Own, more: str = "", **rds: str) -> str:
    """A candidate that names the RDs in use, or those that are given."""
    want = {**own, **rds}
    vnis = {name: f"  vni {vni}\n   rd {want[name]}\n  exit-vni\n" for name, vni in VNIS.items()}
    return TEXT.format(**vnis, tenant=f"  rd {want['tenant']}\n", more=more)


def _unsaid(own: Own) -> str:
    """The same without the tenant's."""
    return _text(own).replace(f"  rd {own['tenant']}\n", "")


@pytest.fixture(scope="module")
def box() -> Iterator[Loaded]:
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    bare = {name: f"  vni {vni}\n  exit-vni\n" for name, vni in VNIS.items()}
    with frr.load(TEXT.format(**bare, tenant="", more=""), ("tenant",)) as found:
        for vni in VNIS.values():
            switches.tunnel(found, vni, "10.0.0.1")
        yield found


def _used(box: Loaded) -> Own:
    commands = {name: f"show bgp l2vpn evpn vni {vni}" for name, vni in VNIS.items()}
    said = {name: box.show(command) for name, command in {**commands, "tenant": "show bgp vrf tenant vni"}.items()}
    return {name: found[1] for name, text in said.items() if (found := re.search(r"^ +RD: (\S+)$", text, re.MULTILINE))}


@pytest.fixture(scope="module")
def own(box: Loaded) -> Own:
    """The RDs that FRR gave by itself: the router id and a number."""
    becomes({"near", "far", "tenant"}, lambda: set(_used(box)))
    found = _used(box)
    assert {rd.partition(":")[0] for rd in found.values()} == {"10.0.0.1"}
    assert len(set(found.values())) == len(found)
    return found


@pytest.fixture
def driver(box: Loaded, own: Own, tmp_path: Path) -> Iterator[FRRDriver]:
    """Of the switch with its own RDs in use and none printed, before and after."""
    with switches.opened(box, tmp_path, mount=str(switches.zebra(box) / "ns" / "mnt")) as found:
        yield found
        found.load_replace_candidate(config=_text(own))
        found.commit_config()
        if _distinguishers(found):
            found.load_replace_candidate(config=_unsaid(own))
            found.commit_config()
        assert _distinguishers(found) == []
        assert _used(box) == own


def _distinguishers(driver: FRRDriver) -> list[str]:
    return re.findall(r"^ +(rd .*)$", driver.get_config("running")["running"], re.MULTILINE)


def _told(driver: FRRDriver, config: str) -> list[str]:
    driver.load_replace_candidate(config=config)
    return [line for line in driver.compare_config().splitlines() if line[0] != " "]


def test_a_candidate_that_names_them_is_reached(driver: FRRDriver, box: Loaded, own: Own, tmp_path: Path) -> None:
    """With nothing else to change nothing is applied; with one line more, they are no obstacle."""
    assert _told(driver, _text(own)) == []
    driver.commit_config()
    assert not (tmp_path / box.namespace).exists(), "frr-reload.py has run"
    timed = _text(own, " timers bgp 5 15\n")
    assert _told(driver, timed) == ["+ timers bgp 5 15"]
    driver.commit_config()
    assert (tmp_path / box.namespace).exists()
    assert _distinguishers(driver) == []
    assert driver.compare_config() == ""
    driver.rollback()
    assert _told(driver, _text(own)) == []


def test_others_are_differences_and_the_way_back_is_free(driver: FRRDriver, box: Loaded, own: Own) -> None:
    """By way of no line at all: the VNI then has its own again, and the tenant keeps what it had.

    FRR's evpn_unconfigure_vrf_rd does not bring the automatic one back, and prints nothing.
    """
    assert [line.split() for line in _told(driver, _text(own, **OTHERS))] == [["+", "rd", rd] for rd in OTHERS.values()]
    driver.commit_config()
    assert driver.compare_config() == ""
    assert _distinguishers(driver) == [f"rd {rd}" for rd in OTHERS.values()]
    assert len(_told(driver, _text(own))) == 4
    driver.load_replace_candidate(config=_unsaid(own))
    driver.commit_config()
    assert _distinguishers(driver) == []
    assert _used(box) == {**own, "tenant": OTHERS["tenant"]}
    assert _told(driver, _text(own, tenant=OTHERS["tenant"])) == []
    assert [line.split() for line in _told(driver, _text(own))] == [["+", "rd", own["tenant"]]]


def test_a_printed_one_gives_way_to_that_which_is_not(driver: FRRDriver, box: Loaded, own: Own) -> None:
    """FRR prints nothing in its place, and the commit is kept."""
    driver.load_replace_candidate(config=_text(own, near=OTHERS["near"]))
    driver.commit_config()
    assert len(_told(driver, _text(own))) == 2
    driver.commit_config()
    assert driver.compare_config() == ""
    assert _distinguishers(driver) == []
    assert _used(box) == own


def test_that_of_another_vni_is_a_difference(driver: FRRDriver, own: Own) -> None:
    told = _told(driver, _text(own, near=own["far"], far=own["near"]))
    assert sorted(line.split()[-1] for line in told) == sorted((own["near"], own["far"]))
    (line,) = _told(driver, _text(own, tenant=own["near"]))
    assert line.split() == ["+", "rd", own["near"]]


def test_a_merge_of_them_is_none(driver: FRRDriver, own: Own) -> None:
    words = f"router bgp 65000 vrf tenant\n address-family l2vpn evpn\n  rd {{}}\nrouter bgp 65000\n \
address-family l2vpn evpn\n  vni {VNIS['near']}\n   rd {{}}\n"
    driver.load_merge_candidate(config=words.format(own["tenant"], own["near"]))
    assert driver.compare_config() == ""
    driver.discard_config()
    driver.load_merge_candidate(config=words.format(own["tenant"], OTHERS["near"]))
    assert [line for line in driver.compare_config().splitlines() if line[0] != " "] == [f"+   rd {OTHERS['near']}"]


RUNNING = "router bgp 65000\n address-family l2vpn evpn\n  vni 1\n   rd 1:1\nrouter bgp 65000 vrf a\n"
LINES = (
    ("router bgp 65000", "rd 1:2"),
    ("router bgp 65000", "address-family ipv4 unicast", "rd 1:2"),
    ("router bgp 65000", "address-family l2vpn evpn", "vni 1", "rd 1:1"),
    ("router bgp 65000", "address-family l2vpn evpn", "vni 1", "route-target import 1:2"),
    ("router bgp 65001", "address-family l2vpn evpn", "rd 1:2"),
    ("router bgp 65000 vrf b", "address-family l2vpn evpn", "rd 1:2"),
    ("vni 1", "rd 1:2"),
)
ASKED = (
    ("router bgp 65000", "address-family l2vpn evpn", "rd 1:2"),
    ("router bgp 65000", "address-family l2vpn evpn", "vni 1", "rd 1:2"),
    ("router bgp 65000 vrf a", "address-family l2vpn evpn", "rd 1:2"),
)


@pytest.mark.parametrize("path", [*LINES, *ASKED])
def test_the_daemon_is_asked_for_rds_that_running_lacks_alone(path: tuple[str, ...]) -> None:
    text = "".join(f"{' ' * depth}{line}\n" for depth, line in enumerate(path))
    assert unprinted(RUNNING, text) == ((path,) if path in ASKED else ())


def test_without_such_lines_no_daemon_is_asked() -> None:
    """The transport is not even open."""
    assert rds_in_use(Shell(transport=Local("box", {}), host="box", seconds=1), ()) == frozenset()
