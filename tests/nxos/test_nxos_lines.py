"""Every line has a form with a source, stands as often as the Device asks, and a broken one is seen."""

import tarfile
from collections import Counter
from pathlib import Path

import pytest

from fabricgen.device.device import Device
from tests.judges.models import BESIDE
from tests.nxos.count_table import TABLE
from tests.nxos.fleet import NAMES, made, render, samples, text_of
from tests.nxos.forms import BLOCKS
from tests.nxos.lines import misplaced, unknown, walk

MADE = ("fec", "idle", "divided", "slow cap", "static", "long names", "bfd")


def told(text: str) -> dict[tuple[str, str], int]:
    return Counter((seen.block, seen.form.words) for seen in walk(text) if seen.form)


def wanted(device: Device) -> dict[tuple[str, str], int]:
    rows = ((block, words, count(device)) for block, forms in TABLE.items() for words, count in forms.items())
    return {(block, words): int(number) for block, words, number in rows if number}


def bare(device: Device) -> Device:
    """Without lines of the user's own."""
    return device._replace(raw=())


@pytest.mark.parametrize("name", NAMES)
def test_every_line_has_a_form_and_stands_as_often_as_asked(name: str) -> None:
    device = bare(samples()[name])
    text = render(device)
    assert unknown(text) == []
    assert told(text) == wanted(device)


@pytest.mark.parametrize("name", MADE)
def test_lines_of_rare_ports_and_rates(name: str) -> None:
    device = made(name)
    text = render(device)
    assert unknown(text) == []
    assert told(text) == wanted(device)


@pytest.mark.parametrize("name", NAMES)
def test_no_line_is_taken_by_a_mode_that_was_left(name: str) -> None:
    assert misplaced(render(samples()[name])) == []


def test_a_line_that_the_open_mode_takes_is_seen() -> None:
    route = "ip route 10.0.0.0/8 Null0"
    assert misplaced(f"{route}\nvrf context management\n  {route}\nroute-map A permit 10\n") == []
    assert misplaced(f"vrf context management\n  {route}\n{route}\n") == [route]


def test_every_form_is_counted_and_seen() -> None:
    forms = {(block, form.words) for block, rows in BLOCKS.items() for form in rows}
    assert {(block, words) for block, rows in TABLE.items() for words in rows} == forms
    texts = [text_of(name) for name in NAMES] + [render(made(name)) for name in MADE]
    seen = {key for text in texts for key in told(text)}
    assert sorted(forms - seen) == [("mgmt", "ipv6 address IPV6/LEN")]


def test_lines_of_the_user_come_last_and_as_they_are() -> None:
    assert text_of("wide backend spine").endswith("!\n! raw[0]\nip source-route\n")
    assert unknown(text_of("wide backend spine")) == ["ip source-route"]


BROKEN = (
    "interface Ethernet33/1",
    "interface Ethernet1/1\n  no switchport\n  speed 400g",
    "interface Ethernet1/1\n  mtu 9217",
    "interface Ethernet1/1\n  ip address 10.0.0.1",
    "interface Ethernet1/1\n  priority-flow-control priority 3 no-drop",
    "interface Ethernet1/1\nno switchport",
    "interface mgmt0\n  vrf member MGMT",
    "interface nve1\n  member vni 10\n    suppress arp",
    "policy-map type network-qos NETWORK\n  class type network-qos c-8q-nq3\n    pause pfc-cos 8",
    "policy-map type network-qos NETWORK\n  class type queuing c-out-8q-q3",
    "policy-map type queuing OUT\n  class type queuing c-out-8q-q8",
    "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    bandwidth percent 95",
    "policy-map type queuing OUT\n  class type queuing c-out-8q-q3\n    random-detect minimum-threshold 950 kbytes "
    "maximum-threshold 3000 kbytes drop-probability 7 weight 0",
    "class-map type qos match-any TC3\n  match dscp 24 26",
    "class-map type qos match-any TC3\n  match dscp 64",
    "vlan 3968\n  vn-segment 10",
    "router bgp 65001\n  neighbor 10.0.0.1 remote-as 65002",
    "router bgp 65001\n  address-family ipv4 unicast\n    retain route-target all",
    "router bgp 65001\n  address-family ipv4 unicast\n    maximum-paths 128",
    "router bgp 65001\n  address-family ipv4\n    network 10.0.0.0/24",
    "router bgp 65001\n  neighbor 10.0.0.1\n    route-map RM in",
    "router bgp 65001\n  neighbor 10.0.0.1\n    ebgp-multihop 1",
    "ip prefix-list PL seq 10 permit 10.0.0.1/24",
    "ip prefix-list PL seq 10 permit 10.0.0.0/24 le 33",
    "ip community-list standard CL seq 10 permit 65536:0",
    "route-map RM permit 10\n  set community additive 65000:1",
    "route-map RM permit 10\n  match extcommunity EC",
    "vrf context research\n  address-family ipv4 unicast\n    import map RM",
    "fabric forwarding anycast-gateway-mac 02:fa:b0:00:00:01",
    "feature evpn",
    "ntp server 10.0.0.5 vrf management",
    "username admin secret sha512 ${env:HASH}",
    "hardware profile dlb\n  mode packet",
    "sflow sampling-rate 1024",
    "evpn\n  vni 10006 l3",
)


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_line_is_seen(text: str) -> None:
    assert unknown(text)


RECORDED = (
    "nxos_evpn_l2vni/configs/NX-1",
    "nxos_evpn_l2vni/configs/NX-2",
    "nxos_n9kv_ebgp/configs/r1",
    "nxos_n9kv_ebgp/configs/r2",
)
OTHERS = (
    "version",
    "vdc",
    "feature telnet",
    "feature scp-server",
    "feature netconf",
    "no password strength-check",
    "ssh key",
    "ip domain-lookup",
    "snmp-server user admin",
    "rmon event",
    "mac address-table aging-time",
    "ip igmp snooping vxlan",
    "hardware access-list tcam region",
    "icam monitor",
    "line",
    "boot nxos",
)
"""How lines start of what no fabric of ours is told."""


def test_recorded_switches_are_accepted_where_they_do_what_ours_do() -> None:
    archive = BESIDE / "recorded-devices.tar.xz"
    if not archive.is_file():
        pytest.skip(f"no {archive.name} in ../shared/data beside the checkout")
    with tarfile.open(archive) as packed:
        for name in RECORDED:
            member = next(found for found in packed if found.name.endswith(f"{name}/show_running-config.txt"))
            file = packed.extractfile(member)
            assert file is not None
            text = file.read().decode()
            rest = [line for line in unknown(text) if not line.startswith(OTHERS)]
            assert rest == []
            known = [seen for seen in walk(text) if seen.form]
            assert len(known) > 70
            assert {"router bgp <1-4294967295>", "interface PORT"} <= {seen.form.words for seen in known if seen.form}


def test_the_tables_name_their_sources() -> None:
    head = Path(__file__).with_name("forms.py").read_text().partition('"""\n')[0]
    named = {word for line in head.splitlines() if (word := line.split("  ")[0]).isupper() or word == "R105"}
    used = {part for rows in BLOCKS.values() for form in rows for part in form.source.replace(" + ", "; ").split("; ")}
    assert {part.partition(":")[0] for part in used if not part.startswith("a public")} == named
