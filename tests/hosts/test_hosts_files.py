"""Files of a server: what netplan makes of ours, that both forms say the same, and the form of the state.

What netplan makes was recorded: netplan.io 0.106-2+deb12u1, `generate --root-dir` over the file that is written here.
"""

import json
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

from fabricgen.errors import FabricError
from fabricgen.export.hosts import Form, HostWriter
from fabricgen.hosts.compare import FACTS, compare
from fabricgen.hosts.expected import expected_state
from fabricgen.hosts.kernel import SETTINGS
from tests.hosts.ip_lines import ip_lines
from tests.hosts.making import Json, backend, demo, hosts, planned, switches

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "schema/host-state.schema.json").read_text())
RECORDED = {
    "rail0.network": """
[Match] Name=rail0
[Link] RequiredForOnline=no MTUBytes=9000
[Network] LinkLocalAddressing=no Address=10.64.0.1/31 IPv6AcceptRA=no
[Route] Destination=10.64.0.0/12 Gateway=10.64.0.0 Table=100
[Route] Destination=10.64.0.0/12 Gateway=10.64.0.0 Metric=100
[RoutingPolicyRule] From=10.64.0.1/32 Table=100 Priority=1100
""",
    "frontend0.network": """
[Match] Name=frontend0
[Link] RequiredForOnline=no MTUBytes=9164
[Network] LinkLocalAddressing=no IPv6AcceptRA=no Bond=bond-frontend
""",
    "bond-frontend.netdev": """
[NetDev] Name=bond-frontend MTUBytes=9164 Kind=bond
[Bond] Mode=active-backup MIIMonitorSec=100ms
""",
    "bond-frontend.network": """
[Match] Name=bond-frontend
[Link] MTUBytes=9164
[Network] LinkLocalAddressing=no ConfigureWithoutCarrier=yes VLAN=vlan110 VLAN=vlan111
""",
    "vlan110.netdev": """
[NetDev] Name=vlan110 MTUBytes=9164 Kind=vlan
[VLAN] Id=110
""",
    "vlan110.network": """
[Match] Name=vlan110
[Link] MTUBytes=9164
[Network] DHCP=ipv4 LinkLocalAddressing=ipv6 ConfigureWithoutCarrier=yes
""",
}
"""netplan adds [DHCP] RouteMetric=100 UseMTU=true to the last, which is left out here."""
RECORDED_IPV6 = """
[Match] Name=rail0
[Link] RequiredForOnline=no MTUBytes=9000
[Network] LinkLocalAddressing=ipv6 Address=fd5e:8c1f:2a00::1/127 IPv6AcceptRA=no
[Route] Destination=fd5e:8c1f:2a00::/52 Gateway=fd5e:8c1f:2a00:: Table=100
[Route] Destination=fd5e:8c1f:2a00::/52 Gateway=fd5e:8c1f:2a00:: Metric=100
[RoutingPolicyRule] From=fd5e:8c1f:2a00::1/128 Table=100 Priority=1100
"""
RECORDED_FROM = {
    "rail0": {
        "mtu": 9000,
        "optional": True,
        "accept-ra": False,
        "link-local": [],
        "addresses": ["10.64.0.1/31"],
        "routes": [
            {"to": "10.64.0.0/12", "via": "10.64.0.0", "table": 100},
            {"to": "10.64.0.0/12", "via": "10.64.0.0", "metric": 100},
        ],
        "routing-policy": [{"from": "10.64.0.1/32", "table": 100, "priority": 1100}],
    },
    "frontend0": {"mtu": 9164, "optional": True, "accept-ra": False, "link-local": []},
    "bond-frontend": {
        "interfaces": ["frontend0", "frontend1"],
        "mtu": 9164,
        "parameters": {"mode": "active-backup", "mii-monitor-interval": 100},
        "link-local": [],
    },
    "vlan110": {"id": 110, "link": "bond-frontend", "mtu": 9164, "dhcp4": True},
}
"""What was given to netplan for it."""


def two_networks() -> Json:
    """The demo with a tenant of two networks, and bonds that use one port at a time."""
    site = demo()
    site["fabrics"]["frontend"]["server_ports"] = {"multihoming": "active-backup", "uplink_tracking": False}
    site["tenants"]["research"]["networks"]["two"] = {"vlan": 111, "subnets": ["172.20.0.0/24"]}
    return site


def written(site: Json, form: Form = "netplan", *texts: str, templates: Path | None = None) -> dict[str, str]:
    """Files of train[0], below its folder."""
    found = HostWriter(form, templates).files(hosts(planned(site), *(texts or ("train[0]",))).values())
    return {path.partition("/")[2]: text for path, text in found}


def sections(text: str) -> list[tuple[str, list[str]]]:
    """Sections of a file of systemd, in their order, the keys of each sorted; remarks left out."""
    found: list[tuple[str, list[str]]] = []
    for word in (part for line in text.splitlines() if not line.startswith("#") for part in line.split()):
        if word.startswith("["):
            found.append((word, []))
        else:
            found[-1][1].append(word)
    return [(name, sorted(keys)) for name, keys in found]


@pytest.mark.parametrize("name", RECORDED)
def test_the_files_for_networkd_are_those_that_netplan_makes(name: str) -> None:
    files = written(two_networks(), "networkd")
    assert sections(files[f"etc/systemd/network/60-fabricgen-{name}"]) == sections(RECORDED[name])


def test_so_are_those_of_ipv6() -> None:
    site = backend()
    site["fabrics"]["backend"]["addressing"] |= {"links": ["ipv6"], "hosts": "ipv6"}
    files = written(site, "networkd")
    assert sections(files["etc/systemd/network/60-fabricgen-rail0.network"]) == sections(RECORDED_IPV6)


def test_netplan_is_given_what_was_recorded() -> None:
    network = yaml.safe_load(written(two_networks())["etc/netplan/60-fabricgen.yaml"])["network"]
    assert (network["version"], network["renderer"]) == (2, "networkd")
    found = {**network["ethernets"], **network["bonds"], **network["vlans"]}
    assert {name: found[name] for name in RECORDED_FROM} == RECORDED_FROM


def test_lacp_is_where_the_switch_has_it() -> None:
    bonds = yaml.safe_load(written(demo())["etc/netplan/60-fabricgen.yaml"])["network"]["bonds"]
    wanted = {"mode": "802.3ad", "lacp-rate": "fast", "mii-monitor-interval": 100, "transmit-hash-policy": "layer3+4"}
    assert bonds["bond-frontend"]["parameters"] == wanted


def test_names_go_by_pci_address_where_it_is_known() -> None:
    known, unknown = written(backend()), written(backend("hgx-h200"))
    assert sections(known["etc/systemd/network/10-fabricgen-rail7.link"]) == [
        ("[Match]", ["Path=pci-0000:dc:00.0"]),
        ("[Link]", ["Name=rail7"]),
    ]
    wanted = 'KERNELS=="0000:dc:00.0", SUBSYSTEM=="infiniband", RUN+="/usr/bin/rdma dev set %k name rdma-rail7"\n'
    assert wanted in known["etc/udev/rules.d/60-fabricgen-rdma.rules"]
    assert not [path for path in unknown if path.endswith((".link", ".rules")) or "operator" in path]
    assert unknown["etc/netplan/60-fabricgen.yaml"].count("TO CHECK") == 8


def test_lldp_says_a_port_as_its_leaf_expects_it() -> None:
    site = backend()
    peers = {row.peer_port for d in switches(planned(site)).values() for row in d.interfaces.ethernet}
    text = written(site)["etc/lldpd.d/60-fabricgen.conf"]
    names = re.findall(r'^configure ports rail\d lldp portidsubtype local "(.*)"$', text, re.MULTILINE)
    assert len(names) == 8
    assert set(names) <= peers


def test_the_rail_list_is_a_resource_of_the_operator() -> None:
    """Keys of NicInterfaceNameTemplateSpec, nic-configuration-operator 8bfbeb3."""
    found = yaml.safe_load(written(backend())["operator/nic-interface-names.yaml"])
    assert (found["apiVersion"], found["kind"]) == ("configuration.net.nvidia.com/v1alpha1", "NicInterfaceNameTemplate")
    spec = found["spec"]
    assert set(spec) == {"nodeSelector", "pfsPerNic", "rdmaDevicePrefix", "netDevicePrefix", "railPciAddresses"}
    assert [len(rail) for rail in spec["railPciAddresses"]] == [1] * 8
    assert spec["railPciAddresses"][7] == ["0000:dc:00.0"]


def test_a_rail_list_that_is_insisted_on_is_a_problem_where_it_can_not_be() -> None:
    found = hosts(planned(backend("hgx-h200")), "train[0]").values()
    with pytest.raises(FabricError) as told:
        list(HostWriter("netplan").files(found, operator=True))
    assert [problem.code for problem in told.value.problems] == ["no-rail-list"]


SPRAYED = {"load_balancing": "dlb-per-packet"}
"""Packets take several paths at once; an HGX H200 has NICs that accept it."""


@pytest.mark.parametrize(
    "site", [backend(), backend("hgx-h200", transport="best-effort"), backend("hgx-h200", **SPRAYED), demo()]
)
def test_the_state_is_of_the_schema(site: Json) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for host in hosts(planned(site), "train[0]").values():
        jsonschema.validate(expected_state(host), SCHEMA)
        wrong = expected_state(host)
        wrong["nics"][0]["mtu"] = "9000"
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, SCHEMA)


def test_what_was_seen_is_judged_by_what_was_looked_at() -> None:
    expected = expected_state(hosts(planned(backend()), "train[0]")["train-000"])
    assert list(compare(expected, json.loads(json.dumps(expected)))) == []
    assert [f.code for f in compare(expected, {"nics": expected["nics"][1:]})] == ["host-nic-missing"]
    bare = {"nics": [{"interface": nic["interface"]} for nic in expected["nics"]]}
    assert list(compare(expected, bare)) == []
    bare["nics"][3]["roce"] = None
    assert {f.code for f in compare(expected, bare)} >= {"host-pfc", "host-gid", "host-ecn"}


@pytest.mark.parametrize("key", [key for key, _ in FACTS if key not in ("bond", "pair.address")])
def test_each_fact_that_differs_is_found(key: str) -> None:
    site = backend("hgx-h200", **SPRAYED) if "adaptive_routing" in key else backend()
    expected = expected_state(hosts(planned(site), "train[0]")["train-000"])
    seen = json.loads(json.dumps(expected))
    *path, last = key.split(".")
    at = seen["nics"][5]
    for part in path:
        at = at[part]
    at[last] = "something else"
    assert [(f.interface, f.key) for f in compare(expected, seen)] == [("rail5", key)]


def test_the_lines_for_ip_are_of_the_used_nics_alone() -> None:
    host = hosts(planned(backend()), "train[0]")["train-000"]
    found = ip_lines(host, {"rail0": "a0", "rail3": "a3"})
    assert list(found) == [4]
    assert found[4] == (
        "link set dev a0 mtu 9000 up",
        "link set dev a3 mtu 9000 up",
        "address replace 10.64.0.1/31 dev a0",
        "route replace 10.64.0.0/12 via 10.64.0.0 dev a0 table 100",
        "route replace 10.64.0.0/12 via 10.64.0.0 dev a0 metric 100",
        "address replace 10.64.1.65/31 dev a3",
        "route replace 10.64.0.0/12 via 10.64.1.64 dev a3 table 103",
        "route replace 10.64.0.0/12 via 10.64.1.64 dev a3 metric 103",
        "rule add from 10.64.0.1 lookup 100 priority 1100",
        "rule add from 10.64.1.65 lookup 103 priority 1103",
    )


def test_kernel_settings_are_what_several_interfaces_need() -> None:
    """ip-sysctl of the kernel: arp_ignore 1, arp_announce 2 and a loose filter."""
    text = written(backend())["etc/sysctl.d/60-fabricgen.conf"]
    found = dict(line.split(" = ") for line in text.splitlines() if not line.startswith("#"))
    assert len(found) == len(SETTINGS)
    names = ("arp_ignore", "arp_announce", "rp_filter")
    assert [found[f"net.ipv4.conf.all.{name}"] for name in names] == ["1", "2", "2"]


@pytest.mark.parametrize("model", ["dgx-h200", "mi300x-thor2", "mi300x-pollara"])
def test_scripts_are_bash(model: str) -> None:
    files = written(backend(model))
    for path, text in files.items():
        if path.startswith("usr/local/sbin"):
            done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, "")


def test_a_script_tells_what_failed_and_goes_on(tmp_path: Path) -> None:
    """No such NIC is on this machine: every one is named, and the exit status says it."""
    script = written(backend())["usr/local/sbin/fabricgen-nic-settings"].replace("rail", "none-rail")
    done = subprocess.run(["bash", "-s"], input=script, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("is not there, or has no RDMA device") == 8


@pytest.mark.parametrize("more", [{}, {"rails_per_plane": 1}])
def test_nics_are_cut_into_planes_by_their_device_id(more: Json) -> None:
    """A NIC has the slices of its own planes alone: 16 planes of the fabric are two of each NIC."""
    site = backend("dgx-b300")
    site["fabrics"]["backend"]["topology"] = {"design": "rail-optimized", "rails_per_leaf": 1, "planes": 2, **more}
    text = (Path(__file__).parents[2] / "fabricgen/hardware/servers/dgx-b300.yaml").read_text()
    pci = ", ".join(f'"0000:{10 + rail}:00.0"' for rail in range(8))
    own = {
        "hardware/servers/dgx-b300.yaml": text.replace(
            "    plane_choices:", f"    pci_addresses: [{pci}]\n    plane_choices:", 1
        )
    }
    host = hosts(planned(site, own), "train[0]")["train-000"]
    files = {path.partition("/")[2]: text for path, text in HostWriter("netplan").files([host])}
    script = files["usr/local/sbin/fabricgen-nic-planes"]

    assert script.count("mlxconfig -d 0000:10:00.0 --yes set 'NUM_OF_PF=2'") == 2, "one for each kind of NIC"
    assert "0x1023) mlxconfig" in script
    assert "'MODULE_SPLIT_M0[3]=0x1' 'MODULE_SPLIT_M0[4]=0x2'" in script
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
    spec = yaml.safe_load(files["operator/nic-interface-names.yaml"])["spec"]
    assert (spec["pfsPerNic"], spec["netDevicePrefix"]) == (2, "rail%rail_id%p%plane_id%")
    assert "Path=pci-0000:10:00.1\n" in files["etc/systemd/network/10-fabricgen-rail0p1.link"]


def test_a_template_of_the_users_stands_in_front_of_ours(tmp_path: Path) -> None:
    (tmp_path / "hosts").mkdir()
    (tmp_path / "hosts/sysctl.j2").write_text("# ours, {{ host.name }}\n")
    assert written(backend(), templates=tmp_path)["etc/sysctl.d/60-fabricgen.conf"] == "# ours, train-000\n"
    (tmp_path / "hosts/sysctl.j2").write_text("{{ host.nothing }}\n")
    with pytest.raises(FabricError) as told:
        written(backend(), templates=tmp_path)
    assert [problem.code for problem in told.value.problems] == ["template-fault"]
