"""A Cumulus VX as a node: its file is the switch's less what is a real port's or a chip's, its ports are numbered."""

import re
from collections.abc import Iterable

import pytest

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms.base.container_trims import hashing_alone, without_chip
from fabricgen.platforms.cumulus.containerlab import KINDS, PORTS, STARTUP, artifact
from tests.cumulus import commands, references
from tests.cumulus.fleet import NAMES, render, sample
from tests.cumulus.reading import at, leaves, tree
from tests.some import some

(KIND,) = KINDS
GONE = re.compile(
    r"interface swp\S+ link (breakout|lanes|speed|fec) .*|interface swp\d+ type swp|interface eth0 ip .*"
    r"|system forwarding hash-seed \d+"
)
"""Commands of a rendered file that the node's has not."""
SPLIT = re.compile(r"swp\d+s\d+ is no part of swp\d+")
"""Ports of divided cages: the machine is told of those by ports.conf."""
CHIP = ("qos", "telemetry", "adaptive-routing", "hash-seed", "storm-control", "sflow", "tacacs", "histogram")


def node(name: str) -> tuple[Device, str, str]:
    """A sample as fitted, the file that is rendered of it, and the one of its node."""
    device = KIND.fit(sample(name).device)
    text = render(device)
    return device, text, KIND.make(device, {STARTUP: text}).files[STARTUP]


@pytest.mark.parametrize("name", some(NAMES))
def test_only_what_is_a_real_ports_is_cut_out_of_the_file(name: str) -> None:
    _, rendered, text = node(name)
    before, after = set(leaves(tree(rendered))), set(leaves(tree(text)))
    assert {path for path, _ in after - before} <= {("interface", "eth0", "type")}
    lost = [" ".join((*path, value or "")).strip() for path, value in before - after]
    assert lost
    assert [line for line in lost if not GONE.fullmatch(line)] == []
    kept = tree(text)["interface"]
    ports = [row for name, row in kept.items() if name.startswith("swp")]
    assert not [key for row in ports for key in row.get("link", {}) if key not in ("mtu", "state")]
    assert kept["eth0"] == {"type": "eth"}


@pytest.mark.parametrize("name", some(NAMES))
def test_every_command_of_the_node_is_known_and_refers_to_what_is_there(name: str) -> None:
    _, _, text = node(name)
    assert commands.faults(text) == []
    assert [line for line in references.dangling(text) if not SPLIT.fullmatch(line)] == []
    assert [word for word in CHIP if word in text] == []


def test_the_api_of_a_node_shows_its_own_certificate() -> None:
    """Nobody imports another one into a node; the switch that it stands for has one."""
    name = NAMES[0]
    assert "certificate: " in render(sample(name).device)
    _, rendered, text = node(name)
    assert "certificate: " not in rendered + text
    assert at(tree(text), "system", "api") == {"state": "enabled"}


def test_what_a_file_would_lose_by_mistake_is_seen() -> None:
    """Addresses of ports stand as deep as those of eth0."""
    _, rendered, text = node("site fe-border-00")
    ports = [name for name, row in tree(rendered)["interface"].items() if name.startswith("swp") and at(row, "ip")]
    assert ports
    for name in ports:
        assert at(tree(text), "interface", name, "ip") == at(tree(rendered), "interface", name, "ip")
    assert artifact(text) == text


def cards(*ports: tuple[str, int]) -> tuple[dict[str, str], str]:
    """Ports of a node and its ports.conf, of ports and parts of their cages."""
    device = sample("halves be-leaf-000").device
    row = device.interfaces.ethernet[0]
    rows = tuple(row._replace(name=name, profile=row.profile._replace(parts=parts)) for name, parts in _sorted(ports))
    fitted = KIND.fit(device._replace(interfaces=device.interfaces._replace(ethernet=rows, idle=())))
    made = KIND.make(fitted, {STARTUP: ""})
    return dict(made.ports), made.files[PORTS]


def _sorted(ports: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(ports)


def test_cards_are_counted_as_the_image_does() -> None:
    """The example of boxen's document: 2=2x, 10=4x, 64=1x gives 65 and 66, 67 to 70."""
    found, conf = cards(("swp2s0", 2), ("swp2s1", 2), ("swp10s0", 4), ("swp10s3", 4), ("swp64", 1))
    assert conf == "2=2x\n10=4x\n64=1x\n"
    assert found == {"swp2s0": "eth65", "swp2s1": "eth66", "swp10s0": "eth67", "swp10s3": "eth70", "swp64": "eth64"}


def test_whole_ports_are_cards_of_their_number() -> None:
    assert cards(("swp1", 1), ("swp7", 1)) == ({"swp1": "eth1", "swp7": "eth7"}, "1=1x\n7=1x\n")


def test_cages_of_other_widths_and_too_many_ports_are_refused() -> None:
    with pytest.raises(FabricError, match="cages of 3 parts"):
        cards(("swp1s0", 3), ("swp2", 1))
    with pytest.raises(FabricError, match="1007 ports"):
        cards(("swp1s0", 8), ("swp999", 1))


def test_the_files_are_mounted_where_the_image_reads_them() -> None:
    device, text, _ = node("site fe-leaf-002")
    made = KIND.make(device, {STARTUP: text})
    assert made.startup == ""
    assert {(bind.file, bind.path, bind.read_only) for bind in made.binds} == {
        ("startup.yaml", "/config/startup.yaml", True),
        ("ports.conf", "/config/ports.conf", True),
    }
    assert (KIND.user, KIND.memory.mib, KIND.options) == ("cumulus", 4096, {})


def test_everything_left_out_is_said() -> None:
    """Of a lossless leaf, one with aggregates and tenants, one that watches its queues, and one of another release."""
    names = ("site be-leaf-000", "site fe-leaf-002", "single fe-leaf-002")
    switches = {name: sample(name).device for name in names}
    switches["newer"] = switches["site be-leaf-000"]._replace(version="5.14")
    found = {name: {row.feature for row in KIND.omissions if row.concerns(device)} for name, device in switches.items()}
    assert {name for name, features in found.items() if "the release" in features} == {"newer"}
    assert "priority flow control, queues, ECN, watchdog" in found["site be-leaf-000"]
    assert {"LACP towards servers", "sFlow", "syslog, TACACS+, SNMP"} <= found["site fe-leaf-002"]
    assert "queue monitoring, load-interval" in found["single fe-leaf-002"]
    assert {row.feature for row in KIND.omissions} - {feature for some in found.values() for feature in some} <= {
        "storm control"
    }


def test_a_release_without_an_image_is_refused() -> None:
    """515 What's New: NVIDIA no longer releases Cumulus VX as a standalone image."""
    with pytest.raises(FabricError, match=r"it runs 5\.15"):
        KIND.fit(sample("site be-leaf-000").device._replace(version="5.15"))


def test_nothing_of_a_real_port_is_left_in_a_newer_release() -> None:
    device = KIND.fit(sample("site be-leaf-000").device._replace(version="5.14"))
    text = render(device)
    assert "auto-negotiate" in text
    assert not re.search("auto-negotiate|lanes|speed: |fec", KIND.artifact(text))


def test_trims_leave_routing_and_addresses_alone() -> None:
    device = sample("site fe-leaf-002").device
    bare = hashing_alone(without_chip(device))
    assert (bare.routing, bare.evpn, bare.management) == (device.routing, device.evpn, device.management)
    rows = zip(bare.interfaces.ethernet, device.interfaces.ethernet, strict=True)
    assert all(
        (new.ipv4, new.ipv6, new.name, new.peer) == (old.ipv4, old.ipv6, old.name, old.peer) for new, old in rows
    )
    assert bare.qos is None
