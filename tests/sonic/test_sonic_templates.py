"""The templates themselves: no logic in them, and every field of a Device printed or excused."""

import re
from pathlib import Path

import pytest

from fabricgen.platforms.linux import frr_conf as frr_words
from fabricgen.platforms.linux import interfaces as frr_links
from fabricgen.platforms.sonic import context as sonic_words
from fabricgen.platforms.sonic import limits as sonic_limits
from fabricgen.platforms.sonic import overlay as sonic_overlay
from fabricgen.platforms.sonic import ports as sonic_ports
from fabricgen.platforms.sonic import qos as sonic_qos
from fabricgen.platforms.sonic import routing as sonic_routing
from fabricgen.render.folder import templates_folder
from tests.template_rules import fields, logic

FOLDER = templates_folder() / "sonic"
FILES = sorted(path.name for path in FOLDER.glob("*.j2"))
MODULES = (sonic_words, sonic_ports, sonic_qos, sonic_routing, sonic_overlay, sonic_limits, frr_words, frr_links)
FRR_FILES = (
    "static-routes", "vrfs", "bgp", "bgp-families", "bgp-evpn", "bgp-end", "bgp-vrfs", "prefix-lists",
    "community-lists", "route-maps",
)  # fmt: skip

EXCUSED = {
    "only_keys": "refused: login-keys",
    "strong": "refused: ssh-ciphers",
    "ra_guard": "refused: ra-guard",
    "multihop": "through multihop_ttl and ttl_hops",
    "ttl_security": "through multihop_ttl and ttl_hops",
    "ssh_keys": "refused: there is no table of users",
    "macs": "a VLAN's table has no number of its own here: Platform.vlan_macs is 0",
    "kind": "the fabric's, told by its parts",
    "system": "chooses the platform",
    "state": "in the route maps already",
    "asic": "through spellings",
    "artifact": "given to the templates by file",
    "raw": "given to the templates by file",
    "dead": "the configuration stays for the box that comes; what is expected of the port is for verify",
    "routed": "a port with an address is",
    "eapi_certificate": "left: eapi",
    "users": "refused: users",
    "marking": "its maps and queues are printed",
    "basis": "row of headroom, for people",
    "cells": "row of headroom, for people",
    "marks": "refused: roce-over-vxlan",
    "mode": "refused but for ecmp",
    "load_balancing": "refused but for ecmp",
    "seed": "hash-seed: SONiC's own, by tier",
    "flowlet_gap_us": "refused: dlb-flowlet",
    "cluster": "refused: cluster",
    "destination_length": "of cluster",
    "aging_seconds": "of cluster",
    "latency": "refused: queue-latency",
    "streaming": "refused: queue-streaming",
    "captures": "refused: congestion-capture",
    "load_interval_seconds": "refused: load-interval",
    "paths": "refused: link-loss-withdraw",
    "bpdu_guard": "refused: bpdu-guard",
    "mac_limit": "refused: mac-limit",
    "broadcast_percent": "refused: storm-control",
    "multicast_percent": "refused: storm-control",
    "tracking": "refused: uplink-tracking",
    "fallback": "refused: lacp-fallback",
    "lag": "aggregates are refused",
    "es_import": "refused: esi-multihoming",
    "system_id": "refused: esi-multihoming",
    "relay_source": "refused: dhcp-relay",
    "relays_ipv4": "refused: dhcp-relay",
    "relays_ipv6": "refused: dhcp-relay",
    "extended_communities": "FRR sends them by itself",
    "import_targets": "through imports: FRR leaks them inside the switch",
    "peer_port": "in the description",
    "multihomed": "refused: esi-multihoming",
}


def read() -> set[str]:
    """Names that the templates or the adapter read as attributes, FRR's where its file is made."""
    texts = [(FOLDER / name).read_text() for name in FILES]
    texts += [(FOLDER.parent / f"frr/frr-{name}.j2").read_text() for name in FRR_FILES]
    texts += [Path(str(module.__file__)).read_text() for module in MODULES]
    return set(re.findall(r"\.([a-z_0-9]+)\b", "\n".join(texts)))


def test_every_field_of_a_device_is_printed_or_excused() -> None:
    assert sorted(fields() - read() - set(EXCUSED)) == []


def test_no_excuse_outlives_its_field() -> None:
    assert sorted(set(EXCUSED) - fields()) == []


@pytest.mark.parametrize("name", [one for one in FILES if one != "frr-conf.j2"])
def test_a_template_only_tests_loops_and_prints(name: str) -> None:
    source = (FOLDER / name).read_text()
    assert list(logic(source)) == []
    assert len(source.splitlines()) <= 60


def test_the_file_of_frr_is_made_of_frr_s_own_sections() -> None:
    source = (FOLDER / "frr-conf.j2").read_text()
    assert set(logic(source)) == {"Include"}
    named = re.findall(r'include "frr/frr-([a-z-]+)\.j2"', source)
    assert set(FRR_FILES) <= set(named)
