"""Configurations that real switches ran: the readers find in them what the switches did, and their ends pair up.

Recorded by others (tests/live/recorded.py says where the archive is looked for): a fabric of nine vEOS 4.23 with
EVPN, two pairs of eBGP speakers (cEOS 4.36, NX-OS 10.3 on N9Kv), an EVPN pair of NX-OS 9.2, a pair of Cumulus with FRR.
"""

import json
import re
import tarfile
from collections.abc import Mapping
from functools import cache

import pytest

from tests.live.recorded import archive
from tests.pairs.pairing import Cable, compare
from tests.pairs.view import Gateway, View
from tests.platform_cases import CASES

FABRIC, CEOS, N9KV, NXOS, CUMULUS = (
    "eos_evpn_l3_design_guide",
    "eos_ceos_ebgp",
    "nxos_n9kv_ebgp",
    "nxos_evpn_l2vni",
    "cumulusfrr_bgp_community",
)


@cache
def recorded() -> Mapping[str, str]:
    """Configurations and topologies, by path."""
    with tarfile.open(archive()) as packed:
        return {
            member.name.partition("/")[2]: found.read().decode()
            for member in packed
            if re.search(r"/configs/[^/]+/|layer1_topology", member.name)
            if member.isfile() and (found := packed.extractfile(member)) is not None
        }


def views(where: str, system: str) -> dict[str, View]:
    """Every switch of a recorded site."""
    rows = {path.split("/")[2]: text for path, text in recorded().items() if path.startswith(f"{where}/configs/")}
    return {name: CASES[system].pair_text(_files(system, text)) for name, text in rows.items()}


def _files(system: str, text: str) -> dict[str, str]:
    """The recording of Cumulus has both of its files one after the other."""
    if system != "frr":
        return {"running-config": text}
    links, _, rest = text.partition("# ports.conf --")
    return {"interfaces": links, "frr.conf": rest.partition("#frr version")[2]}


def cables(where: str) -> list[Cable]:
    """Cables that a recording tells of; it has the names of the switches in small letters."""
    rows = json.loads(recorded()[f"{where}/batfish/layer1_topology.json"])["edges"]
    ends = [(row["node1"], row["node2"]) for row in rows]
    return [
        Cable(one["hostname"].upper(), one["interfaceName"], far["hostname"].upper(), far["interfaceName"])
        for one, far in ends
    ]


def test_a_fabric_of_eos_pairs_up() -> None:
    found = views(FABRIC, "eos")
    routed = [cable for cable in cables(FABRIC) if "SPINE" in cable.far]
    result = compare(found, routed)
    assert result.faults == ()
    assert (len(routed), result.cables) == (14, 14)
    assert result.sessions >= 28
    leaf = found["DC1-LEAF1A"]
    assert (leaf.asn, leaf.vtep) == (65101, "192.168.254.3")
    assert set(leaf.bridged) == {10110, 10111, 20210, 20211, 30310, 30311}
    assert {vni: (set(one.imports), set(one.exports)) for vni, one in leaf.routed.items()} == {
        15001: ({"15001:15001"}, {"15001:15001"}),
        25020: ({"25020:25020"}, {"25020:25020"}),
        35030: ({"35030:35030"}, {"35030:35030"}),
    }
    assert leaf.gateways[10110] == Gateway("00:1c:73:00:dc:01", frozenset({"10.1.10.1/24"}))
    shared = [view for view in found.values() if 10110 in view.gateways]
    assert len(shared) > 2
    assert len({view.gateways[10110] for view in shared}) == 1
    everywhere = [row for view in found.values() for row in (*view.bridged.items(), *view.routed.items())]
    assert len(everywhere) > 40
    assert len(dict(everywhere)) == len(set(everywhere))


@pytest.mark.parametrize(("where", "system", "port"), [(CEOS, "eos", "Ethernet1"), (N9KV, "nxos", "Ethernet1/1")])
def test_a_pair_of_speakers_pairs_up(where: str, system: str, port: str) -> None:
    found = views(where, system)
    result = compare(found, [Cable("r1", port, "r2", port)])
    assert result == (1, 1, ())
    assert {view.asn for view in found.values()} == {65001, 65002}
    wrong = dict(found)
    text = next(text for path, text in recorded().items() if path.startswith(f"{where}/configs/r2/"))
    wrong["r2"] = CASES[system].pair_text({"running-config": text.replace("65001", "65009")})
    assert [fault for fault in compare(wrong, []).faults if "AS 65009 is expected, it is 65001" in fault]


def test_an_evpn_pair_of_nxos_pairs_up() -> None:
    found = {name: view for name, view in views(NXOS, "nxos").items() if view.asn}
    result = compare(found, [])
    assert result == (0, 1, ())
    assert {view.vtep for view in found.values()} == {"1.1.1.1", "2.2.2.2"}
    assert {frozenset(view.bridged) for view in found.values()} == {frozenset({5010, 5020})}
    assert {view.ports["Ethernet1/1"].mtu for view in found.values()} == {9216}


def test_a_pair_of_cumulus_pairs_up() -> None:
    found = views(CUMULUS, "frr")
    assert compare(found, []) == (0, 1, ())
    assert found["cumulusfrr1"].ports["swp1"].ipv4 == "10.12.11.1/24"
    (session,) = found["cumulusfrr1"].sessions.values()
    assert (session.remote_as, session.keepalive, session.hold, set(session.families)) == (65002, 3, 9, {"ipv4"})
