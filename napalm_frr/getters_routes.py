"""Getter of routes, from zebra's table; BGP attributes come from bgpd."""

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_interface
from typing import Any

from napalm.base.exceptions import CommandErrorException

from napalm_frr.getters_system import DEFAULT, vrf_names
from napalm_frr.shell import Shell

SECONDS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
AGE = re.compile(r"(\d+)([wdhms])")


def routes_to(shell: Shell, destination: str, protocol: str, longer: bool) -> dict[str, list[dict[str, Any]]]:
    """Prefix → its next hops. A single address is looked up by longest match.

    destination  address, prefix, or "" for all. Raises CommandErrorException for anything else
    protocol     such as "bgp"; "" for all
    longer       include more specific routes. BGP attributes are returned only without it, for one destination
    """
    routes_by_prefix: dict[str, list[dict[str, Any]]] = {}
    for vrf in (DEFAULT, *vrf_names(shell)):
        for family in _families(shell, destination):
            for prefix, routes in _table(shell, vrf, family, (destination, longer)).items():
                rows = [row for row in routes if protocol.lower() in ("", row["protocol"])]
                is_bgp = any(row["protocol"] == "bgp" for row in rows)
                paths = _paths(shell, vrf, family, prefix) if destination and not longer and is_bgp else ()
                routes_by_prefix.setdefault(prefix, []).extend(way for row in rows for way in _ways(row, vrf, paths))
    return {prefix: ways for prefix, ways in routes_by_prefix.items() if ways}


def _families(shell: Shell, destination: str) -> tuple[str, ...]:
    if not destination:
        return ("ip", "ipv6")
    try:
        return ("ip" if ip_interface(destination).version == 4 else "ipv6",)
    except ValueError:
        raise CommandErrorException(f"{shell.host}: not an address or a prefix: {destination!r}") from None


def _table(shell: Shell, vrf: str, family: str, lookup: tuple[str, bool]) -> Mapping[str, Any]:
    destination, longer = lookup
    parts = [f"show {family} route", *((f"vrf {vrf}",) if vrf != DEFAULT else ())]
    parts += [destination] if destination else []
    parts += ["longer-prefixes"] if longer and destination else []
    table: Mapping[str, Any] = shell.json(" ".join([*parts, "json"]))
    return table


def _paths(shell: Shell, vrf: str, family: str, prefix: str) -> tuple[Mapping[str, Any], ...]:
    name = "ipv4" if family == "ip" else "ipv6"
    answer = shell.json(f"show bgp vrf {vrf} {name} unicast {prefix} json")
    return tuple(answer.get("paths", ()))


def _ways(row: Mapping[str, Any], vrf: str, paths: tuple[Mapping[str, Any], ...]) -> Iterator[dict[str, Any]]:
    for hop in row.get("nexthops", ()):
        address = str(hop.get("ip", ""))
        yield {
            "protocol": str(row["protocol"]).upper(),
            "current_active": bool(row.get("selected", False)),
            "last_active": False,
            "age": _seconds(str(row.get("uptime", ""))),
            "next_hop": address,
            "outgoing_interface": str(hop.get("interfaceName", "")),
            "selected_next_hop": bool(hop.get("fib", False)),
            "preference": int(row.get("distance", 0)),
            "inactive_reason": "" if hop.get("active") else "next hop not reachable",
            "routing_table": "global" if vrf == DEFAULT else vrf,
            "protocol_attributes": _attributes(address, paths),
        }


def _attributes(address: str, paths: tuple[Mapping[str, Any], ...]) -> dict[str, Any]:
    """Attributes of the BGP path with this next hop; {} if there is none."""
    for path in paths:
        if address in {hop.get("ip") for hop in path.get("nexthops", ())}:
            as_path = path.get("aspath", {})
            members = [asn for segment in as_path.get("segments", ()) for asn in segment.get("list", ())]
            return {
                "as_path": str(as_path.get("string", "")),
                "remote_as": int(members[0]) if members else 0,
                "peer_id": str(path.get("peer", {}).get("peerId", "")),
                "communities": [str(item) for item in path.get("community", {}).get("list", ())],
                "local_preference": int(path.get("locPrf", 100)),
                "preference2": 0,
                "metric": int(path.get("metric", 0)),
                "metric2": 0,
            }
    return {}


def _seconds(text: str) -> int:
    """Convert FRR's route age to seconds: 00:01:02, 1d02h03m or 01w2d03h."""
    if re.fullmatch(r"\d+:\d+:\d+", text):
        hours, minutes, seconds = (int(part) for part in text.split(":"))
        return hours * 3600 + minutes * 60 + seconds
    return sum(int(count) * SECONDS[unit] for count, unit in AGE.findall(text))
