"""The FRR and ifupdown2 judges accept right texts and refuse wrong ones."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.judges import frr, interfaces
from tests.some import some

needs_frr = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")
needs_ifupdown2 = pytest.mark.skipif(interfaces.available() is not None, reason=f"judge: {interfaces.available()}")

SWITCH = """\
frr version 8.4.4
frr defaults datacenter
hostname leaf-1
log syslog informational
no zebra nexthop kernel enable
service integrated-vtysh-config
!
ip router-id 10.255.0.1
ip route 10.0.0.0/24 blackhole
!
vrf red
 vni 10001
exit-vrf
!
interface bond1
 evpn mh es-id 1
 evpn mh es-sys-mac 02:fe:00:00:00:01
exit
!
interface swp49
 description spine-1 swp1
 evpn mh uplink
exit
!
router bgp 4200000001
 bgp router-id 10.255.0.1
 bgp suppress-fib-pending
 no bgp default ipv4-unicast
 neighbor SPINES peer-group
 neighbor SPINES remote-as 4200000100
 neighbor SPINES bfd
 neighbor 10.1.0.1 peer-group SPINES
 neighbor 10.1.0.1 description spine-1 swp1
 !
 address-family ipv4 unicast
  network 10.0.0.0/24
  neighbor SPINES activate
  neighbor SPINES maximum-prefix 1000
  neighbor SPINES route-map SPINES-IN in
  maximum-paths 64
 exit-address-family
 !
 address-family l2vpn evpn
  neighbor SPINES activate
  advertise-all-vni
  vni 20
   rd 10.255.0.1:20
   route-target import 64512:20
   route-target export 64512:20
  exit-vni
 exit-address-family
exit
!
router bgp 4200000001 vrf red
 bgp router-id 10.255.0.1
 !
 address-family ipv4 unicast
  redistribute connected
 exit-address-family
 !
 address-family l2vpn evpn
  advertise ipv4 unicast
  rd 10.255.0.1:1
  route-target import 64512:10001
  route-target export 64512:10001
 exit-address-family
exit
!
ip prefix-list LOCAL seq 10 permit 10.0.0.0/24
!
bgp community-list standard GSHUT seq 10 permit graceful-shutdown
!
route-map SPINES-IN permit 10
 match community GSHUT
 match ip address prefix-list LOCAL
 set local-preference 0
exit
!
route-map SPINES-IN permit 20
exit
!
end
"""

# The dry run takes the first line as one of the enclosing block, which ends the address family.
EVPN_FILTER = "  neighbor SPINES prefix-list LOCAL in\n  advertise-all-vni\n"

# (what is wrong, line of SWITCH, what stands there instead, what is said)
UNPARSABLE = (
    ("unknown keyword", "  advertise-all-vni\n", "  advertise-all-vnis\n", "Unknown command"),
    ("mask beyond 32", "ip route 10.0.0.0/24 ", "ip route 10.0.0.0/33 ", "Unknown command"),
    ("AS number beyond 32 bits", "router bgp 4200000001\n", "router bgp 99999999999\n", "Unknown command"),
    ("path count out of range", "  maximum-paths 64\n", "  maximum-paths 9999\n", "Unknown command"),
    ("command cut short", "  neighbor SPINES activate\n  nei", "  neighbor SPINES\n  nei", "Command incomplete"),
    ("filter where EVPN has none", "  advertise-all-vni\n", EVPN_FILTER, "Unknown command"),
    ("route target left out", "   route-target import 64512:20\n", "   route-target import\n", "Command incomplete"),
)

# Accepted by the dry run: only the daemons know.
UNLOADABLE = (
    (
        "missing peer group",
        "neighbor 10.1.0.1 peer-group SPINES\n",
        "neighbor 10.1.0.1 peer-group NOPE\n",
        "peer-group",
    ),
    ("undefined route-map", "route-map SPINES-IN in\n", "route-map NOPE in\n", "'NOPE' does not exist"),
    ("route target that is none", "import 64512:20\n", "import 64512\n", "Malformed Route Target"),
    ("second VNI in a VRF", " vni 10001\n", " vni 10001\n vni 10002\n", "already configured under the vrf"),
)

PORTS = """\
auto lo
iface lo inet loopback
    address 10.255.0.1/32
    address fd00::1/128

auto swp1
iface swp1
    alias spine-1 swp1
    mtu 9216
    address 10.1.0.0/31

auto bridge
iface bridge
    mtu 9216
    bridge-ports bond1 vni20
    bridge-vlan-aware yes
    bridge-vids 20
    bridge-stp no

auto vni20
iface vni20
    vxlan-id 20
    vxlan-local-tunnelip 10.255.0.1
    bridge-access 20
    bridge-learning off

auto bond1
iface bond1
    bond-slaves swp2
    bond-mode 802.3ad
    bond-lacp-bypass-allow yes
"""

BAD_PORTS = (
    ("unknown attribute", "vxlan-id 20", "vxlan-idd 20", "unsupported keyword (vxlan-idd)"),
    ("MTU too large", "swp1\n    mtu 9216", "swp1\n    mtu 99999", 'mtu: value of out range "99999"'),
    ("VNI too large", "vxlan-id 20", "vxlan-id 16777217", "vxlan-id: value of out range"),
    ("word that is not in the list", "bridge-learning off", "bridge-learning maybe", 'invalid value "maybe"'),
    ("bond mode that is none", "bond-mode 802.3ad", "bond-mode lacp", 'invalid value "lacp"'),
    ("stanza without a keyword", "iface swp1\n", "interface swp1\n", "error processing line"),
    ("tunnel without a source", "    vxlan-local-tunnelip 10.255.0.1\n", "", "missing vxlan-local-tunnelip"),
)


def _spoilt(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"the example holds {old!r} {text.count(old)} times"
    return text.replace(old, new)


@needs_frr
def test_dry_run_accepts_a_switch() -> None:
    assert frr.dry_run(SWITCH) == ()


@needs_frr
@pytest.mark.parametrize(
    ("old", "new", "said"), [case[1:] for case in UNPARSABLE], ids=[case[0] for case in UNPARSABLE]
)
def test_dry_run_refuses(old: str, new: str, said: str) -> None:
    assert said in "\n".join(frr.dry_run(_spoilt(SWITCH, old, new)))


@needs_frr
def test_load_reads_back_what_was_written_and_leaves_nothing() -> None:
    with frr.load(SWITCH) as loaded:
        namespace = loaded.namespace
        assert loaded.complaints == ()
        assert frr.differences(SWITCH, loaded.running) == ()
        assert loaded.running.endswith(SWITCH), "FRR's own order and spelling"
        assert '"peerGroup":"SPINES"' in loaded.show("show bgp neighbors 10.1.0.1 json")
    for folder in ("/run/netns", "/etc/frr", "/var/run/frr"):
        assert not (Path(folder) / namespace).exists()
    assert not [line for line in _command_lines() if namespace in line]


@needs_frr
@pytest.mark.parametrize(
    ("old", "new", "said"), [case[1:] for case in UNLOADABLE], ids=[case[0] for case in UNLOADABLE]
)
def test_load_refuses_what_the_dry_run_accepts(old: str, new: str, said: str) -> None:
    text = _spoilt(SWITCH, old, new)
    assert frr.dry_run(text) == ()
    with frr.load(text) as loaded:
        assert said in "\n".join(loaded.complaints)


@needs_frr
def test_a_default_that_is_written_out_is_not_read_back() -> None:
    text = _spoilt(SWITCH, " neighbor SPINES bfd\n", " timers bgp 3 9\n neighbor SPINES bfd\n")
    with frr.load(text) as loaded:
        assert loaded.complaints == ()
        assert frr.differences(text, loaded.running) == ("- router bgp 4200000001 / timers bgp 3 9",)


@needs_frr
def test_load_clears_up_after_its_caller_failed() -> None:
    names: list[str] = []
    with pytest.raises(ZeroDivisionError):
        _load_and_fail(names)
    assert not (Path("/run/netns") / names[0]).exists()
    assert not [line for line in _command_lines() if names[0] in line]


def test_paths_carry_the_blocks_of_a_line() -> None:
    text = (
        "router bgp 1\n address-family l2vpn evpn\n  vni 7\n   rd 1:1\n  exit-vni\n exit-address-family\nexit\n!\nend\n"
    )
    evpn = ("router bgp 1", "address-family l2vpn evpn")
    assert frr.paths(text) == {evpn[:1], evpn, (*evpn, "vni 7"), (*evpn, "vni 7", "rd 1:1")}


def test_differences_name_the_side() -> None:
    assert frr.differences("router bgp 1\n timers bgp 3 9\n", "router bgp 1\n bgp router-id 1.1.1.1\n") == (
        "- router bgp 1 / timers bgp 3 9",
        "+ router bgp 1 / bgp router-id 1.1.1.1",
    )


def test_differences_pass_over_headers_and_separators() -> None:
    assert (
        frr.differences("hostname a\nrouter bgp 1\nexit\n", "frr version 9\nhostname b\n!\nrouter bgp 1\n!\nend\n")
        == ()
    )


@needs_ifupdown2
def test_syntax_accepts_a_switch() -> None:
    assert interfaces.syntax(PORTS) == ()


@needs_ifupdown2
@pytest.mark.parametrize(
    ("old", "new", "said"), some([case[1:] for case in BAD_PORTS]), ids=[case[0] for case in BAD_PORTS]
)
def test_syntax_refuses(old: str, new: str, said: str) -> None:
    assert said in "\n".join(interfaces.syntax(_spoilt(PORTS, old, new)))


@needs_ifupdown2
def test_syntax_refuses_an_empty_file() -> None:
    assert interfaces.syntax("") != ()


@pytest.mark.parametrize("available", [frr.available, interfaces.available], ids=["frr", "ifupdown2"])
def test_judges_want_root(available: Callable[[], str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "root" in str(available())


def _load_and_fail(names: list[str]) -> None:
    with frr.load(SWITCH) as loaded:
        names.append(loaded.namespace)
        raise ZeroDivisionError


def _command_lines() -> list[str]:
    """Command line of every process, its words joined by NUL."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_text())
        except OSError:  # ended in between
            continue
    return found
