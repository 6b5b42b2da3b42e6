"""What SONiC's frrcfgd does, as far as fabricgen's tables need it: the lines that it gives FRR for its tables.

The real daemon is part of the switch image, and no package has it. Written from github.com/sonic-net/sonic-buildimage
086b03bd (read 2026-11-22), src/sonic-frr-mgmt-framework: templates/bgpd/bgpd.conf.db*.j2 and
templates/staticd/staticd.db.conf.j2, which make the file that FRR starts with, and the key maps of frrcfgd/frrcfgd.py.
By these it adds what the templates leave out (`use_template_render_for_restore` false): `set local-preference`, for
which the template reads another field than the model has. The daemon's own templates, run on the same files on
2026-11-22, gave FRR 8.4.4 the same configuration. Tests use this module as a double of the daemon; labs use it in place
of the daemon.
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
"""Pattern of those of which it makes no line → reason."""
UNICAST = {"ipv4_unicast": "ipv4 unicast", "ipv6_unicast": "ipv6 unicast", "l2vpn_evpn": "l2vpn evpn"}


def makes_lines(document: Document) -> bool:
    """Return whether the daemon writes frr.conf; otherwise FRR reads the file on disk.

    Source: docker-fpm-frr, docker_init.sh.
    """
    return bool(document["DEVICE_METADATA"]["localhost"]["docker_routing_config_mode"] == "unified")


def read_routing(rows: Document) -> RoutingText:
    """Return the lines; `unread` are fields of routing tables that produce no line. Raises as `text` does."""
    tables = Watched(dict(rows))
    lines = text(tables)
    fields = (" ".join(path) for path in unread(tables))
    return RoutingText(lines, tuple(line for line in fields if ROUTING.fullmatch(line) and not _is_no_line(line)))


def _is_no_line(row: str) -> bool:
    return any(re.fullmatch(pattern, row) for pattern in NO_LINE)


def text(document: Document) -> str:
    """Return the lines, in the order of frr.conf.j2; "" if the daemon is not configured to make them.

    Raises LookupError, ValueError or TypeError for tables of another form than fabricgen renders.
    """
    if not makes_lines(document):
        return ""
    parts = (_static, _prefix_lists, _route_maps, _communities, _bgp)
    return "".join(f"{line}\n" for part in parts for line in part(document))


def _rows(document: Document, table: str) -> Mapping[str, Row]:
    return document.get(table, {})


def _static(document: Document) -> Iterator[str]:
    for key, row in _rows(document, "STATIC_ROUTE").items():
        prefix = key.split("|")[1]
        if row.get("blackhole") == "true":
            yield f"{_word(prefix)} route {prefix} blackhole"


def _word(prefix: str) -> str:
    return "ip" if ip_network(prefix).version == 4 else "ipv6"


def _prefix_lists(document: Document) -> Iterator[str]:
    modes = {"IPv4": "ip", "IPv6": "ipv6"}
    for key, row in _rows(document, "PREFIX").items():
        name, prefix, lengths = key.split("|")
        line = f"{modes[_rows(document, 'PREFIX_SET')[name]['mode']]} prefix-list {name} {row['action']} {prefix}"
        if lengths != "exact":
            shortest, longest = lengths.split("..")
            low = f" ge {shortest}" if int(shortest) > int(prefix.split("/")[1]) else ""
            line += f"{low} le {longest}"
        yield line


def _route_maps(document: Document) -> Iterator[str]:
    modes = {"IPv4": "ip", "IPv6": "ipv6"}
    for key, row in _rows(document, "ROUTE_MAP").items():
        name, sequence = key.split("|")
        yield f"route-map {name} {row['route_operation']} {sequence}"
        if "match_community" in row:
            yield f" match community {row['match_community']}"
        if "match_prefix_set" in row:
            mode = modes[_rows(document, "PREFIX_SET")[row["match_prefix_set"]]["mode"]]
            yield f" match {mode} address prefix-list {row['match_prefix_set']}"
        if "set_community_inline" in row:
            yield f" set community {' '.join(row['set_community_inline'])}"
        if "set_local_pref" in row and _replays(document):
            yield f" set local-preference {row['set_local_pref']}"
        yield "exit"


def _replays(document: Document) -> bool:
    return document["DEVICE_METADATA"]["localhost"].get("use_template_render_for_restore") == "false"


def _communities(document: Document) -> Iterator[str]:
    for name, row in _rows(document, "COMMUNITY_SET").items():
        for member in row["community_member"]:
            yield f"bgp community-list {row['set_type'].lower()} {name} permit {member}"


def _bgp(document: Document) -> Iterator[str]:
    bgp_globals = _rows(document, "BGP_GLOBALS")["default"]
    yield f"router bgp {bgp_globals['local_asn']}"
    yield f" bgp router-id {bgp_globals['router_id']}"
    yield f"{'' if bgp_globals['default_ipv4_unicast'] == 'true' else ' no'} bgp default ipv4-unicast"
    if bgp_globals["load_balance_mp_relax"] == "true":
        yield " bgp bestpath as-path multipath-relax"
    for key, row in _rows(document, "BGP_PEER_GROUP").items():
        name = key.split("|")[1]
        yield f" neighbor {name} peer-group"
        yield from _session(name, row)
    for key, row in _rows(document, "BGP_NEIGHBOR").items():
        name = key.split("|")[1]
        peer = f"{name} interface" if name.startswith("Ethernet") else name
        yield f" neighbor {peer} remote-as {row['asn']}"
        yield f" neighbor {peer} peer-group {row['peer_group_name']}"
        yield from _session(name, row)
    for family, word in UNICAST.items():
        lines = list(_family(document, family))
        if lines:
            yield from (" !", f" address-family {word}", *lines, " exit-address-family")
    yield "exit"


def _session(name: str, row: Row) -> Iterator[str]:
    if "name" in row:
        yield f" neighbor {name} description {row['name']}"
    if row.get("bfd") == "true":
        yield f" neighbor {name} bfd"
    yield from _distance(name, row)
    if "local_addr" in row:
        yield f" neighbor {name} update-source {row['local_addr']}"
    if "keepalive" in row and "holdtime" in row:
        yield f" neighbor {name} timers {row['keepalive']} {row['holdtime']}"
    if "conn_retry" in row:
        yield f" neighbor {name} timers connect {row['conn_retry']}"
    if row.get("capability_ext_nexthop") == "true":
        yield f" neighbor {name} capability extended-nexthop"


def _distance(name: str, row: Row) -> Iterator[str]:
    if row.get("ebgp_multihop") == "true":
        yield f" neighbor {name} ebgp-multihop {row.get('ebgp_multihop_ttl', 255)}"
    if "ttl_security_hops" in row:
        yield f" neighbor {name} ttl-security hops {row['ttl_security_hops']}"
    if row.get("disable_ebgp_connected_route_check") == "true":
        yield f" neighbor {name} disable-connected-check"


def _family(document: Document, family: str) -> Iterator[str]:
    for key in _rows(document, "BGP_GLOBALS_AF_NETWORK"):
        if key.split("|")[1] == family:
            yield f"  network {key.split('|')[2]}"
    for table in ("BGP_PEER_GROUP_AF", "BGP_NEIGHBOR_AF"):
        for key, row in _rows(document, table).items():
            _, name, row_family = key.split("|")
            if row_family == family:
                yield from _active(name, row)
    width = _rows(document, "BGP_GLOBALS_AF").get(f"default|{family}", {}).get("max_ebgp_paths")
    if width:
        yield f"  maximum-paths {width}"


def _over_limit(row: Row) -> str:
    """Return what happens beyond a limit: `restart` wins over `warning-only`."""
    if "max_prefix_restart_interval" in row:
        return f" restart {row['max_prefix_restart_interval']}"
    return " warning-only" if row.get("max_prefix_warning_only") == "true" else ""


def _active(name: str, row: Row) -> Iterator[str]:
    if row.get("admin_status") == "up":
        yield f"  neighbor {name} activate"
    if "max_prefix_limit" in row:
        yield f"  neighbor {name} maximum-prefix {row['max_prefix_limit']}{_over_limit(row)}"
    for direction in ("in", "out"):
        yield from (
            f"  neighbor {name} route-map {route_map} {direction}"
            for route_map in row.get(f"route_map_{direction}", ())
        )
    if row.get("unchanged_nexthop") == "true":
        yield f"  neighbor {name} attribute-unchanged next-hop"
