"""Getters of BGP, from `show bgp vrf all summary json` and `show bgp vrf all neighbors json`."""

from collections.abc import Iterator, Mapping
from typing import Any

from napalm_frr.shell import Shell

# FRR's JSON names of address families → NAPALM's.
FAMILIES = {"ipv4Unicast": "ipv4", "ipv6Unicast": "ipv6", "l2VpnEvpn": "l2vpn evpn"}
UP = "Established"
SHUT = "Idle (Admin)"
VRF_KEYS = frozenset({"vrfId", "vrfName"})  # keys next to the peers of a VRF


def neighbors(shell: Shell) -> dict[str, dict[str, Any]]:
    """Sessions by VRF ("global" for the default one). FRR counts accepted prefixes only; received is set equal."""
    details = shell.json("show bgp vrf all neighbors json")
    instances: dict[str, dict[str, Any]] = {}
    for vrf, families in shell.json("show bgp vrf all summary json").items():
        entry = instances.setdefault(_table(vrf), {"router_id": "", "peers": {}})
        for name, family in _families(families):
            entry["router_id"] = str(family.get("routerId", ""))
            for peer, row in family.get("peers", {}).items():
                detail = details.get(vrf, {}).get(peer, {})
                peer_entry = entry["peers"].setdefault(peer, _peer(row, detail))
                peer_entry["address_family"][FAMILIES.get(name, name)] = _counts(row)
    return instances


def _families(vrf_summary: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    return ((name, family) for name, family in vrf_summary.items() if isinstance(family, dict) and "peers" in family)


def _table(vrf: str) -> str:
    return "global" if vrf == "default" else vrf


def _peer(row: Mapping[str, Any], detail: Mapping[str, Any]) -> dict[str, Any]:
    """Fields that do not depend on the family. A session that is up in one family may still wait for another."""
    up = detail.get("bgpState", row.get("state")) == UP
    return {
        "local_as": int(row.get("localAs", 0)),
        "remote_as": int(row.get("remoteAs", 0)),
        "remote_id": str(detail.get("remoteRouterId", "")),
        "is_up": up,
        "is_enabled": row.get("state") != SHUT and not detail.get("adminShutDown", False),
        "description": str(row.get("desc", "")),
        "uptime": int(row.get("peerUptimeMsec", 0)) // 1000 if up else -1,
        "address_family": {},
    }


def _counts(row: Mapping[str, Any]) -> dict[str, int]:
    """Prefix counts; -1 while the session is down."""
    up = row.get("state") == UP
    received, sent = (int(row.get(name, 0)) if up else -1 for name in ("pfxRcd", "pfxSnt"))
    return {"received_prefixes": received, "accepted_prefixes": received, "sent_prefixes": sent}


def neighbors_detail(shell: Shell, address: str) -> dict[str, dict[int, list[dict[str, Any]]]]:
    """VRF → remote ASN → sessions. Fields that FRR does not report are False, 0 or ""."""
    instances: dict[str, dict[int, list[dict[str, Any]]]] = {}
    for vrf, peers in shell.json("show bgp vrf all neighbors json").items():
        for peer, row in peers.items():
            if peer in VRF_KEYS or address not in ("", peer):
                continue
            table = instances.setdefault(_table(vrf), {})
            table.setdefault(int(row.get("remoteAs", 0)), []).append(_detail(_table(vrf), peer, row))
    return instances


def _detail(table: str, peer: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **_session(table, peer, row),
        **_policy(row),
        **_messages(row.get("messageStats", {})),
        **_timers(row),
        **_prefixes(row),
    }


def _session(table: str, peer: str, row: Mapping[str, Any]) -> dict[str, Any]:
    state = str(row.get("bgpState", ""))
    return {
        "up": state == UP,
        "local_as": int(row.get("localAs", 0)),
        "remote_as": int(row.get("remoteAs", 0)),
        "router_id": str(row.get("localRouterId", "")),
        "local_address": _known(row.get("hostLocal")),
        "routing_table": table,
        "local_address_configured": "updateSource" in row,
        "local_port": int(row.get("portLocal", 0)),
        "remote_address": _known(row.get("hostForeign")) or peer,
        "remote_port": int(row.get("portForeign", 0)),
        "multihop": int(row.get("externalBgpNbrMaxHopsAway", 1)) > 1,
        "connection_state": state,
        "previous_connection_state": "",
        "last_event": str(row.get("lastResetDueTo", "")),
        "flap_count": int(row.get("connectionsDropped", 0)),
    }


def _known(address: object) -> str:
    """The address; "" for FRR's Unknown, which means no connection."""
    return "" if address in (None, "Unknown") else str(address)


def _policy(row: Mapping[str, Any]) -> dict[str, Any]:
    families = row.get("addressFamilyInfo", {}).values()
    policies = {
        key: next((str(family[word]) for family in families if word in family), "")
        for key, word in (
            ("import_policy", "routeMapForIncomingAdvertisements"),
            ("export_policy", "routeMapForOutgoingAdvertisements"),
        )
    }
    return {
        **policies,
        "multipath": False,
        "remove_private_as": any(key.startswith("privateAsNums") for family in families for key in family),
        "suppress_4byte_as": False,
        "local_as_prepend": "localAs" in row and not row.get("localAsNoPrepend", True),
    }


def _messages(row: Mapping[str, Any]) -> dict[str, int]:
    return {
        "input_messages": int(row.get("totalRecv", 0)),
        "output_messages": int(row.get("totalSent", 0)),
        "input_updates": int(row.get("updatesRecv", 0)),
        "output_updates": int(row.get("updatesSent", 0)),
        "messages_queued_out": int(row.get("depthOutq", 0)),
    }


def _timers(row: Mapping[str, Any]) -> dict[str, int]:
    """In seconds; FRR reports milliseconds."""
    return {
        "holdtime": int(row.get("bgpTimerHoldTimeMsecs", 0)) // 1000,
        "configured_holdtime": int(row.get("bgpTimerConfiguredHoldTimeMsecs", 0)) // 1000,
        "keepalive": int(row.get("bgpTimerKeepAliveIntervalMsecs", 0)) // 1000,
        "configured_keepalive": int(row.get("bgpTimerConfiguredKeepAliveIntervalMsecs", 0)) // 1000,
    }


def _prefixes(row: Mapping[str, Any]) -> dict[str, int]:
    """Sums over address families."""
    families = row.get("addressFamilyInfo", {}).values()
    accepted = sum(int(family.get("acceptedPrefixCounter", 0)) for family in families)
    sent = sum(int(family.get("sentPrefixCounter", 0)) for family in families)
    return {
        "active_prefix_count": accepted,
        "received_prefix_count": accepted,
        "accepted_prefix_count": accepted,
        "suppressed_prefix_count": 0,
        "advertised_prefix_count": sent,
    }
