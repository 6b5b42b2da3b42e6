"""Getters on live FRR: keys and types are NAPALM's, values are those of the fabric that was written by hand."""

import platform
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from napalm import get_network_driver
from napalm.base import models
from napalm.base.exceptions import CommandErrorException, CommandTimeoutException, ConnectionException

import napalm_frr
from napalm_frr import FRRDriver
from napalm_frr.getters_routes import _seconds
from napalm_frr.transport import Local, Result
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.models import faults

Fabric = Mapping[str, Loaded]
TENANTS = """frr defaults datacenter
hostname box
vrf tenant1
 vni 50001
exit-vrf
interface lo
 description of no tenant
exit
router bgp 65000
 bgp router-id 10.0.0.1
exit
router bgp 65000 vrf tenant1
 bgp router-id 10.0.0.1
 neighbor 192.0.2.1 remote-as 65001
 address-family l2vpn evpn
  rd 10.0.0.1:5
 exit-address-family
exit
"""


@pytest.fixture(scope="module")
def driver(wired: Fabric, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FRRDriver]:
    """leaf1, read alone, when its sessions are up."""
    switch = wired["leaf1"]
    with (
        switches.lldp(switch) as near,
        switches.lldp(wired["spine1"]),
        switches.lldp(wired["spine2"]),
        switches.opened(switch, tmp_path_factory.mktemp("state") / "none", lldp_socket=near) as found,
    ):
        becomes(True, lambda: all(_is_up(found, name) for name, _ in fabric.neighbors("leaf1")))
        becomes({"swp1", "swp2"}, lambda: set(found.get_lldp_neighbors()))
        becomes({"swp1", "swp2"}, switches.devices, switch, fabric.LOOPBACK["leaf2"])
        yield found


def _is_up(driver: FRRDriver, address: str) -> bool:
    return driver.get_bgp_neighbors()["global"]["peers"][address]["is_up"] is True


def test_napalm_finds_it() -> None:
    assert get_network_driver("frr") is napalm_frr.FRRDriver
    assert napalm_frr.__all__ == ["FRRDriver"]
    assert (Path(napalm_frr.__file__).parent / "py.typed").is_file()


MODELS = (
    ("get_facts", (), models.FactsDict),
    ("get_interfaces", (), dict[str, models.InterfaceDict]),
    ("get_interfaces_ip", (), dict[str, models.InterfacesIPDict]),
    ("get_lldp_neighbors", (), dict[str, list[models.LLDPNeighborDict]]),
    ("get_lldp_neighbors_detail", (), models.LLDPNeighborsDetailDict),
    ("get_bgp_neighbors", (), dict[str, models.BGPStateNeighborsPerVRFDict]),
    ("get_bgp_neighbors_detail", (), dict[str, dict[int, list[models.PeerDetailsDict]]]),
    ("get_route_to", ("10.0.1.2",), dict[str, list[models.RouteDict]]),
    ("get_route_to", ("10.0.0.0/8", "", True), dict[str, list[models.RouteDict]]),
    ("get_config", (), models.ConfigDict),
    ("get_arp_table", (), list[models.ARPTableDict]),
    ("get_ipv6_neighbors_table", (), list[models.IPV6NeighborDict]),
    ("get_network_instances", (), dict[str, models.NetworkInstanceDict]),
    ("is_alive", (), models.AliveDict),
    ("ping", ("172.16.11.0",), models.PingResultDict),
)


@pytest.mark.parametrize(("name", "arguments", "model"), MODELS)
def test_keys_and_types_are_those_of_napalm(
    driver: FRRDriver, name: str, arguments: tuple[Any, ...], model: object
) -> None:
    found = getattr(driver, name)(*arguments)
    assert found or name == "get_ipv6_neighbors_table"
    assert list(faults(found, model)) == []


def test_the_comparison_with_a_model_finds_faults() -> None:
    good: dict[str, object] = {"interface": "swp1", "mac": "A", "ip": "10.0.0.1", "age": 1.0}
    assert list(faults([good], list[models.ARPTableDict])) == []
    worse: tuple[object, ...] = ({**good, "age": 1}, {**good, "more": 1}, {"interface": "swp1"}, [])
    for bad in worse:
        assert list(faults([bad], list[models.ARPTableDict])) != []
    assert list(faults({1: good}, dict[str, models.ARPTableDict])) != []


def test_facts(driver: FRRDriver) -> None:
    facts = driver.get_facts()
    assert facts["hostname"] == "leaf1"
    assert facts["vendor"] == "FRRouting"
    assert facts["os_version"].count(".") >= 1
    assert facts["model"]
    assert facts["uptime"] == pytest.approx(time.clock_gettime(time.CLOCK_BOOTTIME), abs=60)
    assert set(facts["interface_list"]) == {"lo", "swp1", "swp2"}
    assert platform.node() != "leaf1"


def test_interfaces(driver: FRRDriver) -> None:
    found = driver.get_interfaces()
    assert found["swp1"]["description"] == "first port of leaf1"
    assert found["swp2"]["description"] == ""
    assert found["swp1"]["is_up"]
    assert found["swp1"]["mtu"] == 1500
    assert len(found["swp1"]["mac_address"].split(":")) == 6
    addresses = driver.get_interfaces_ip()
    assert addresses["swp1"]["ipv4"] == {"172.16.11.1": {"prefix_length": 31}}
    assert addresses["lo"]["ipv4"][fabric.LOOPBACK["leaf1"]] == {"prefix_length": 32}


def test_sessions(driver: FRRDriver) -> None:
    found = driver.get_bgp_neighbors()["global"]
    assert found["router_id"] == fabric.LOOPBACK["leaf1"]
    assert set(found["peers"]) == {address for address, _ in fabric.neighbors("leaf1")}
    for address, far in fabric.neighbors("leaf1"):
        peer = found["peers"][address]
        assert (peer["local_as"], peer["remote_as"]) == (65101, 65000)
        assert peer["remote_id"] == fabric.LOOPBACK[far]
        assert peer["description"] == far
        assert set(peer["address_family"]) == {"ipv4", "ipv6"}
        assert peer["address_family"]["ipv4"]["accepted_prefixes"] == 2  # the spine's loopback and the far leaf's
    detail = driver.get_bgp_neighbors_detail()["global"][65000]
    assert {row["remote_address"] for row in detail} == set(found["peers"])
    assert {row["holdtime"] for row in detail} == {9}
    one = driver.get_bgp_neighbors_detail("172.16.11.0")
    assert [row["local_address"] for row in one["global"][65000]] == ["172.16.11.1"]
    assert driver.get_bgp_neighbors_detail("192.0.2.1") == {}


def test_lldp(driver: FRRDriver) -> None:
    assert driver.get_lldp_neighbors() == {
        "swp1": [{"hostname": "spine1", "port": "swp1"}],
        "swp2": [{"hostname": "spine2", "port": "swp1"}],
    }
    assert set(driver.get_lldp_neighbors_detail("swp2")) == {"swp2"}
    (row,) = driver.get_lldp_neighbors_detail("swp1")["swp1"]
    assert row["remote_system_description"] == "switch of a test"
    assert "router" in row["remote_system_capab"]


def test_routes(driver: FRRDriver) -> None:
    (prefix, ways), *others = driver.get_route_to(fabric.LOOPBACK["leaf2"]).items()
    assert not others
    assert prefix == f"{fabric.LOOPBACK['leaf2']}/32"
    assert {(way["outgoing_interface"], way["next_hop"]) for way in ways} == {
        ("swp1", "172.16.11.0"),
        ("swp2", "172.16.12.0"),
    }
    assert {way["protocol"] for way in ways} == {"BGP"}
    assert {way["protocol_attributes"]["as_path"] for way in ways} == {"65000 65102"}
    assert all(way["selected_next_hop"] and way["current_active"] for way in ways)
    assert driver.get_route_to("172.16.11.0/31", protocol="bgp") == {}
    assert set(driver.get_route_to("10.0.1.0/24", longer=True)) >= {"10.0.1.1/32", "10.0.1.2/32"}
    assert driver.get_route_to("192.0.2.1") == {}
    for bad in ("leaf2", "10.0.0.1; id", "10.0.0.0/33"):
        with pytest.raises(CommandErrorException, match="leaf1"):
            driver.get_route_to(bad)


@pytest.mark.parametrize(
    ("text", "seconds"), [("00:01:02", 62), ("1d02h03m", 93780), ("01w2d03h", 788400), ("never", 0)]
)
def test_ages(text: str, seconds: int) -> None:
    assert _seconds(text) == seconds


def test_ping(driver: FRRDriver) -> None:
    found = driver.ping("10.0.1.2", source="10.0.1.1", count=3)["success"]
    assert (found["probes_sent"], found["packet_loss"], len(found["results"])) == (3, 0, 3)
    assert found["results"][0]["ip_address"] == "10.0.1.2"
    assert 0 < found["rtt_min"] <= found["rtt_avg"] <= found["rtt_max"]
    lost = driver.ping("172.16.11.77", source_interface="swp1", timeout=1, count=2)["success"]
    assert (lost["packet_loss"], lost["results"]) == (2, [])
    assert "unreachable" in driver.ping("192.0.2.1")["error"]


def test_cli_runs_vtysh_and_programs_that_read(driver: FRRDriver) -> None:
    text = driver.cli(["show bgp summary", "ip route show", "bridge link show"])
    assert "172.16.11.0" in text["show bgp summary"]
    assert "proto bgp" in text["ip route show"]
    read = driver.cli(
        ["show bgp summary json", "ip -j route show 10.0.1.2", "ip -j route show 192.0.2.0/24", "tc -j qdisc show"],
        "json",
    )
    assert read["show bgp summary json"]["ipv4Unicast"]["as"] == 65101
    assert {hop["dev"] for hop in read["ip -j route show 10.0.1.2"][0]["nexthops"]} == {"swp1", "swp2"}
    assert read["ip -j route show 192.0.2.0/24"] == []
    lldp = "lldpcli -f json0 show neighbors details"
    assert driver.cli([lldp], "json")[lldp]["lldp"][0]["interface"]
    assert isinstance(driver.cli(["show route-map NONE json"], "json")["show route-map NONE json"], list)


REFUSED = (
    ("show nonsense", "Unknown command"),
    ("show version\nconfigure", "one line"),
    ("show\nconfigure", "one line"),
    ("clear bgp *", "clear bgp .*only `show …` is run.*cli_any"),
    ("configure terminal", "only `show"),
    ("write memory", "only `show"),
    ("sh version", "in full"),
    ("shutdown", "only `show"),
    ("", "only `show"),
    ("ip link set swp1 down", "found `set`"),
    ("ip -j l s", "full words"),
    ("ip -b /etc/hostname link", "option -b of ip"),
    ("ip -j -batch /etc/hostname link", "option -batch of ip"),
    ("ip netns exec x id", "found `exec`"),
    ("ip route add 10.0.0.0/8 dev lo", "found `add`"),
    ("ip route; id", "full words"),
    ("ip 'link", "quotation"),
    ("ip", "full words"),
    ("bridge fdb flush dev swp1", "found `flush`"),
    ("tc qdisc del dev swp1 root", "found `del`"),
    ("nft flush ruleset", "nft list"),
    ("nft -f /etc/hostname", "option -f of nft"),
    ("sysctl -w net.ipv4.ip_forward=0", "option -w of sysctl"),
    ("sysctl net.ipv4.ip_forward=0", "names alone.*ip_forward=0"),
    ("sysctl net.ipv4.ip_forward -p /etc/hostname", "names alone.*-p"),
    ("sysctl -p", "option -p of sysctl"),
    ("sysctl --system", "option --system of sysctl"),
    ("cat /etc/shadow", "cat is run for one of /etc/frr/frr.conf"),
    ("cat /etc/frr/frr.conf /etc/shadow", "cat is run for one of"),
    ("cat", "cat is run for one of"),
    ("lldpcli configure system hostname x", "lldpcli show"),
    ("lldpcli -c /etc/hostname show neighbors", "option -c of lldpcli"),
    ("ping 127.0.0.1", "count"),
    ("ip link show nothing9", "nothing9"),
)


@pytest.mark.parametrize(("command", "told"), REFUSED)
def test_cli_names_what_it_does_not_run(driver: FRRDriver, command: str, told: str) -> None:
    with pytest.raises(CommandErrorException, match=told) as raised:
        driver.cli([command])
    assert "leaf1" in str(raised.value)


def test_cli_runs_any_command_where_that_is_asked_for(wired: Fabric, tmp_path: Path) -> None:
    with switches.opened(wired["leaf1"], tmp_path, cli_any=True) as driver:
        found = driver.cli(["sh version", "clear bgp ipv4 unicast 192.0.2.99"])
        assert "FRRouting" in found["sh version"]
        assert "Unknown neighbor" in found["clear bgp ipv4 unicast 192.0.2.99"]
        with pytest.raises(CommandErrorException, match="found `set`"):
            driver.cli(["ip link set swp1 down"])


TOGETHER = {
    "text": ("show version", "show daemons", "show running-config no-header", "show evpn vni json", "ip rule show"),
    "json": ("show bgp vrf all neighbors json", "show bgp l2vpn evpn json", "ip -j rule show", "ip -j -6 rule show"),
}


def _calls(driver: FRRDriver, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Commands that reach the switch's shell from here on."""
    found: list[str] = []
    run = Local.run

    def counted(self: Local, command: str, given: str, seconds: float) -> Result:
        found.append(command)
        return run(self, command, given, seconds)

    monkeypatch.setattr(Local, "run", counted)
    return found


@pytest.mark.parametrize("encoding", TOGETHER)
def test_commands_together_say_what_each_says_alone(
    driver: FRRDriver, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In fewer calls: vtysh's in one, those of programs in one, and what tells vtysh's apart in its own."""
    alone = {command: _shape(driver.cli([command], encoding)[command]) for command in TOGETHER[encoding]}
    calls = _calls(driver, monkeypatch)
    together = driver.cli(list(TOGETHER[encoding]), encoding)
    assert {command: _shape(value) for command, value in together.items()} == alone
    assert len(calls) == {"text": 2, "json": 2}[encoding]


def _shape(value: object, depth: int = 2) -> object:
    """An output without what moves while nothing happens: of texts the words, of JSON the outer keys."""
    if isinstance(value, str):
        return re.findall(r"[A-Za-z_-]+", value)
    if isinstance(value, dict) and depth:
        return {key: _shape(item, depth - 1) for key, item in value.items() if isinstance(item, dict)}
    return type(value)


@pytest.mark.parametrize("broken", ["show nonsense", "ip route show table nonsense"])
def test_of_commands_together_the_one_that_fails_is_named(driver: FRRDriver, broken: str) -> None:
    with pytest.raises(CommandErrorException, match=broken):
        driver.cli(["show version", "ip rule show", broken, "show bgp summary", "ip -6 rule show"])


def test_a_text_that_holds_what_stands_between_commands_is_read_alone(driver: FRRDriver) -> None:
    """`show daemons` is told apart from the line of it that stands between others."""
    found = driver.cli(["show version", "show daemons", "show bgp summary json", "show daemons"])
    assert found["show daemons"].split()[0] == "zebra"
    assert found["show version"].startswith("FRRouting")


def test_cli_wants_a_list_and_a_known_encoding(driver: FRRDriver) -> None:
    with pytest.raises(CommandErrorException, match="list of commands"):
        driver.cli("show version")  # type: ignore[arg-type]
    with pytest.raises(CommandErrorException, match="list of commands"):
        driver.cli(["show version"], "xml")
    with pytest.raises(CommandErrorException, match="no JSON"):
        driver.cli(["show version"], "json")
    with pytest.raises(CommandErrorException, match="no configuration"):
        driver.get_config("all", format="json")


def test_a_command_ends_with_its_time(wired: Fabric, tmp_path: Path) -> None:
    arguments = switches.arguments(wired["leaf1"], tmp_path, probe=False)
    short = get_network_driver("frr")("leaf1", "", "", timeout=1, optional_args=arguments)
    with short, pytest.raises(CommandTimeoutException, match="leaf1: no answer within 1 s"):
        short.cli(["ping -c 9 127.0.0.1"])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"namespace": "nowhere9"}, "no such namespace: /run/netns/nowhere9"),
        ({"pathspace": "nobody9"}, "FRR does not answer on leaf1"),
        ({"uts": "/nowhere9"}, "no such namespace: /nowhere9"),
    ],
)
def test_a_switch_that_is_not_there(wired: Fabric, tmp_path: Path, change: dict[str, str], told: str) -> None:
    arguments = {**switches.arguments(wired["leaf1"], tmp_path), **change}
    absent = get_network_driver("frr")("leaf1", "", "", timeout=5, optional_args=arguments)
    assert absent.is_alive() == {"is_alive": False}
    with pytest.raises(ConnectionException, match=told):
        absent.open()
    assert absent.is_alive() == {"is_alive": False}
    with pytest.raises(ConnectionException, match="leaf1"):
        absent.cli(["show version"])


def test_a_transport_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConnectionException, match="telnet"):
        get_network_driver("frr")("leaf1", "", "", optional_args={"transport": "telnet"})


def test_an_interface_that_is_down_is_told(wired: Fabric, tmp_path: Path) -> None:
    """Shut at one end: the near one is disabled, the far one enabled and down, with a time of its last change."""
    frr._must("ip", "-n", wired["leaf2"].namespace, "link", "set", "swp2", "down")
    try:
        with (
            switches.opened(wired["leaf2"], tmp_path) as near,
            switches.opened(wired["spine2"], tmp_path) as far,
        ):
            mine, theirs = near.get_interfaces()["swp2"], far.get_interfaces()["swp2"]
            assert (mine["is_enabled"], mine["is_up"]) == (False, False)
            assert (theirs["is_enabled"], theirs["is_up"]) == (True, False)
            becomes(True, lambda: far.get_interfaces()["swp2"]["last_flapped"] > 0)
            assert far.get_interfaces()["swp2"]["last_flapped"] == pytest.approx(time.time(), abs=60)
    finally:
        frr._must("ip", "-n", wired["leaf2"].namespace, "link", "set", "swp2", "up")
        becomes({"swp1", "swp2"}, switches.devices, wired["leaf1"], fabric.LOOPBACK["leaf2"])


def test_vrfs_that_are_namespaces(tmp_path: Path) -> None:
    """`netns` in their blocks is FRR's, and is neither a difference nor taken away by a replace."""
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    with frr.load(TENANTS, ("tenant1", "tenant2")) as box:
        mount = str(switches.zebra(box) / "ns" / "mnt")
        with switches.opened(box, tmp_path, mount=mount) as driver:
            found = driver.get_network_instances()
            assert list(faults(found, dict[str, models.NetworkInstanceDict])) == []
            assert {name: row["type"] for name, row in found.items()} == {
                "default": "DEFAULT_INSTANCE",
                "tenant1": "L3VRF",
                "tenant2": "L3VRF",
            }
            assert found["tenant1"]["state"] == {"route_distinguisher": "10.0.0.1:5"}
            assert found["tenant1"]["interfaces"]["interface"] == {"lo": {}}
            assert set(driver.get_network_instances("tenant2")) == {"tenant2"}
            assert driver.get_bgp_neighbors()["tenant1"]["peers"]["192.0.2.1"]["is_up"] is False
            assert {name: row["description"] for name, row in driver.get_interfaces().items()} == {"lo": "of no tenant"}
            driver.load_replace_candidate(config=TENANTS)
            assert driver.compare_config() == ""
            driver.load_replace_candidate(config=TENANTS.replace("remote-as 65001", "remote-as 65002"))
            driver.commit_config()
            assert driver.compare_config() == ""
            assert "vrf tenant1 id" in driver.cli(["show vrf"])["show vrf"]
            assert " netns /run/netns/tenant2" in driver.get_config("running")["running"].splitlines()
