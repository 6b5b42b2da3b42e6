"""Getters of the switch itself: facts, interfaces, addresses, VRFs, neighbor tables."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from napalm_frr.shell import Shell

DEFAULT = "default"
NEVER = -1.0  # NAPALM's value for an interface that has not flapped
VERSION = re.compile(r"^FRRouting (\S+)", re.MULTILINE)
VRF_LINE = re.compile(r"^vrf (\S+)\s", re.MULTILINE)
# How zebra prints the time of a change, in the switch's own time zone.
FLAPPED = "%Y/%m/%d %H:%M:%S.%f %z"
NAMESPACES = "netns-based vrfs"


def facts(shell: Shell) -> dict[str, Any]:
    """Facts. Model and serial number are the machine's, if its firmware has them; the uptime is the system's."""
    match = VERSION.search(shell.vtysh("show version"))
    hostname = shell.must(["uname", "-n"]).strip()
    read = ["cat", "/proc/uptime", "/sys/class/dmi/id/product_name", "/sys/class/dmi/id/product_serial"]
    lines = [*shell.run(read).output.splitlines(), "", ""]
    return {
        "uptime": float(lines[0].split()[0]),
        "vendor": "FRRouting",
        "os_version": match[1] if match else "",
        "serial_number": lines[2].strip(),
        "model": lines[1].strip() or shell.must(["uname", "-m"]).strip(),
        "hostname": hostname,
        "fqdn": hostname,
        "interface_list": [link["ifname"] for link in shell.json("ip -j link show")],
    }


def interfaces(shell: Shell) -> dict[str, dict[str, Any]]:
    """Interfaces. State, MTU and address are the kernel's; description, speed and last change are zebra's."""
    zone = shell.must(["date", "+%z"]).strip()
    # Interfaces of zebra by name. If each VRF is a namespace, names repeat, so only the default VRF is read.
    vrf = DEFAULT if shell.vtysh("show vrf").startswith(NAMESPACES) else "all"
    zebra: Mapping[str, Any] = shell.json(f"show interface vrf {vrf} json")
    return {
        link["ifname"]: _interface(link, zebra.get(link["ifname"], {}), zone) for link in shell.json("ip -j link show")
    }


def _interface(link: Mapping[str, Any], zebra: Mapping[str, Any], zone: str) -> dict[str, Any]:
    flags = link.get("flags", ())
    changes = [_epoch(zebra[name], zone) for name in ("lastLinkUp", "lastLinkDown") if name in zebra]
    return {
        "is_up": "LOWER_UP" in flags and link.get("operstate") in ("UP", "UNKNOWN"),
        "is_enabled": "UP" in flags,
        "description": str(zebra.get("description", "")),
        "last_flapped": max(changes, default=NEVER),
        "speed": float(zebra.get("speed", 0)),
        "mtu": int(link["mtu"]),
        "mac_address": str(link.get("address", "")).upper(),
    }


def _epoch(text: str, zone: str) -> float:
    try:
        return datetime.strptime(f"{text} {zone}", FLAPPED).astimezone(UTC).timestamp()
    except ValueError:
        return NEVER


def interfaces_ip(shell: Shell) -> dict[str, dict[str, dict[str, dict[str, int]]]]:
    """Addresses of each interface that has any, including link-local ones."""
    addresses: dict[str, dict[str, dict[str, dict[str, int]]]] = {}
    for link in shell.json("ip -j addr show"):
        for row in link.get("addr_info", ()):
            family = {"inet": "ipv4", "inet6": "ipv6"}.get(row.get("family"))
            if family and "local" in row:
                families = addresses.setdefault(link["ifname"], {})
                families.setdefault(family, {})[row["local"]] = {"prefix_length": int(row["prefixlen"])}
    return addresses


def arp_table(shell: Shell, vrf: str) -> list[dict[str, Any]]:
    """IPv4 neighbors with a link address. The kernel does not report ages, so the age is -1.0."""
    return [{**row, "age": -1.0} for row, _ in _neighbors(shell, "-4", vrf)]


def ipv6_neighbors(shell: Shell) -> list[dict[str, Any]]:
    """IPv6 neighbors with a link address, and the kernel's state of each."""
    return [{**row, "age": -1.0, "state": state} for row, state in _neighbors(shell, "-6", "")]


def _neighbors(shell: Shell, family: str, vrf: str) -> Iterator[tuple[dict[str, Any], str]]:
    argv = ["ip", family, "-j", "neigh", "show", *(("vrf", vrf) if vrf not in ("", "global", DEFAULT) else ())]
    for row in shell.rows(argv):
        if "lladdr" in row:
            state = row.get("state", [])
            yield {"interface": row["dev"], "mac": row["lladdr"].upper(), "ip": row["dst"]}, " ".join(state)


def vrf_names(shell: Shell) -> tuple[str, ...]:
    """VRFs without the default one."""
    return tuple(name for name in VRF_LINE.findall(shell.vtysh("show vrf")) if name != DEFAULT)


def network_instances(shell: Shell, name: str) -> dict[str, dict[str, Any]]:
    """VRFs, including the default one, whether devices or network namespaces. An RD that is not set is ""."""
    distinguishers = _distinguishers(shell.vtysh("show running-config no-header"))
    instances: dict[str, dict[str, Any]] = {}
    for vrf in (DEFAULT, *vrf_names(shell)):
        if name in ("", vrf, "global" if vrf == DEFAULT else vrf):
            members = shell.json(f"show interface vrf {vrf} json")
            instances[vrf] = {
                "name": vrf,
                "type": "DEFAULT_INSTANCE" if vrf == DEFAULT else "L3VRF",
                "state": {"route_distinguisher": distinguishers.get(vrf, "")},
                "interfaces": {"interface": {member: {} for member in members if member != vrf}},
            }
    return instances


def _distinguishers(running: str) -> dict[str, str]:
    """VRF → the `rd` of its BGP instance."""
    rd_by_vrf = {}
    vrf = ""
    for line in running.splitlines():
        words = line.split()
        if words[:2] == ["router", "bgp"]:
            vrf = words[4] if words[3:4] == ["vrf"] else ""
        elif words[:1] == ["rd"] and vrf and len(line) - len(line.lstrip()) == 2:
            rd_by_vrf[vrf] = words[1]
    return rd_by_vrf
