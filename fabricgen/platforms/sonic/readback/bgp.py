"""BGP in tables, which FRR's configuration daemon of SONiC reads.

Sources: src/sonic-yang-models: sonic-bgp-global, sonic-bgp-neighbor, sonic-bgp-peergroup, sonic-bgp-common,
sonic-route-map, sonic-routing-policy-sets; src/sonic-frr-mgmt-framework, frrcfgd/frrcfgd.py: which line of FRR a field
becomes. FRR is built with the profile `traditional` there (rules of sonic-buildimage, src/sonic-frr): 60 and 180
seconds, 120 until a session is tried again, and a session outside needs a policy unless `ebgp_requires_policy` says no.
The daemon writes a list of communities once it has match_action, set_type and a member (class CommunityList). A family
without a row of BGP_GLOBALS_AF has as many equal paths as FRR was built for (docs.frrouting.org, BGP, option --ecmp).
"""

from collections.abc import Callable, Mapping

from fabricgen.platforms.linux.readback.bgp import ANY_OWN_AS, MOST_HOPS, OWN_AS, UNTIL_CLEARED, Peer, Speaker
from fabricgen.platforms.linux.readback.policy import KNOWN_COMMUNITIES, Policies, Statement, prefix_range
from fabricgen.platforms.linux.readback.words import host, number, prefix
from fabricgen.platforms.sonic.readback.database import Database, count, is_on, lines_at, plain, refuse, text_at
from fabricgen.readback.fields import Field
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.rows import reference

FAMILIES = {"ipv4_unicast": "ipv4", "ipv6_unicast": "ipv6", "l2vpn_evpn": "evpn"}
DEFAULT = "default"


def speakers(db: Database) -> dict[str, Speaker]:
    """What the tables say of BGP, by VRF."""
    found: dict[str, Speaker] = {}
    for key, row in db.rows("BGP_GLOBALS").items():
        vrf = "" if key == DEFAULT else key
        speaker = found[vrf] = Speaker(vrf, row.number, db.file)
        speaker.asn, speaker.line = count(row, "local_asn")
        router_id, line = text_at(row, "router_id")
        speaker.router_id = (host(router_id), line)
        speaker.activates_ipv4 = text_at(row, "default_ipv4_unicast")[0] != "false"
        speaker.needs_policy = text_at(row, "ebgp_requires_policy")[0] != "false"
        (keepalive, line), (hold, _) = count(row, "keepalive", 60), count(row, "holdtime", 180)
        speaker.timers = (keepalive, hold, line)
        speaker.relaxed = (is_on(row, "load_balance_mp_relax"), text_at(row, "load_balance_mp_relax")[1])
        speaker.in_order = False
    for table, is_group in (("BGP_PEER_GROUP", True), ("BGP_NEIGHBOR", False)):
        for key, row in db.rows(table).items():
            _peer(found, db, key, row, is_group=is_group)
    for table in ("BGP_PEER_GROUP_AF", "BGP_NEIGHBOR_AF"):
        for key, row in db.rows(table).items():
            _family(found, key, row)
    _globals(found, db)
    _networks(found, db)
    return found


def _speaker(found: dict[str, Speaker], vrf: str) -> Speaker | None:
    return found.get("" if vrf == DEFAULT else vrf)


def _globals(found: dict[str, Speaker], db: Database) -> None:
    for key, row in db.rows("BGP_GLOBALS_AF").items():
        vrf, _, family = key.partition("|")
        speaker = _speaker(found, vrf)
        if speaker is None or family not in FAMILIES:
            row.used = False
            continue
        paths, line = count(row, "max_ebgp_paths")
        speaker.blocks[FAMILIES[family]] = row.number
        if paths:
            speaker.paths[FAMILIES[family]] = (paths, line)
        if family == "l2vpn_evpn" and is_on(row, "advertise-all-vni"):
            db.say("advertise-all-vni", row)
    for speaker in found.values():
        said = [row for peer in speaker.peers.values() for row in peer.families.items()]
        for family in [family for (family, setting), (value, _) in said if setting == "activate" and value]:
            speaker.blocks.setdefault(family, db.table_line("BGP_GLOBALS_AF") or speaker.line)


def _networks(found: dict[str, Speaker], db: Database) -> None:
    for key, row in db.rows("BGP_GLOBALS_AF_NETWORK").items():
        vrf, _, rest = key.partition("|")
        family, _, text = rest.partition("|")
        speaker, network = _speaker(found, vrf), prefix(text)
        if speaker is None or family not in FAMILIES or not network:
            row.used = False
            continue
        speaker.networks.append((network, row.number))


def _peer(found: dict[str, Speaker], db: Database, key: str, row: Field, *, is_group: bool) -> None:
    vrf, sign, name = key.partition("|")
    speaker = _speaker(found, vrf if sign else DEFAULT)
    if speaker is None and not sign:  # tables of bgpcfgd: no VRF, the AS number is that of the switch
        asn, line = count(db.row("DEVICE_METADATA", "localhost"), "bgp_asn")
        speaker = found[""] = Speaker("", line, db.file, asn=asn, in_order=False)
    if speaker is None:
        row.used = False
        return
    peer = speaker.peer(name if sign else vrf, row.number)
    peer.is_group, peer.port = is_group, not is_group and peer.port
    for field in row.below:
        handler = OF_PEERS.get(field.key)
        field.used = handler is not None and handler(peer, plain(field), field.number)
    if is_on(row, "ebgp_multihop"):
        hops, line = count(row, "ebgp_multihop_ttl", MOST_HOPS)
        peer.own["multihop"] = (hops, line)


def _word(setting: str) -> Callable[[Peer, str, int], bool]:
    def take(peer: Peer, text: str, line: int) -> bool:
        peer.own[setting] = (text, line)
        return True

    return take


def _number(setting: str) -> Callable[[Peer, str, int], bool]:
    def take(peer: Peer, text: str, line: int) -> bool:
        found = number(text)
        if found is not None:
            peer.own[setting] = (found, line)
        return found is not None

    return take


def _flag(setting: str) -> Callable[[Peer, str, int], bool]:
    def take(peer: Peer, text: str, line: int) -> bool:
        peer.own[setting] = (text in ("true", "up"), line)
        return text in ("true", "false", "up", "down")

    return take


def _group(peer: Peer, text: str, line: int) -> bool:
    peer.group = text
    return True


def _source(peer: Peer, text: str, line: int) -> bool:
    peer.own["source"] = (host(text) or text, line)
    return True


def _password(peer: Peer, text: str, line: int) -> bool:
    peer.own["password"] = (reference(text), line)
    return True


def _seen(peer: Peer, text: str, line: int) -> bool:
    """Read beside another field."""
    return True


def _no(peer: Peer, text: str, line: int) -> bool:
    """A role of bgpcfgd that this fabric has none of."""
    return text in ("0", "false")


OF_PEERS: Mapping[str, Callable[[Peer, str, int], bool]] = {
    "name": _word("description"),
    "asn": _number("remote-as"),
    "keepalive": _number("keepalive"),
    "holdtime": _number("hold"),
    "conn_retry": _number("connect"),
    "bfd": _flag("bfd"),
    "admin_status": _flag("enabled"),
    "capability_ext_nexthop": _flag("extended-next-hop"),
    "ebgp_multihop": _seen,
    "ebgp_multihop_ttl": _seen,
    "ttl_security_hops": _number("ttl-hops"),
    "disable_ebgp_connected_route_check": _flag("unconnected"),
    "local_addr": _source,
    "auth_password": _password,
    "peer_group_name": _group,
    "nhopself": _no,
    "rrclient": _no,
}


def _family(found: dict[str, Speaker], key: str, row: Field) -> None:
    vrf, _, rest = key.partition("|")
    name, _, words = rest.partition("|")
    speaker, family = _speaker(found, vrf), FAMILIES.get(words, "")
    peer = speaker.peers.get(name) if speaker is not None else None
    if peer is None or not family:
        row.used = False
        return
    peer.blocks[family] = row.number
    status, line = text_at(row, "admin_status")
    if status:
        peer.families[family, "activate"] = (status in ("up", "true"), line)
    for way in ("in", "out"):
        for name, line in lines_at(row, f"route_map_{way}").items():
            peer.families[family, f"map-{way}"] = (name, line)
    _limit(peer, family, row)
    kinds, line = text_at(row, "send_community")
    if kinds:
        peer.families[family, "extended"] = (kinds in ("both", "extended", "all"), line)
    _next_hop(peer, family, row)
    _loops(peer, family, row)


def _loops(peer: Peer, family: str, row: Field) -> None:
    """What weakens the check of AS loops (frrcfgd.py, nbr_af_key_map: allowas-in, as-override, remove-private-AS)."""
    takes, line = is_on(row, "allow_as_in"), text_at(row, "allow_as_in")[1]
    times, origin = count(row, "allow_as_count", OWN_AS)[0], is_on(row, "allow_as_origin")
    if takes:
        peer.families[family, "own-as"] = (ANY_OWN_AS if origin else times, line)
    removes, at = is_on(row, "remove_private_as_enabled"), text_at(row, "remove_private_as_enabled")[1]
    for word in ("remove_private_as_all", "replace_private_as"):
        is_on(row, word)
    if removes:
        peer.families[family, "remove-private-as"] = (True, at)
    if is_on(row, "as_override"):
        peer.families[family, "as-override"] = (True, text_at(row, "as_override")[1])


def _next_hop(peer: Peer, family: str, row: Field) -> None:
    unchanged, line = text_at(row, "unchanged_nexthop")
    if unchanged:
        peer.families[family, "unchanged"] = (unchanged == "true", line)
    for word in ("nhself", "nexthop_self_force"):
        own, line = text_at(row, word)
        if own == "true":
            peer.families[family, "unchanged"] = (False, line)


def _limit(peer: Peer, family: str, row: Field) -> None:
    limit, line = count(row, "max_prefix_limit")
    if limit:
        peer.families[family, "maximum"] = (limit, line)
        minutes, at = count(row, "max_prefix_restart_interval")
        only = is_on(row, "max_prefix_warning_only")
        peer.families[family, "restart"] = (0 if only else minutes or UNTIL_CLEARED, at)


def policies(db: Database, found: Policies) -> None:
    """Policy objects in tables. Sets of prefixes have no sequence; every entry permits."""
    modes = {name: text_at(row, "mode")[0].lower() for name, row in db.rows("PREFIX_SET").items()}
    for name, row in db.rows("PREFIX_SET").items():
        if modes[name] not in ("ipv4", "ipv6"):
            refuse(row, "mode")
    for key, row in db.rows("PREFIX").items():
        row.used = _prefix(found, key, row, modes)
    _communities(db, found)
    sets = db.rows("ROUTE_MAP_SET")
    for key, row in db.rows("ROUTE_MAP").items():
        name, _, sequence = key.rpartition("|")
        place, operation = number(sequence), text_at(row, "route_operation")[0]
        if place is None or operation not in ("permit", "deny") or name not in sets:
            row.used = False
            continue
        entry = found.statement(name, place, row.number, permit=operation == "permit")
        entry.parts["permit"] = text_at(row, "route_operation")[1]
        _statement(entry, row, modes)


def _communities(db: Database, found: Policies) -> None:
    for name, row in db.rows("COMMUNITY_SET").items():
        members = lines_at(row, "community_member")
        if not members or row.take("match_action") is None or row.take("set_type") is None:
            row.used = False
            continue
        found.communities[name] = {KNOWN_COMMUNITIES.get(text, text): line for text, line in members.items()}
        if text_at(row, "action")[0] not in ("permit", "") or text_at(row, "set_type")[0] != "STANDARD":
            row.used = False
        action = text_at(row, "match_action")[0]
        if action not in ("ANY", "ALL") or (action == "ALL" and len(members) > 1):
            refuse(row, "match_action")


def _prefix(found: Policies, key: str, row: Field, modes: Mapping[str, str]) -> bool:
    """`set|prefix|exact`, or `set|prefix|24..32`."""
    name, _, rest = key.partition("|")
    text, _, lengths = rest.partition("|")
    bounds = [None, None] if lengths in ("exact", "") else [number(word) for word in lengths.split("..")]
    entry = prefix_range(text, *bounds) if len(bounds) == 2 else None
    if entry is None or text_at(row, "action")[0] not in ("permit", "") or name not in modes:
        return False
    found.add_prefix("ipv6" if modes[name] == "ipv6" else "ipv4", name, entry, row.number)
    return True


def _statement(entry: Statement, row: Field, modes: Mapping[str, str]) -> None:
    community, line = text_at(row, "match_community")
    if community:
        entry.match_community(community, line)
    prefixes, line = text_at(row, "match_prefix_set")
    if prefixes:
        entry.match_prefixes("ipv6" if modes.get(prefixes) == "ipv6" else "ipv4", prefixes, line)
    sets = lines_at(row, "set_community_inline")
    if sets:
        replace = sets.pop("additive", None) is None
        entry.set_all(sets, text_at(row, "set_community_inline")[1], replace=replace)
    entry.local_preference, entry.parts["local_preference"] = count(row, "set_local_pref", -1)


def put_static(db: Database) -> None:
    """Rows of STATIC_ROUTE."""
    for key, row in db.rows("STATIC_ROUTE").items():
        vrf, sign, text = key.rpartition("|")
        name = prefix(text)
        hop, line = text_at(row, "nexthop")
        discard = is_on(row, "blackhole")
        if not name or not (hop or discard):
            row.used = False
            continue
        vrf = "" if vrf == DEFAULT or not sign else vrf
        db.put("static-route", in_vrf(vrf, name), "next-hop", "discard" if discard else host(hop) or hop, line)
