"""`export gnmic` for each operating system: its paths, with origin and database, as the sources have them.

The models of `../shared/data` are of configurations; none has these paths. So they are written down here once more,
each from its source.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.device.device import Device
from fabricgen.device.management import Gnmi
from fabricgen.export.gnmic import GnmicSettings, GnmicWriter
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.device import devices
from tests.pairs import sites

SUBSCRIPTION = {"target", "paths", "mode", "stream-mode", "sample-interval", "encoding"}
TARGET = {"address", "auth-scheme", "subscriptions", "event-tags"}
"""Keys that gnmic reads: docs/user_guide/subscriptions.md and targets.md; pkg/api/types/target.go for `auth-scheme`."""
PATH = re.compile(r"(?:[^/:]+:)?(?:/[^/\[\]]+(?:\[[^\[\]=]+=[^\[\]]+\])*)+")
"""A path as gnmic parses it: an origin before a colon, elements with keys (pkg/api/path/path.go, ParsePath)."""
SAMPLED = {"stream-mode": "sample", "sample-interval": "10s"}
ON_CHANGE = {"stream-mode": "on-change"}


class Sent(NamedTuple):
    """A path as gnmic has it; target: the database."""

    path: str
    target: str = ""


class Wanted(NamedTuple):
    """What a switch of a release streams: counters that are sampled, those of a lossless class, and events."""

    lossless: tuple[Sent, ...]
    sampled: tuple[Sent, ...]
    events: tuple[Sent, ...]


SONIC = Wanted(
    lossless=(Sent("/COUNTERS/Ethernet*/Pfcwd", "COUNTERS_DB"),),
    sampled=(Sent("/COUNTERS/Ethernet*/Queues", "COUNTERS_DB"), Sent("/COUNTERS/Ethernet*", "COUNTERS_DB")),
    events=(Sent("/PORT_TABLE", "APPL_DB"), Sent("/NEIGH_STATE_TABLE", "STATE_DB")),
)
"""sonic-gnmi, virtual_db.go, pathTransFuncTbl; portsorch.cpp's m_portTable; bgpmon.py's key in STATE_DB."""
OPENCONFIG = "/network-instances/network-instance/protocols/protocol/bgp/neighbors/neighbor/state/session-state"
JUNOS = Wanted(
    lossless=(Sent("/interfaces/interface/ethernet/state/counters/jnx-pfc-statistics"),),
    sampled=(
        Sent("/qos/interfaces/interface/output/queues/queue/state"),
        Sent("/interfaces/interface/state/counters"),
    ),
    events=(Sent("/interfaces/interface/state/oper-status"), Sent(OPENCONFIG)),
)
"""Juniper/yang 2a696d6, 23.4R2-EVO: jnx-aug-openconfig-interfaces, openconfig-qos-interfaces, openconfig-bgp-*."""
MARKS = Sent("/state/interfaces/interface/counters/errors")
"""The same repository, 24.4R1-EVO: junos-state-interfaces has `counters` from revision 2024-09-11 on."""
PORTS = "device:/System/intf-items/phys-items/PhysIf-list"
NXOS = Wanted(
    lossless=(),
    sampled=(
        Sent(
            "device:/System/ipqos-items/queuing-items/policy-items/out-items/intf-items/If-list"
            "/queCmap-items/QueuingStats-list"
        ),
        Sent(f"{PORTS}/dbgIfIn-items"),
        Sent(f"{PORTS}/dbgIfOut-items"),
    ),
    events=(
        Sent(f"{PORTS}/phys-items/operSt"),
        Sent(
            "device:/System/bgp-items/inst-items/dom-items/Dom-list/peer-items/Peer-list"
            "/ent-items/PeerEntry-list/operSt"
        ),
    ),
)
"""Cisco-NX-OS-device.yang of 9.3(1): ipqos_QueuingStats, rmon_IfIn, rmon_IfOut, ethpm_PhysIf, bgp_PeerEntry."""
CUMULUS = Wanted(
    lossless=(Sent("/qos/interfaces/interface[interface-id=*]/switch-priority[priority=*]/state/counters"),),
    sampled=(
        Sent("/qos/interfaces/interface[interface-id=*]/output/queues/queue[name=*]/state"),
        Sent("/interfaces/interface[name=*]/state/counters"),
    ),
    events=(
        Sent("/interfaces/interface[name=*]/state/oper-status"),
        Sent(
            "/network-instances/network-instance[name=*]/protocols/protocol[identifier=*][name=*]/bgp/neighbors"
            "/neighbor[neighbor-address=*]/state/session-state"
        ),
    ),
)
"""NVIDIA's tables of metrics of 5.16 (e2ec27d7), without the leaf of counters and with `*` as each key."""
OLD_PFC = Sent("/qos/interfaces/interface[interface-id=*]/state/switch-priority[priority=*]/counters")
"""The table of 5.13 (825c9c4d)."""
WANTED: Mapping[tuple[str, str], Wanted] = {
    ("sonic", "202505"): SONIC,
    ("sonic", "master"): SONIC,
    ("junos", "23.4R2"): JUNOS,
    ("junos", "24.4R1"): JUNOS._replace(lossless=(*JUNOS.lossless, MARKS)),
    ("nxos", "10.5(2)"): NXOS,
    ("cumulus", "5.13.1"): CUMULUS._replace(lossless=(OLD_PFC,)),
    ("cumulus", "5.14.0"): CUMULUS,
    ("cumulus", "5.16.0"): CUMULUS,
}


def leaf(system: str, version: str = "", transport: str = "roce-lossless", port: int = 6030) -> Device:
    """A leaf of a backend with a gNMI server."""
    found = next(device for device in devices(sites.planned(system, system, "backend", transport)))
    management = found.management._replace(gnmi=Gnmi(port, "fabric"))
    return found._replace(version=version or found.version, management=management)


def written(switches: Iterable[Device]) -> dict[str, Any]:
    """The configuration of a collector for these switches."""
    writer = GnmicWriter(GnmicSettings("monitor", "/etc/ssl/fabric-ca.pem", 10))
    ((_, pieces),) = writer.files("lab", switches)
    found: dict[str, Any] = yaml.safe_load("".join(pieces))
    assert writer.left == ()
    return found


def sent(document: Mapping[str, Any], way: Mapping[str, str]) -> set[Sent]:
    """Paths that are sent in one way."""
    return {
        Sent(path, found.get("target", ""))
        for found in document["subscriptions"].values()
        for path in found["paths"]
        if {key: found[key] for key in found if key in SAMPLED} == way
    }


@pytest.mark.parametrize(("system", "version"), WANTED)
def test_paths_are_those_of_the_sources(system: str, version: str) -> None:
    wanted = WANTED[system, version]
    document = written([leaf(system, version)])
    assert sent(document, SAMPLED) == {*wanted.lossless, *wanted.sampled}
    assert sent(document, ON_CHANGE) == set(wanted.events)
    (target,) = document["targets"].values()
    assert sorted(target["subscriptions"]) == sorted(document["subscriptions"])


@pytest.mark.parametrize(("system", "version"), WANTED)
def test_gnmic_reads_every_key_and_path(system: str, version: str) -> None:
    document = written([leaf(system, version)])
    assert {key for target in document["targets"].values() for key in target} <= TARGET
    assert {key for found in document["subscriptions"].values() for key in found} <= SUBSCRIPTION
    for found in document["subscriptions"].values():
        assert all(PATH.fullmatch(path) for path in found["paths"])


@pytest.mark.parametrize(("system", "version"), WANTED)
def test_a_fabric_without_a_lossless_class_has_no_path_of_one(system: str, version: str) -> None:
    document = written([leaf(system, version, "best-effort")])
    assert sent(document, SAMPLED) == set(WANTED[system, version].sampled)


def test_releases_of_one_system_beside_each_other_have_their_own_paths() -> None:
    pair = [leaf("cumulus", "5.13.0")._replace(name="old"), leaf("cumulus", "5.15.0")._replace(name="new")]
    document = written(pair)
    paths = {
        name: {path for key in target["subscriptions"] for path in document["subscriptions"][key]["paths"]}
        for name, target in document["targets"].items()
    }
    assert paths["old"] ^ paths["new"] == {OLD_PFC.path, *(one.path for one in CUMULUS.lossless)}


def test_only_cumulus_takes_the_password_in_a_header() -> None:
    """NVIDIA, gNMI Streaming of 5.13: credentials in the metadata of a request are ignored."""
    document = written(leaf(system)._replace(name=system) for system in ("cumulus", "junos", "nxos", "sonic"))
    schemes = {name: target.get("auth-scheme", "") for name, target in document["targets"].items()}
    assert schemes == {"cumulus": "Basic", "junos": "", "nxos": "", "sonic": ""}


def test_every_system_with_a_gnmi_server_has_paths() -> None:
    for platform in PLATFORMS.values():
        row = platform.can("gnmi")
        assert row is not None
        assert platform.streams or row.refusal, platform.name
