"""What SONiC's frrcfgd does, as far as fabricgen's tables need it: from its tables to the lines that it gives FRR.

The real one cannot be had: it is a part of the switch and no package has it. Written from github.com/sonic-net/
sonic-buildimage 086b03bd (read 2026-11-22), src/sonic-frr-mgmt-framework: templates/bgpd/bgpd.conf.db*.j2 and
templates/staticd/staticd.db.conf.j2, which make the file that FRR starts with, and the key maps of frrcfgd/frrcfgd.py,
from which it says again what the templates leave out (`use_template_render_for_restore` false): `set local-preference`,
for which the template asks another field than the model has. Its own templates, run on the same files on 2026-11-22,
gave FRR 8.4.4 the same configuration. Tests take it for a double of the daemon, labs for the daemon itself.
"""

import re
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Any

from fabricgen.platforms.linux.lab.routing import RoutingText
from fabricgen.platforms.linux.lab.watched import Watched, unread

Row = Mapping[str, Any]
Document = Mapping[str, Mapping[str, Row]]
ROUTING = re.compile(
    r"((BGP|ROUTE|PREFIX|COMMUNITY|EXTENDED_COMMUNITY|AS_PATH|STATIC_ROUTE|OSPFV2|BFD)(_\w+)?|VRF \S+ vni) .*"
)
"""Table, key, field and value of which the daemon makes lines."""
NO_LINE: Mapping[str, str] = {
    r"ROUTE_MAP_SET \S+": "ROUTE_MAP's keys have the name again",
    r"COMMUNITY_SET \S+ action permit": "each line says so",
    r"COMMUNITY_SET \S+ match_action ANY": "each member has a line of its own",
}
"""Those of which it makes none, by pattern, and why."""
UNICAST = {"ipv4_unicast": "ipv4 unicast", "ipv6_unicast": "ipv6 unicast", "l2vpn_evpn": "l2vpn evpn"}


def makes_lines(found: Document) -> bool:
    """Whether the daemon makes FRR's file; else the file that stands is read (docker-fpm-frr, docker_init.sh)."""
    return bool(found["DEVICE_METADATA"]["localhost"]["docker_routing_config_mode"] == "unified")


def told(rows: Document) -> RoutingText:
    """The lines; `unsaid` are fields of routing's tables that are not in them. Raises as `text` does."""
    tables = Watched(dict(rows))
    lines = text(tables)
    found = (" ".join(path) for path in unread(tables))
    return RoutingText(lines, tuple(line for line in found if ROUTING.fullmatch(line) and not _is_no_line(line)))


def _is_no_line(row: str) -> bool:
    return any(re.fullmatch(pattern, row) for pattern in NO_LINE)


def text(found: Document) -> str:
    """The lines, in the order of frr.conf.j2; none where the daemon is not told to make them.

    Raises LookupError, ValueError or TypeError for tables that are none of ours.
    """
    if not makes_lines(found):
        return ""
    parts = (_static, _prefix_lists, _route_maps, _communities, _bgp)
    return "".join(f"{line}\n" for part in parts for line in part(found))


def _rows(found: Document, table: str) -> Mapping[str, Row]:
    return found.get(table, {})


def _static(found: Document) -> Iterator[str]:
    for key, row in _rows(found, "STATIC_ROUTE").items():
        prefix = key.split("|")[1]
        if row.get("blackhole") == "true":
            yield f"{_word(prefix)} route {prefix} blackhole"


def _word(prefix: str) -> str:
    return "ip" if ip_network(prefix).version == 4 else "ipv6"


def _prefix_lists(found: Document) -> Iterator[str]:
    modes = {"IPv4": "ip", "IPv6": "ipv6"}
    for key, row in _rows(found, "PREFIX").items():
        name, prefix, lengths = key.split("|")
        line = f"{modes[_rows(found, 'PREFIX_SET')[name]['mode']]} prefix-list {name} {row['action']} {prefix}"
        if lengths != "exact":
            shortest, longest = lengths.split("..")
            low = f" ge {shortest}" if int(shortest) > int(prefix.split("/")[1]) else ""
            line += f"{low} le {longest}"
        yield line


def _route_maps(found: Document) -> Iterator[str]:
    modes = {"IPv4": "ip", "IPv6": "ipv6"}
    for key, row in _rows(found, "ROUTE_MAP").items():
        name, sequence = key.split("|")
        yield f"route-map {name} {row['route_operation']} {sequence}"
        if "match_community" in row:
            yield f" match community {row['match_community']}"
        if "match_prefix_set" in row:
            mode = modes[_rows(found, "PREFIX_SET")[row["match_prefix_set"]]["mode"]]
            yield f" match {mode} address prefix-list {row['match_prefix_set']}"
        if "set_community_inline" in row:
            yield f" set community {' '.join(row['set_community_inline'])}"
        if "set_local_pref" in row and _replays(found):
            yield f" set local-preference {row['set_local_pref']}"
        yield "exit"


def _replays(found: Document) -> bool:
    return found["DEVICE_METADATA"]["localhost"].get("use_template_render_for_restore") == "false"


def _communities(found: Document) -> Iterator[str]:
    for name, row in _rows(found, "COMMUNITY_SET").items():
        for member in row["community_member"]:
            yield f"bgp community-list {row['set_type'].lower()} {name} permit {member}"


def _bgp(found: Document) -> Iterator[str]:
    own = _rows(found, "BGP_GLOBALS")["default"]
    yield f"router bgp {own['local_asn']}"
    yield f" bgp router-id {own['router_id']}"
    yield f"{'' if own['default_ipv4_unicast'] == 'true' else ' no'} bgp default ipv4-unicast"
    if own["load_balance_mp_relax"] == "true":
        yield " bgp bestpath as-path multipath-relax"
    for key, row in _rows(found, "BGP_PEER_GROUP").items():
        name = key.split("|")[1]
        yield f" neighbor {name} peer-group"
        yield from _session(name, row)
    for key, row in _rows(found, "BGP_NEIGHBOR").items():
        name = key.split("|")[1]
        way = f"{name} interface" if name.startswith("Ethernet") else name
        yield f" neighbor {way} remote-as {row['asn']}"
        yield f" neighbor {way} peer-group {row['peer_group_name']}"
        yield from _session(name, row)
    for family, word in UNICAST.items():
        lines = list(_family(found, family))
        if lines:
            yield from (" !", f" address-family {word}", *lines, " exit-address-family")
    yield "exit"


def _session(name: str, row: Row) -> Iterator[str]:
    if "name" in row:
        yield f" neighbor {name} description {row['name']}"
    if row.get("bfd") == "true":
        yield f" neighbor {name} bfd"
    if row.get("ebgp_multihop") == "true":
        yield f" neighbor {name} ebgp-multihop {row.get('ebgp_multihop_ttl', 255)}"
    if "local_addr" in row:
        yield f" neighbor {name} update-source {row['local_addr']}"
    if "keepalive" in row and "holdtime" in row:
        yield f" neighbor {name} timers {row['keepalive']} {row['holdtime']}"
    if "conn_retry" in row:
        yield f" neighbor {name} timers connect {row['conn_retry']}"
    if row.get("capability_ext_nexthop") == "true":
        yield f" neighbor {name} capability extended-nexthop"


def _family(found: Document, family: str) -> Iterator[str]:
    for key in _rows(found, "BGP_GLOBALS_AF_NETWORK"):
        if key.split("|")[1] == family:
            yield f"  network {key.split('|')[2]}"
    for table in ("BGP_PEER_GROUP_AF", "BGP_NEIGHBOR_AF"):
        for key, row in _rows(found, table).items():
            _, name, told = key.split("|")
            if told == family:
                yield from _active(name, row)
    width = _rows(found, "BGP_GLOBALS_AF").get(f"default|{family}", {}).get("max_ebgp_paths")
    if width:
        yield f"  maximum-paths {width}"


def _over_limit(row: Row) -> str:
    """What is done beyond a limit: one of two words, the restart before the warning."""
    if "max_prefix_restart_interval" in row:
        return f" restart {row['max_prefix_restart_interval']}"
    return " warning-only" if row.get("max_prefix_warning_only") == "true" else ""


def _active(name: str, row: Row) -> Iterator[str]:
    if row.get("admin_status") == "up":
        yield f"  neighbor {name} activate"
    if "max_prefix_limit" in row:
        yield f"  neighbor {name} maximum-prefix {row['max_prefix_limit']}{_over_limit(row)}"
    for way in ("in", "out"):
        yield from (f"  neighbor {name} route-map {each} {way}" for each in row.get(f"route_map_{way}", ()))
    if row.get("unchanged_nexthop") == "true":
        yield f"  neighbor {name} attribute-unchanged next-hop"
