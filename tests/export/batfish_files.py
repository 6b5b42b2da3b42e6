"""Batfish's own rules for the files of a snapshot, read off its sources: a judge that shares nothing with the exporter.

github.com/batfish/batfish cba1873 (2026-08-21). The detector of formats:
projects/batfish/src/main/java/org/batfish/grammar/VendorConfigurationFormatDetector.java. Cables:
projects/common/src/main/java/org/batfish/common/topology/Layer1Topology.java, Layer1Edge.java and Layer1Node.java.
Servers: projects/batfish/src/main/java/org/batfish/representation/host/HostConfiguration.java and HostInterface.java.
SONiC: projects/batfish/src/main/java/org/batfish/vendor/sonic/grammar/SonicControlPlaneExtractor.java.
Folders: github.com/batfish/pybatfish 9ecc844 (2026-07-20), docs/source/formats.md.
"""

import re
from ipaddress import IPv4Address, IPv4Interface
from typing import Any

OWN = re.compile(r"^[!#] *BATFISH[-_]FORMAT *: *([a-zA-Z0-9_-]+)", re.MULTILINE)
RANCID = re.compile(r"^[!#]RANCID-CONTENT-TYPE: ([a-zA-Z0-9_-]+)", re.MULTILINE)
RANCID_FORMATS = {"arista": "ARISTA", "ios-nx": "CISCO_NX", "cisco-nx": "CISCO_NX"}
JUNIPER = ("juniper", "juniper-srx", "junos")
BEFORE_CUMULUS = (
    r"version \d+.\d+.\d+[\w.-]*, build \d+ \([A-Za-z]+-\d{1,2}-\d{4},\d\d:\d\d\)",
    r"^# *TiMOS-",
    r"^# *Configuration format version \d+\.\d+ revision \d+",
    r"^\s*/configure ",
    r"^# Configuration of [\w-]+\r?\n# Language version: ",
    r"config system global",
    r"module \d+ icx",
    r"^shelfname",
)
"""Tells of other systems that are looked for before those of Cumulus."""
CUMULUS = re.compile(r"^# This file describes the network interfaces", re.MULTILINE)
INTERFACE_KEYS = {"bandwidth", "encapsulationVlan", "gateway", "name", "otherPrefixes", "prefix", "shared", "vrf"}
HOST_KEYS = {"hostInterfaces", "hostname", "iptablesFile", "overlay"}
FOLDERS = {"batfish", "configs", "hosts", "sonic_configs"}


def format_of(text: str) -> str:
    """The format that Batfish takes a configuration for; "other" for one that this judge does not know."""
    assert not OWN.search(text)
    header = RANCID.search(text)
    if header and header[1] in JUNIPER:
        assert "####BATFISH FLATTENED JUNIPER CONFIG####\n" not in text
        return "JUNIPER_SWITCH" if "set hostname" in text else "JUNIPER" if "{" in text else "FLAT_JUNIPER"
    if header:
        return RANCID_FORMATS.get(header[1], "other")
    if any(re.search(tell, text, re.MULTILINE) for tell in BEFORE_CUMULUS):
        return "other"
    return "CUMULUS_CONCATENATED" if CUMULUS.search(text) else "other"


def cables_of(document: dict[str, Any]) -> list[frozenset[tuple[str, str]]]:
    """Both ends of each cable: host name in lower case, as Batfish has it, and interface."""
    assert set(document) == {"edges"}
    found = []
    for edge in document["edges"]:
        assert set(edge) == {"node1", "node2"}
        assert all(set(end) == {"hostname", "interfaceName"} for end in edge.values())
        ends = frozenset((end["hostname"].lower(), end["interfaceName"]) for end in edge.values())
        assert len(ends) == len(edge)
        found.append(ends)
    return found


def check_host(document: dict[str, Any]) -> None:
    """Keys and values that HostConfiguration and HostInterface take; a key that they do not know is an error there."""
    assert set(document) <= HOST_KEYS
    assert isinstance(document["hostname"], str)
    for name, interface in document["hostInterfaces"].items():
        assert set(interface) <= INTERFACE_KEYS
        assert interface["name"] == name
        prefix = IPv4Interface(interface["prefix"]) if "prefix" in interface else None
        if "gateway" in interface:
            assert prefix is not None
            assert IPv4Address(interface["gateway"]) in prefix.network
