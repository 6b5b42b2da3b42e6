"""Every file of every switch of the site: accepted by its judge, and saying what the Device says."""

import re
from ipaddress import ip_interface
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.device.device import Device
from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import PRINTABLE
from fabricgen.platforms.frr.platform import FRR
from fabricgen.render.folder import templates_folder
from fabricgen.resolve.device import devices
from fabricgen.source.yaml_events import REFUSED_TEXT
from tests.frr import reading
from tests.frr.site import plan_of, render, single_homed, site
from tests.judges import frr, interfaces

needs_frr = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")
needs_ifupdown2 = pytest.mark.skipif(interfaces.available() is not None, reason=f"judge: {interfaces.available()}")
SWITCHES = tuple(site())


@needs_frr
@pytest.mark.parametrize("name", SWITCHES)
def test_every_line_is_known_to_frr(name: str) -> None:
    assert frr.dry_run(site()[name].files["frr.conf"]) == ()


@needs_frr
def test_a_broken_line_is_not() -> None:
    text = site()["fe-leaf-000"].files["frr.conf"]
    spoilt = text.replace("advertise-all-vni", "advertise-all-vnis", 1)
    assert spoilt != text
    assert frr.dry_run(spoilt) != ()


@needs_ifupdown2
@pytest.mark.parametrize("name", SWITCHES)
def test_ifupdown2_takes_every_interfaces_file(name: str) -> None:
    assert interfaces.syntax(site()[name].files["interfaces"]) == ()


@needs_ifupdown2
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("bridge-vlan-aware yes", "bridge-vlan-aware perhaps"),
        ("    vxlan-id ", "    vxlan-ids "),
        ("link-fec rs", "link-fec reed"),
        ("    mtu 9214", "    mtu 92140"),
    ],
)
def test_ifupdown2_refuses_a_broken_one(old: str, new: str) -> None:
    text = site()["fe-leaf-000"].files["interfaces"]
    assert old in text
    assert interfaces.syntax(text.replace(old, new, 1)) != ()


RELAYS = {"fe-leaf-002": ("172.30.0.3/32",), "fe-leaf-003": ("172.30.0.4/32",)}
"""What the leaves of research relay from: 172.30.0.1 and the leaf's number, on VLAN 4095 less the id 1 of research."""


@pytest.mark.parametrize("name", SWITCHES)
def test_addresses_are_the_devices(name: str) -> None:
    """ifupdown2 takes a /33: each address is read again, and compared."""
    device = site()[name].device
    found = {
        port: lines.get("address", ()) for port, lines in reading.stanzas(site()[name].files["interfaces"]).items()
    }
    for values in found.values():
        for value in values:
            assert str(ip_interface(value)) == value
    wanted: dict[str, tuple[str, ...]] = {}
    wanted |= {row.name: tuple(filter(None, (row.ipv4, row.ipv6))) for row in device.interfaces.ethernet}
    wanted |= {
        f"{r.parent}.{r.vlan_id}": tuple(filter(None, (r.ipv4, r.ipv6))) for r in device.interfaces.subinterfaces
    }
    gateways = device.evpn.gateways if device.evpn else ()
    wanted |= {f"vlan{row.vlan_id}": tuple(filter(None, (row.ipv4, row.ipv6))) for row in gateways}
    wanted[device.management.port] = (device.management.address,)
    wanted[device.management.vrf] = ("127.0.0.1/8", "::1/128")
    wanted["lo"] = tuple(a for row in device.interfaces.loopbacks[:2] for a in (row.ipv4, row.ipv6) if a)
    wanted["vlan4094"] = RELAYS.get(name, ())
    assert {port: values for port, values in found.items() if values} == {p: v for p, v in wanted.items() if v}


@pytest.mark.parametrize("name", SWITCHES)
def test_ports_are_the_devices(name: str) -> None:
    device = site()[name].device
    found = reading.stanzas(site()[name].files["interfaces"])
    for row in device.interfaces.ethernet:
        lines = found[row.name]
        assert lines["alias"] == (row.description,)
        assert lines["mtu"] == (str(row.profile.mtu),)
        assert lines["link-speed"] == (str(row.profile.speed_gbps * 1000),)
        assert lines.get("link-fec", ("",)) == (row.profile.fec.removesuffix("-fec"),)
        assert ("link-down" in lines) == (not row.enabled)
    assert found[device.management.port]["gateway"] == (device.management.gateway,)
    assert found[device.management.port]["vrf"] == (device.management.vrf,)


@pytest.mark.parametrize("name", [name for name in SWITCHES if site()[name].device.evpn])
def test_every_reference_between_interfaces_is_met(name: str) -> None:
    """ifupdown2's syntax check does not see a port or a VRF that is missing."""
    rendered = site()[name]
    found = reading.stanzas(rendered.files["interfaces"])
    evpn = rendered.device.evpn
    assert evpn is not None
    for lines in found.values():
        for key in ("vrf", "vlan-raw-device", "bridge-ports", "bond-slaves"):
            assert {word for value in lines.get(key, ()) for word in value.split()} <= set(found)
    tunnels = {int(lines["vxlan-id"][0]): lines for lines in found.values() if "vxlan-id" in lines}
    assert set(tunnels) == {vlan.vni for vlan in evpn.vlans} | {vrf.vni for vrf in evpn.vrfs}
    vlans = [int(word) for word in found["bridge"]["bridge-vids"][0].split()]
    assert sorted(int(lines["bridge-access"][0]) for lines in tunnels.values()) == vlans
    assert len(set(vlans)) == len(vlans)
    assert {f"vlan{vlan}" for vlan in vlans} >= {port for port in found if port.startswith("vlan")}
    assert found["lo"]["vxlan-local-tunnelip"] == (evpn.vtep,)
    for vrf in evpn.vrfs:
        carrier = found[f"vlan{tunnels[vrf.vni]['bridge-access'][0]}"]
        assert carrier["vrf"] == (vrf.name,)
        assert carrier.get("address", ()) == (RELAYS.get(name, ()) if vrf.name == "research" else ())
        assert carrier["hwaddress"] != (evpn.gateway_mac,)
    for row in evpn.gateways:
        assert found[f"vlan{row.vlan_id}"]["hwaddress"] == (evpn.gateway_mac,)


def test_connected_is_what_the_device_originates() -> None:
    """A network of a VRF that is not connected is not announced; what else is connected, the map keeps back."""
    for name in SWITCHES:
        rendered = site()[name]
        found = reading.stanzas(rendered.files["interfaces"]).values()
        for vrf in rendered.device.routing.bgp.vrfs:
            texts = [a for lines in found if lines.get("vrf") == (vrf.name,) for a in lines.get("address", ())]
            connected = {str(ip_interface(text).network) for text in texts}
            own = {*vrf.networks_ipv4, *vrf.networks_ipv6}
            assert own == (connected if own else set())


def test_server_ports_carry_their_vlans_only() -> None:
    rendered = site()["fe-leaf-002"]
    found = reading.stanzas(rendered.files["interfaces"])
    kinds = set()
    for lag in rendered.device.interfaces.lags:
        lines = found[f"bond{lag.number}"]
        assert lines["bond-slaves"] == (" ".join(lag.members),)
        assert lines["bond-ad-actor-system"] == (lag.system_id,)
        kinds.add(bool(lag.switching.access_vlan))
        if lag.switching.access_vlan:
            assert lines["bridge-access"] == (str(lag.switching.access_vlan),)
            assert "bridge-vids" not in lines
        else:
            assert lines["bridge-vids"] == (" ".join(map(str, lag.switching.trunk_vlans)),)
            assert lines["bridge-allow-untagged"] == ("no",)  # else all trunks share VLAN 1
            assert "bridge-access" not in lines
    assert kinds == {True, False}


def test_segments() -> None:
    """A drained leaf is the last choice as designated forwarder: the least that FRR takes.

    Of two healthy leaves one has FRR's default, 32767, and the other one less: the first leaf for odd aggregates.
    """
    switches = [row for row in site().values() if row.device.interfaces.lags]
    assert {row.device.state for row in switches} == {"active", "drained"}
    for rendered, lag in ((row, lag) for row in switches for lag in row.device.interfaces.lags if lag.esi):
        text = rendered.files["frr.conf"]
        esi = lag.esi.replace(":", "")
        pairs = ":".join(esi[at : at + 2] for at in range(0, 20, 2))
        is_first = int(rendered.device.name[-3:]) % 2 == 0
        healthy = 32767 if is_first == (lag.number % 2 == 1) else 32766
        preference = 1 if rendered.device.state == "drained" else healthy
        assert f"interface bond{lag.number}\n evpn mh es-id {pairs}\n evpn mh es-df-pref {preference}\nexit\n" in text


def test_services() -> None:
    rendered = site()["fe-leaf-002"]
    files, management = rendered.files, rendered.device.management
    assert files["hostname"] == "fe-leaf-002\n"
    assert [line for line in files["chrony.conf"].splitlines() if line.startswith("server ")] == [
        f"server {server} iburst" for server in management.ntp
    ]
    assert "bindacqdevice mgmt\n" in files["chrony.conf"]
    assert 'target="10.0.0.8"' in files["rsyslog.conf"]
    assert 'device="mgmt"' in files["rsyslog.conf"]
    assert files["resolv.conf"].splitlines()[1:] == ["search frr1.example.net", "nameserver 10.0.0.2"]
    assert "bgpd=yes" in files["daemons"].splitlines()
    assert "bfdd=yes" not in files["daemons"].splitlines()
    assert "configure system hostname fe-leaf-002" in files["lldpd.conf"].splitlines()


def test_settings_are_the_kernels() -> None:
    lines = site()["fe-leaf-002"].files["sysctl.conf"].splitlines()
    pairs = dict(line.split(" = ") for line in lines if not line.startswith("#"))
    assert {key for key in pairs if not (Path("/proc/sys") / key.replace(".", "/")).exists()} == set()
    assert pairs["net.ipv6.conf.all.accept_dad"] == pairs["net.ipv6.conf.default.accept_dad"] == "0"
    assert pairs["net.ipv4.ip_forward"] == pairs["net.ipv6.conf.all.forwarding"] == "1"


def test_relays_run_in_their_vrf() -> None:
    started = [
        line for line in site()["fe-leaf-002"].files["dhcp-relay.service"].splitlines() if line.startswith("ExecStart")
    ]
    assert len(started) == 1
    assert started[0].startswith("ExecStart=/bin/ip vrf exec research /usr/sbin/dhcrelay -4 ")
    assert " -D -id vlan110 -U vlan4094 " in started[0]
    assert "-iu vlan4094" not in started[0]
    assert started[0].endswith(" 172.17.0.10")
    assert "ExecStart" not in site()["be-leaf-000"].files["dhcp-relay.service"]


def test_secrets_stay_references() -> None:
    assert " password ${env:FW1_KEY}\n" in site()["fe-border-00"].files["frr.conf"]


def test_raw_lines_are_marked(raw_device: Device) -> None:
    files = render(raw_device).files
    assert files["frr.conf"].endswith("! raw[0]\nip prefix-list MINE seq 5 permit 192.0.2.0/24\n!\nend\n")
    assert files["sysctl.conf"].endswith("# raw[1]\nnet.core.somaxconn = 4096\n")
    assert "somaxconn" not in files["frr.conf"]


def test_every_section_is_of_use() -> None:
    used = {section for files in FRR.artifacts.values() for file in files for section in file.sections}
    assert used == {path.name for path in (templates_folder() / "frr").glob("*.j2")}
    for path in (templates_folder() / "frr").glob("*.j2"):
        assert len(path.read_text().splitlines()) <= 60, path.name


def test_the_site_asks_for_nothing_that_linux_can_not_do() -> None:
    plan = plan_of(single_homed())
    assert [*platforms(plan), *capabilities(plan)] == []


@needs_frr
@needs_ifupdown2
def test_servers_that_use_one_port_at_a_time() -> None:
    plan = plan_of(single_homed())
    leaf = next(render(device) for device in devices(plan) if device.name == "fe-leaf-002")
    assert leaf.device.interfaces.lags == ()
    assert frr.dry_run(leaf.files["frr.conf"]) == ()
    assert interfaces.syntax(leaf.files["interfaces"]) == ()
    assert "evpn mh" not in leaf.files["frr.conf"]
    found = reading.stanzas(leaf.files["interfaces"])
    ports = [row for row in leaf.device.interfaces.ethernet if row.switching is not None]
    assert ports
    for row in ports:
        assert row.switching is not None
        if row.switching.access_vlan:
            assert found[row.name]["bridge-access"] == (str(row.switching.access_vlan),)
        else:
            assert found[row.name]["bridge-vids"] == (" ".join(map(str, row.switching.trunk_vlans)),)


VERDICTS = {
    "bgp": True, "graceful-shutdown": True, "bfd": True, "evpn": True, "esi-multihoming": False, "dhcp-relay": True,
    "lldp": True, "eapi": False, "dlb-flowlet": False, "dlb-per-packet": False, "pfc": False, "ecn": False,
    "pfc-watchdog": False, "headroom": False, "lacp-fallback": False, "storm-control": False, "bpdu-guard": False,
    "uplink-tracking": False, "aaa": False, "snmp": False, "gnmi": False, "sflow": False, "users": False,
}  # fmt: skip


@pytest.mark.parametrize(("feature", "can"), VERDICTS.items())
def test_every_feature_has_a_verdict_and_a_source(feature: str, can: bool) -> None:
    found = FRR.can(feature)
    assert found is not None
    assert found.source
    assert bool(found.refusal) != can


def _intent_with(change: dict[str, object], fabric: str) -> Intent:
    value = single_homed().model_dump(mode="json")
    value["fabrics"][fabric] |= change
    return Intent.model_validate(value)


@pytest.mark.parametrize(
    ("fabric", "change", "refused"),
    [
        ("backend", {"transport": "roce-lossless"}, {"pfc", "ecn", "pfc-watchdog", "headroom"}),
        ("backend", {"load_balancing": "dlb-flowlet"}, {"dlb-flowlet"}),
        (
            "frontend",
            {"server_ports": {}},
            {"esi-multihoming", "lacp-fallback", "storm-control", "bpdu-guard", "uplink-tracking"},
        ),
    ],
)
def test_what_linux_can_not_do_is_refused(fabric: str, change: dict[str, object], refused: set[str]) -> None:
    problems = [*capabilities(plan_of(_intent_with(change, fabric)))]
    assert {problem.code for problem in problems} == {"platform-cannot"}
    assert {problem.what.split(" does not support ")[1].split(",")[0] for problem in problems} == refused


LINES = st.from_regex(PRINTABLE, fullmatch=True).filter(
    lambda text: len(text) <= 120 and bool(text.strip()) and not re.search(REFUSED_TEXT, text)
)
"""Without what nobody sees, which no file of a person's can hold."""
NASTY = st.sampled_from(
    ("\\", "x\\", "${1/0}", "$$IFACE", "<%import os%>", "% end", "a | include b", "! x", "# x", "a  b", "$", '"')
)
SAYS = re.compile(r"(alias|neighbor \S+ description) ?.*")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=LINES | NASTY, name=st.sampled_from(("fe-leaf-002", "fe-border-00", "fe-spine-00")))
def test_no_text_starts_a_line(text: str, name: str) -> None:
    """Whatever a description holds, each file has the lines that it has with a plain one, and no others."""
    plain, odd = render(_described(name, "plain")).files, render(_described(name, text)).files
    for file, wanted in plain.items():
        # FRR joins no lines.
        joined = [text if file == "frr.conf" else text.replace("\\\n", " ") for text in (odd[file], wanted)]
        found, expected = ([SAYS.sub(r"\1", line) for line in text.split("\n")] for text in joined)
        assert found == expected, file
    commands = plain["interfaces"].count("\\\n")
    assert odd["interfaces"].count("\\") == commands
    assert "%" not in odd["interfaces"]  # without it no Mako runs, and a $ is a sign like others
    assert "$IFACE" not in odd["interfaces"]
    assert "|" not in odd["frr.conf"]


@needs_frr
@pytest.mark.parametrize("text", ["end\\", "! exit", "${x} | include y", "exit"])
def test_frr_takes_odd_texts_as_texts(text: str) -> None:
    """FRR's own reading of a description: it is the description, and no other line differs."""
    device = _described("fe-border-00", text)
    with frr.load(render(device).files["frr.conf"]) as loaded:
        assert loaded.complaints == ()
        speaker = reading.speakers(loaded.running)[""]
    told = text.replace("|", "/")  # vtysh reads a filter behind it
    assert {speaker.descriptions[row.address] for row in device.routing.bgp.neighbors} == {told}
    assert speaker.group_of == {row.address: row.group for row in device.routing.bgp.neighbors}


def _described(name: str, text: str) -> Device:
    device = site()[name].device
    ethernet = tuple(row._replace(description=text) for row in device.interfaces.ethernet)
    lags = tuple(row._replace(description=text) for row in device.interfaces.lags)
    subinterfaces = tuple(row._replace(description=text) for row in device.interfaces.subinterfaces)
    neighbors = tuple(row._replace(description=text) for row in device.routing.bgp.neighbors)
    vrfs = tuple(
        vrf._replace(neighbors=tuple(row._replace(description=text) for row in vrf.neighbors))
        for vrf in device.routing.bgp.vrfs
    )
    bgp = device.routing.bgp._replace(neighbors=neighbors, vrfs=vrfs)
    return device._replace(
        interfaces=device.interfaces._replace(ethernet=ethernet, lags=lags, subinterfaces=subinterfaces),
        routing=device.routing._replace(bgp=bgp),
    )


def test_notes_name_every_file() -> None:
    notes = (templates_folder() / "frr/NOTES.md").read_text()
    for files in FRR.artifacts.values():
        for file in files:
            assert f"`{file.name}`" in notes, file.name
    assert not [line for line in notes.splitlines() if "/" + "tmp/" in line]


@pytest.mark.parametrize(("way", "other"), [("in", "out"), ("out", "in")])
def test_a_map_of_a_single_session_stands_in_the_family_of_its_group(way: str, other: str) -> None:
    """For each family the last session of it; the overlay's too, though no plan drains one by itself."""
    device = site()["fe-leaf-000"].device
    bgp = device.routing.bgp
    for group in bgp.groups:
        (family,) = group.families
        last = next(row for row in reversed(bgp.neighbors) if row.group == group.name)
        own = last._replace(route_map_in="RM-OWN") if way == "in" else last._replace(route_map_out="RM-OWN")
        neighbors = tuple(own if row == last else row for row in bgp.neighbors)
        routing = device.routing._replace(bgp=bgp._replace(neighbors=neighbors))
        text = render(device._replace(routing=routing)).files["frr.conf"]
        words = {"ipv4": "ipv4 unicast", "ipv6": "ipv6 unicast", "evpn": "l2vpn evpn"}[family]
        maps = reading.speakers(text)[""].families[words].maps
        assert maps[last.address, way] == "RM-OWN"
        assert (last.address, other) not in maps
