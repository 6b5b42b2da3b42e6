"""From the text of startup.yaml to the classic files that NVUE writes: ifupdown2's interfaces, and frr.conf.

frr.conf is made as a lab makes it (fabricgen/platforms/cumulus/lab/nvue_frr.py). Interfaces are written from NVIDIA's
documents alone, which show beside each NVUE command what it puts into the file: CumulusNetworks/docs, Virtual Routing
and Forwarding, EVPN Multihoming, VLAN-aware Bridge Mode, Bonding, Switch Port Attributes. Nothing here knows our
templates.

One difference from what NVUE writes: a VXLAN device for each VNI and one bridge, as ifupdown2 3.0 of Debian reads them;
NVUE has one device for all, and another bridge for L3 VNIs.
"""

from collections.abc import Iterator

from fabricgen.platforms.cumulus.lab.nvue_frr import frr_conf
from tests.cumulus.reading import Node, at, tree

__all__ = ["frr_conf", "interfaces"]

SPEEDS = {"10G", "25G", "40G", "50G", "100G", "200G", "400G"}


def interfaces(text: str) -> str:
    """/etc/network/interfaces of a switch."""
    return "\n".join([*_interfaces(tree(text)), ""])


def _interfaces(root: Node) -> Iterator[str]:
    for name in ("mgmt", *(name for name in root["vrf"] if name != "default")):
        yield from ("", f"auto {name}", f"iface {name}", "    vrf-table auto")
        yield from (f"    address {a}" for a in at(root, "vrf", name, "loopback", "ip", "address"))
    for name, row in root["interface"].items():
        yield from ("", f"auto {name}", f"iface {name}{' inet loopback' if name == 'lo' else ''}")
        yield from (f"    {line}" for line in _stanza(name, row, root))
    yield from _bridge(root)


def _stanza(name: str, row: Node, root: Node) -> Iterator[str]:
    link = row.get("link", {})
    if "description" in row:
        yield f"alias {row['description']}"
    yield from (f"address {address}" for address in at(row, "ip", "address"))
    yield from (f"gateway {gateway}" for gateway in at(row, "ip", "gateway"))
    if "vrf" in row.get("ip", {}):
        yield f"vrf {row['ip']['vrf']}"
    if "mtu" in link:
        yield f"mtu {link['mtu']}"
    if link.get("speed") in SPEEDS:
        yield f"link-speed {link['speed'].removesuffix('G')}000"
    if "fec" in link:
        yield f"link-fec {link['fec']}"
    if "down" in link.get("state", {}):
        yield "link-down yes"
    if name == "lo" and at(root, "nve", "vxlan").get("enable") == "on":
        yield f"vxlan-local-tunnelip {root['nve']['vxlan']['source']['address']}"
    yield from _layer2(row)


def _layer2(row: Node) -> Iterator[str]:
    if row["type"] == "bond":
        yield f"bond-slaves {' '.join(row['bond']['member'])}"
        yield "bond-mode 802.3ad"
        if row["bond"].get("lacp-bypass") == "on":
            yield "bond-lacp-bypass-allow yes"
        if segment := at(row, "evpn", "multihoming", "segment"):
            yield f"es-sys-mac {segment['mac-address']}"
    if row["type"] == "svi":
        yield from (f"vlan-id {row['vlan']}", "vlan-raw-device br_default")
        yield f"hwaddress {row['link']['mac-address']}"
    domain = at(row, "bridge", "domain", "br_default")
    if "access" in domain:
        yield f"bridge-access {domain['access']}"
    elif domain:
        yield f"bridge-vids {' '.join(domain['vlan'])}"
        if domain.get("untagged") == "none":
            yield "bridge-allow-untagged no"
    # stp bpdu-guard is mstpctl-bpduguard: Debian has no mstpd, and its ifupdown2 refuses the word.


def _bridge(root: Node) -> Iterator[str]:
    if at(root, "nve", "vxlan").get("enable") != "on":
        return
    vlans = at(root, "bridge", "domain", "br_default", "vlan")
    maps = {vni: vlan for vlan, row in vlans.items() for vni in row["vni"]}
    maps |= {vni: str(vrf["evpn"]["vlan"]) for vrf in root["vrf"].values() for vni in at(vrf, "evpn", "vni")}
    for vni, vlan in maps.items():
        yield from ("", f"auto vni{vni}", f"iface vni{vni}", f"    mtu {root['nve']['vxlan']['mtu']}")
        yield from (f"    vxlan-id {vni}", f"    bridge-access {vlan}", "    bridge-learning off")
    for name, vrf in root["vrf"].items():
        if "evpn" in vrf:
            vlan = vrf["evpn"]["vlan"]
            yield from ("", f"auto vlan{vlan}_l3", f"iface vlan{vlan}_l3", f"    vrf {name}", f"    vlan-id {vlan}")
            yield "    vlan-raw-device br_default"
    ports = [name for name, row in root["interface"].items() if "bridge" in row]
    yield from ("", "auto br_default", "iface br_default", "    bridge-vlan-aware yes", "    mtu 9216")
    yield f"    bridge-ports {' '.join([*ports, *(f'vni{vni}' for vni in maps)])}"
    yield f"    bridge-vids {' '.join(maps.values())}"
