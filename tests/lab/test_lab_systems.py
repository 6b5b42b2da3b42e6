"""What a lab runs of a switch whose routing is FRR's: its own system's text, and where that is not understood."""

import re
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.host.inventory import render_files
from fabricgen.lab.model.lab import Lab, tagged_name
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.refit import refit
from fabricgen.lab.model.routing_text import is_own, run_as, unread_routing
from fabricgen.lab.model.subset import Subset
from fabricgen.platforms.cumulus.lab.nvue_frr import read_routing
from fabricgen.platforms.linux.lab.printed import printed
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.verify.collect.redact_config import REMOVED
from tests.judges import frr
from tests.lab.mixed import backend, frontend, plan_of, with_template

OWN = {"be-leaf-000": "sonic-202505", "be-leaf-001": "cumulus-5.11", "be-spine-01": "sonic-master"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return make_lab(plan_of(tmp_path_factory.mktemp("mixed"), backend()), Subset())


@pytest.fixture(scope="module")
def tenants(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return make_lab(plan_of(tmp_path_factory.mktemp("tenants"), frontend()), Subset(leaves=3, spines=1, borders=0))


def files(lab: Lab, name: str) -> dict[str, str]:
    device = next(one for one in lab.devices if one.name == name)
    return dict(render_files([device], None, lab.systems)[name])


def test_every_switch_stands_as_one_of_frr_with_its_own_ports(lab: Lab) -> None:
    assert lab.systems == OWN
    assert {f"{device.system}-{device.version}" for device in lab.devices} == {"frr-8.4"}
    ports = {device.name: {row.name for row in device.interfaces.ethernet} for device in lab.devices}
    for name, pattern in (
        ("be-leaf-000", r"Ethernet\d+"),
        ("be-spine-01", r"Ethernet\d+"),
        ("be-leaf-001", r"swp\d+(s\d)?"),
        ("be-spine-00", r"swp\d+(s\d)?"),
    ):
        assert ports[name]
        assert all(re.fullmatch(pattern, port) for port in ports[name]), name


def test_the_text_is_what_the_switch_itself_would_be_given(lab: Lab, tmp_path: Path) -> None:
    """In front of it the lab's remedy; all switches of the plan are there, so nothing else is cut off."""
    plan = plan_of(tmp_path, backend())
    leaf = next(device for device in devices(plan) if device.name == "be-leaf-000")
    rendered = {Path(file.path).name: file.text for file in Renderer().render(leaf)}
    assert files(lab, leaf.name)["frr.conf"] == "no zebra nexthop kernel enable\n" + rendered["frr.conf"]
    assert "router bgp 4201000000\n" in rendered["frr.conf"]
    leaf = next(device for device in devices(plan) if device.name == "be-leaf-001")
    (startup,) = (file.text for file in Renderer().render(leaf))
    assert files(lab, leaf.name)["frr.conf"] == read_routing(startup).text
    assert "router bgp 4201000001\n" in read_routing(startup).text


def test_the_word_of_a_module_that_this_host_has_not_is_told(tmp_path: Path) -> None:
    """FRR without its module for SNMP refuses `agentx`."""
    snmp = {"user": "monitor", "auth": "${env:SNMP_AUTH}", "privacy": "${env:SNMP_PRIVACY}"}
    management = {"vrf": "mgmt", "oob": "10.0.0.0/24", "gateway": "10.0.0.1", "snmp": snmp}
    overrides = {"be-spine-01": {"os": "sonic-master"}}
    plan = plan_of(tmp_path, backend(management=management, overrides=overrides))
    made = make_lab(plan, Subset())
    leaf = next(device for device in devices(plan) if device.name == "be-leaf-000")
    assert any("\nagentx\n" in file.text for file in Renderer().render(leaf))
    text = files(made, "be-leaf-000")["frr.conf"]
    assert "agentx" not in text
    assert "\nservice integrated-vtysh-config\n!\n" in text
    assert unread_routing(made.devices, made.systems, None)["be-leaf-000"] == ("not told to FRR: frr.conf: agentx",)


@pytest.mark.parametrize(
    ("name", "profile", "pattern"),
    [("be-leaf-000", "traditional", "Ethernet*,eth0"), ("be-leaf-001", "datacenter", "swp*,eth0")],
)
def test_daemons_start_with_the_defaults_of_the_text(lab: Lab, name: str, profile: str, pattern: str) -> None:
    found = files(lab, name)
    assert f"\nfrr defaults {profile}\n" in found["frr.conf"]
    assert f'\nfrr_profile="{profile}"\n' in found["daemons"]
    assert f"\nconfigure system interface pattern {pattern}\n" in found["lldpd.conf"]


def test_others_are_run_as_before(lab: Lab) -> None:
    device = next(one for one in lab.devices if one.name == "be-spine-00")
    assert files(lab, device.name) == {Path(file.path).name: file.text for file in Renderer().render(device)}


@pytest.mark.parametrize("system", ["eos-4.34", "junos-24.4", "sonic-202405", "cumulus-5.4", "sonic", "frr-8.4"])
def test_what_is_no_frr_or_another_release_is_not_run(system: str) -> None:
    assert not is_own(system)


def test_what_can_not_be_rendered_has_the_labs_own_text(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, backend(overrides={"be-leaf-001": {"os": "sonic-202405"}}))
    assert refit(plan).fabrics["backend"].exceptions.systems == {"be-leaf-001": "frr-8.4"}
    lab = make_lab(plan, Subset())
    assert set(lab.systems) == {"be-leaf-000"}
    assert files(lab, "be-leaf-001")["frr.conf"].startswith("! be-leaf-001: leaf")


def test_vrfs_have_frrs_names_and_nothing_else_is_renamed(tenants: Lab) -> None:
    sonic, cumulus = (files(tenants, name)["frr.conf"] for name in ("fe-leaf-000", "fe-leaf-002"))
    for text in (sonic, cumulus):
        assert "Vrf" not in text
        assert re.search(r"^router bgp \d+ vrf research$", text, re.MULTILINE)
        assert "\n  import vrf storage\n" in text
        assert "zebra zapi-packets 1\n" in text
    assert "map RM-RESEARCH-IMPORT" in sonic


def test_the_text_has_no_line_that_the_lab_s_frr_lacks(tenants: Lab) -> None:
    """SONiC's file and tables, and NVUE's document, limit EVPN routes; the limits of other families stay."""
    for name in ("fe-leaf-000", "fe-leaf-002", "fe-spine-00"):
        text = files(tenants, name)["frr.conf"]
        assert re.search(r"^  neighbor \S+-EVPN activate$", text, re.MULTILINE)
        assert re.search(r"^  neighbor \S+-IPV4 maximum-prefix \d+ ", text, re.MULTILINE)
        assert not re.search(r"^  neighbor \S+-EVPN maximum-prefix ", text, re.MULTILINE)
    assert unread_routing(tenants.devices, tenants.systems, None) == {}
    reasons = {row.feature: row.reason for row in tenants.skipped}
    for system in ("community SONiC master itself", "NVIDIA Cumulus Linux 5.11 itself"):
        assert "without limits of EVPN routes" in reasons[system]


@frr.needed(frr.HOST)
@pytest.mark.parametrize("name", ["fe-leaf-000", "fe-leaf-002", "fe-spine-00"])
def test_the_host_s_frr_takes_the_text(tenants: Lab, name: str) -> None:
    with frr.load(files(tenants, name)["frr.conf"], ("research", "storage")) as loaded:
        assert loaded.complaints == ()


def test_ports_that_lead_tagged_vlans_have_names_that_linux_takes() -> None:
    """Ethernet128.1110 has 16 octets, Ethernet96.1110 has 15."""
    assert tagged_name("Ethernet128", 1110) == "Eth128.1110"
    assert tagged_name("Ethernet96", 1110) == "Ethernet96.1110"
    assert tagged_name("swp64s1", 4094) == "swp64s1.4094"


def test_people_are_told(lab: Lab) -> None:
    assert list(run_as(lab.systems)) == [
        "routing text of sonic-202505 in FRR 8.4 of this host, read and changed as one of FRR: be-leaf-000",
        "routing text of cumulus-5.11 in FRR 8.4 of this host, read and changed as one of FRR: be-leaf-001",
        "routing text of sonic-master in FRR 8.4 of this host, read and changed as one of FRR: be-spine-01",
    ]
    (line,) = run_as(dict.fromkeys("abcdef", "sonic-master"))
    assert line.endswith(": a, b, c, d, and 2 more")
    rows = {row.feature: row for row in lab.skipped}
    reason = rows["NVIDIA Cumulus Linux 5.11 itself"].reason
    assert "queues and services are not run" in reason
    assert "FRR 8.4 of this host, which is none" in reason
    assert not [feature for feature in rows if feature.startswith("text of")]


def test_lists_without_numbers_are_as_frr_prints_them() -> None:
    """What FRR 8.4.4 printed of these lines on 2026-11-22."""
    text = """\
ip prefix-list PL-A permit 10.0.0.0/8 le 32
ipv6 prefix-list PL-A permit fd00::/48
ip prefix-list PL-A permit 11.0.0.0/8
bgp community-list standard CL permit 65000:1
router bgp 65001
 neighbor Ethernet8 interface remote-as 65002
 neighbor Ethernet8 interface peer-group SPINES
 address-family l2vpn evpn
  neighbor SPINES attribute-unchanged next-hop
 exit-address-family
"""
    assert printed(text).splitlines() == [
        "ip prefix-list PL-A seq 5 permit 10.0.0.0/8 le 32",
        "ipv6 prefix-list PL-A seq 5 permit fd00::/48",
        "ip prefix-list PL-A seq 10 permit 11.0.0.0/8",
        "bgp community-list standard CL seq 5 permit 65000:1",
        "router bgp 65001",
        " neighbor Ethernet8 interface peer-group SPINES",
        " neighbor Ethernet8 remote-as 65002",
        " address-family l2vpn evpn",
        " exit-address-family",
    ]
    kept = " address-family ipv4 unicast\n  neighbor SPINES attribute-unchanged next-hop\n"
    assert printed(kept) == kept


def test_commands_that_nobody_knows_in_frr_are_told(lab: Lab, tmp_path: Path) -> None:
    assert unread_routing(lab.devices, lab.systems, None) == {}
    spoilt = with_template(
        tmp_path, "cumulus/vrf-neighbors.j2", "remote-as:", "enforce-first-as: 'on'\n                remote-as:"
    )
    found = unread_routing(lab.devices, lab.systems, spoilt)
    assert set(found) == {"be-leaf-001"}
    assert re.fullmatch(
        r"not told to FRR: vrf default router bgp neighbor \S+ enforce-first-as on", found["be-leaf-001"][0]
    )
    leaf = next(device for device in lab.devices if device.name == "be-leaf-001")
    assert len(found["be-leaf-001"]) == len(leaf.routing.bgp.neighbors)


def test_fields_that_nobody_knows_in_frrcfgd_are_told_without_their_secrets(lab: Lab, tmp_path: Path) -> None:
    spoilt = with_template(
        tmp_path, "sonic/bgp-neighbors.j2", '"asn":', '"auth_password": "c4n4ry one", "passive_mode": "true", "asn":'
    )
    found = unread_routing(lab.devices, lab.systems, spoilt)
    assert set(found) == {"be-spine-01"}
    told_of = {line.split("|")[1].partition(" ")[2] for line in found["be-spine-01"]}
    assert told_of == {f"auth_password {REMOVED}", "passive_mode true"}
    denied = with_template(tmp_path / "denied", "sonic/community-sets.j2", '"permit"', '"deny"')
    assert all(
        line.endswith(" action deny") for line in unread_routing(lab.devices, lab.systems, denied)["be-spine-01"]
    )


def test_a_file_that_sonic_makes_itself_is_not_read(lab: Lab, tmp_path: Path) -> None:
    """Where the release keeps BGP in tables, what a user's template has for frr.conf reaches nobody."""
    lines = ["ip nht resolve-via-default", "router bgp 65000", "exit"]
    spoilt = with_template(
        tmp_path, "sonic/frr-conf.j2", "{% if context.frr %}", "\n".join([*lines, "{% if context.frr %}"])
    )
    found = render_files(lab.devices, spoilt, lab.systems)
    assert "\nrouter bgp 65000\n" in found["be-leaf-000"]["frr.conf"]
    assert "router bgp 65000" not in found["be-spine-01"]["frr.conf"]
    assert "\n bgp router-id " in found["be-spine-01"]["frr.conf"]
    assert unread_routing(lab.devices, lab.systems, spoilt) == {
        "be-spine-01": tuple(f"not told to FRR: frr.conf: {line}" for line in lines)
    }


@pytest.mark.parametrize(
    ("template", "old", "new", "name"),
    [
        ("cumulus/vrf-neighbors.j2", "type: {{ session.kind }}", "typo: x", "be-leaf-001"),
        ("cumulus/router.j2", "router-id", "routerid", "be-leaf-001"),
        ("sonic/bgp-globals.j2", '"router_id"', '"routerid"', "be-spine-01"),
    ],
)
def test_text_that_is_not_understood_is_an_error_with_the_switch(
    lab: Lab, tmp_path: Path, template: str, old: str, new: str, name: str
) -> None:
    spoilt = with_template(tmp_path, template, old, new)
    with pytest.raises(FabricError) as caught:
        render_files(lab.devices, spoilt, lab.systems)
    (problem,) = caught.value.problems
    assert problem.code == "lab-text"
    assert name in problem.what
    assert "templates" in problem.fix


def test_raw_lines_go_into_the_text_they_were_written_for(tmp_path: Path) -> None:
    leaves = {"system": "sonic", "role": "leaf", "fabric": "backend"}
    raw = [
        {**leaves, "artifact": "frr.conf", "lines": ["ip nht resolve-via-default"]},
        {**leaves, "lines": ['{"BANNER_MESSAGE": {"global": {"motd": "x"}}}']},
    ]
    lab = make_lab(plan_of(tmp_path, backend(raw=raw)), Subset())
    found = files(lab, "be-leaf-000")
    assert found["frr.conf"].endswith("ip nht resolve-via-default\n")
    assert not [name for name, text in found.items() if "BANNER" in text]
    assert "resolve-via-default" not in files(lab, "be-leaf-001")["frr.conf"]
