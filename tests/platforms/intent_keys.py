"""One other value of each key of an intent, beside a small site of one system that says most of what can be said."""

import copy
from collections.abc import Mapping
from typing import Any, NamedTuple

from fabricgen.intent.fabric import EcnThresholds, Roce, Watchdog
from tests.accounts import takes_users, without_accounts
from tests.pairs import sites

BACK, FRONT = "fabrics.backend", "fabrics.frontend"
SNMP: Mapping[str, Any] = {"user": "monitor", "auth": "${env:SNMP_AUTH}", "privacy": "${env:SNMP_PRIVACY}"}
GNMI: Mapping[str, Any] = {"port": 57400, "certificate": "fabric"}
SFLOW: Mapping[str, Any] = {"collectors": ["10.0.0.10"], "sample": 65536}
USERS: Mapping[str, Any] = {
    "admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"},
    "reader": {"role": "network-operator", "password": "${env:READER_HASH}"},
}
OUTSIDE: Mapping[str, Any] = {
    "peer": "fw1",
    "border": 0,
    "port": 0,
    "vlan": 900,
    "asn": 64601,
    "addresses": ["172.31.0.0/31"],
    "accept": ["0.0.0.0/0"],
}
ALONE: Mapping[str, Any] = {"links": ["ipv6"], "hosts": "ipv6", "ipv6": "fd5e:8c1f:2a00::/52"}
LOSSLESS: Mapping[str, Any] = {f"{BACK}.transport": "roce-lossless"}
SHARED: Mapping[str, Any] = {
    f"{BACK}.tenancy": "evpn-type5",
    "tenants": {"research": {"servers": ["train[0-1]"]}, "serving": {"servers": ["train[2-3]"]}},
}
BORDERS: Mapping[str, Any] = {
    f"{FRONT}.topology.border_leaves": 2,
    "tenants.research.external": [OUTSIDE],
    "tenants.storage.external": [{**OUTSIDE, "border": 1, "vlan": 901, "addresses": ["172.31.0.2/31"]}],
}
BONDS: Mapping[str, Any] = {f"{FRONT}.server_ports.multihoming": "evpn-esi"}
RELAY: Mapping[str, Any] = {
    "tenants.research.networks.hosts.dhcp_relay": ["172.17.0.9"],
    "tenants.research.relay_sources": ["172.30.0.0/24"],
    "tenants.research.imports": ["storage"],
}
WATCHED: Mapping[str, Any] = {**LOSSLESS, f"{BACK}.telemetry.queue_monitor.enabled": True}
NOTHING: Mapping[str, Any] = {}


ECN: Mapping[str, Any] = {"minimum_octets": 100_000, "maximum_octets": 400_000, "probability_percent": 9}


class Key(NamedTuple):
    """A key, the value that it has after the change, and what is said beside it before and after.

    features  features of the capability tables that it asks for, parted by spaces: one that is left to the system by
              name is an answer
    """

    path: str
    value: Any
    beside: Mapping[str, Any] = NOTHING
    features: str = ""


EAPI = {"certificate": "fabric"}
SSH_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5"
ACCESS = {"sources": ["10.0.0.0/28", "192.0.2.7/32"]}

MANAGEMENT = (
    Key("management.vrf", "OOB", features="management-vrf"),
    Key("management.oob", "10.0.0.0/23"),
    Key("management.gateway", "10.0.0.2"),
    Key("management.domain", "dc1.example.net"),
    Key("management.dns", ["10.0.0.9"]),
    Key("management.ntp", ["10.0.0.9"]),
    Key("management.syslog", ["10.0.0.9"]),
    Key("management.users.reader", USERS["reader"], {"management.users": {"admin": USERS["admin"]}}),
    Key("management.users.reader.role", "network-admin", {"management.users": USERS}),
    Key("management.users.reader.password", "${env:OTHER_HASH}", {"management.users": USERS}),
    Key("management.users.reader.ssh_keys", [SSH_KEY], {"management.users": USERS}, features="ssh-keys"),
    Key("management.aaa", {"tacacs": ["10.0.0.7"], "key": "${env:KEY}"}),
    Key("management.aaa.tacacs", ["10.0.0.8"], {"management.aaa": {"tacacs": ["10.0.0.7"], "key": "${env:KEY}"}}),
    Key("management.aaa.key", "${env:OTHER}", {"management.aaa": {"tacacs": ["10.0.0.7"], "key": "${env:KEY}"}}),
    Key("management.snmp", SNMP),
    Key("management.snmp.user", "other", {"management.snmp": SNMP}),
    Key("management.snmp.auth", "${env:OTHER}", {"management.snmp": SNMP}),
    Key("management.snmp.privacy", "${env:OTHER}", {"management.snmp": SNMP}),
    Key("management.snmp.auth_algorithm", "sha256", {"management.snmp": SNMP}, features="snmp-sha256"),
    Key(
        "management.snmp.privacy_algorithm",
        "aes256",
        {"management.snmp": {**SNMP, "auth_algorithm": "sha256"}},
        features="snmp-aes256",
    ),
    Key("management.snmp.location", "row 7", {"management.snmp": SNMP}),
    Key("management.snmp.contact", "noc", {"management.snmp": SNMP}),
    Key("management.snmp.traps", ["10.0.0.9"], {"management.snmp": SNMP}),
    Key("management.gnmi", GNMI),
    Key("management.gnmi.port", 50051, {"management.gnmi": GNMI}),
    Key("management.gnmi.certificate", "other", {"management.gnmi": GNMI}),
    Key("management.eapi", EAPI, features="eapi"),
    Key("management.eapi.certificate", "other", {"management.eapi": EAPI}, features="eapi"),
    Key("management.access", ACCESS),
    Key("management.access.sources", ["10.0.0.9/32"], {"management.access": ACCESS}),
    *(
        Key(
            f"management.access.{service}",
            ["10.0.0.9/32"],
            {"management.access": ACCESS, "management.gnmi": GNMI, "management.snmp": SNMP, "management.eapi": EAPI},
            features=f"access-{service}",
        )
        for service in ("ssh", "netconf", "gnmi", "api", "snmp")
    ),
    Key("management.login", {"banner": "Authorised access only."}, features="login-banner"),
    Key("management.login.banner", "Nobody else.", features="login-banner"),
    Key("management.login.idle_timeout", 7, features="login-idle"),
    Key("management.login.password_login", False, features="login-keys"),
    Key("management.login.ssh_ciphers", "strong", features="ssh-ciphers"),
    Key("management.lldp", False),
    Key("management.sflow", SFLOW),
    Key("management.sflow.collectors", ["10.0.0.11"], {"management.sflow": SFLOW}),
    Key("management.sflow.sample", 131072, {"management.sflow": SFLOW}),
    Key("management.sflow.polling_seconds", 30, {"management.sflow": SFLOW}),
)


def _both(path: str, value: object, beside: Mapping[str, Any] = NOTHING, features: str = "") -> tuple[Key, Key]:
    return tuple(Key(f"{fabric}.{path}", value, beside, features) for fabric in (BACK, FRONT))  # type: ignore[return-value]


def _guard(fabric: str, way: str) -> tuple[str, Mapping[str, Any], str]:
    """TTL security of a fabric without BFD, checked where it was sent before."""
    sent: Mapping[str, Any] = {f"{fabric}.bgp.ttl_security": "send"} if way == "check" else {}
    return way, {f"{fabric}.bgp.bfd": False, **sent}, f"ttl-{way}"


FABRICS = (
    *_both("prefix", "zz"),
    *_both("addressing.links", ["ipv4"]),
    *_both("addressing.ipv4", "10.192.0.0/16"),
    *_both("addressing.ipv6", "fd5e:8c1f:2a00:f000::/52"),
    *_both("addressing.hosts", "ipv6"),
    Key(f"{BACK}.addressing.router_ids", "10.192.0.0/16", {f"{BACK}.addressing": ALONE}),
    *_both("asns", "4203000000-4203999999"),
    *_both("mtu", 9000),
    *_both("load_balancing", "dlb-flowlet"),
    *_both("link_loss", "withdraw"),
    *_both("bgp.keepalive_seconds", 3, features="bgp-timers"),
    *_both("bgp.hold_seconds", 30),
    *_both("bgp.bfd", False),
    *(Key(f"{fabric}.bgp.ttl_security", *_guard(fabric, way)) for way in ("send", "check") for fabric in (BACK, FRONT)),
    *_both("bgp.password", "${env:BGP_PASSWORD}", features="fabric-password"),
    Key(f"{BACK}.telemetry.ecn_counters", False, LOSSLESS, "ecn-counters"),
    Key(f"{BACK}.telemetry.queue_monitor.enabled", False, LOSSLESS, "queue-monitor"),
    Key(f"{BACK}.telemetry.queue_monitor.high", 9000, WATCHED),
    Key(f"{BACK}.telemetry.queue_monitor.low", 900, {**WATCHED, f"{BACK}.telemetry.queue_monitor.high": 9000}),
    Key(f"{BACK}.telemetry.queue_monitor.latency", True, WATCHED),
    Key(f"{BACK}.telemetry.queue_monitor.streaming", 2, WATCHED),
    Key(f"{BACK}.telemetry.capture", "congestion", WATCHED),
    Key(f"{BACK}.telemetry.capture", "drops", WATCHED),
    *_both("telemetry.load_interval", 30),
    Key(f"{FRONT}.telemetry.ecn_counters", True),
    Key(f"{FRONT}.telemetry.queue_monitor.enabled", True),
    Key(f"{FRONT}.telemetry.queue_monitor.high", 9000, {f"{FRONT}.telemetry.queue_monitor.enabled": True}),
    Key(f"{FRONT}.telemetry.queue_monitor.low", 900, {f"{FRONT}.telemetry.queue_monitor": {"high": 9000}}),
    Key(f"{FRONT}.telemetry.queue_monitor.latency", True),
    Key(f"{FRONT}.telemetry.queue_monitor.streaming", 2),
    Key(f"{FRONT}.telemetry.capture", "congestion"),
    Key(f"{BACK}.topology.rails_per_leaf", 8),
    Key(f"{BACK}.topology.rails_per_plane", 4),
    Key(f"{BACK}.topology.spines.now", 1),
    Key(f"{BACK}.topology.uplink_gbps", 200),
    Key(f"{BACK}.topology.uplinks", 8),
    Key(f"{BACK}.topology.oversubscription", "3:1", {f"{BACK}.topology.spines": {"now": 1}}),
    Key(f"{BACK}.topology.servers_per_unit", 2),
    Key(f"{BACK}.topology.leaves_per_rail", 2),
    Key(f"{BACK}.transport", "roce-lossless"),
    Key(f"{BACK}.roce.marking", "broadcom", LOSSLESS),
    Key(f"{BACK}.roce.ecn", ECN, LOSSLESS),
    Key(f"{BACK}.roce.host_mtu", 4200, LOSSLESS),
    Key(f"{BACK}.roce.watchdog.detect_ms", 400, LOSSLESS),
    Key(f"{BACK}.roce.watchdog.restore_ms", 800, LOSSLESS),
    Key(f"{BACK}.roce.watchdog.action", "notify", LOSSLESS),
    Key(f"{BACK}.roce.alpha", "1/8", LOSSLESS),
    Key(f"{BACK}.roce.xon_offset", "14-cells", LOSSLESS, "resume-offset"),
    Key(f"{BACK}.roce.headroom_overcommit", 2, LOSSLESS),
    Key(f"{BACK}.tenancy", "evpn-type5", {"tenants": SHARED["tenants"]}),
    *(Key(f"{BACK}.evpn.{key}", value, SHARED) for key, value in (("admin", 65001), ("vni_base", 20000))),
    Key(f"{BACK}.evpn.gateway_mac", "02:fa:b0:00:00:02", SHARED),
    Key(f"{FRONT}.evpn.admin", 65001),
    Key(f"{FRONT}.evpn.vni_base", 20000),
    Key(f"{FRONT}.evpn.gateway_mac", "02:fa:b0:00:00:02"),
    Key(f"{FRONT}.topology.oversubscription", "1:1"),
    Key(f"{FRONT}.topology.border_leaves", 2),
    Key(f"{FRONT}.topology.spines.now", 4, {f"{FRONT}.topology.spines": {"now": 2}}),
    Key(f"{FRONT}.topology.uplink_gbps", 100),
    Key(f"{FRONT}.topology.uplinks", 2),
    Key(f"{FRONT}.duplicate_mac", {"moves": 7, "recovery_minutes": None}),
    Key(f"{FRONT}.duplicate_mac.moves", 7, {f"{FRONT}.duplicate_mac": {"recovery_minutes": None}}),
    Key(f"{FRONT}.duplicate_mac.window_minutes", 7, {f"{FRONT}.duplicate_mac": {"recovery_minutes": None}}),
    Key(f"{FRONT}.duplicate_mac.recovery_minutes", 30, {f"{FRONT}.duplicate_mac": {}}),
    Key(f"{FRONT}.server_ports.multihoming", "evpn-esi"),
    Key(f"{FRONT}.server_ports.df_election", "platform", BONDS),
    Key(f"{FRONT}.server_ports.lacp_fallback", True, BONDS),
    Key(f"{FRONT}.server_ports.storm_control", {}),
    Key(f"{FRONT}.server_ports.storm_control.broadcast_percent", 7, {f"{FRONT}.server_ports.storm_control": {}}),
    Key(f"{FRONT}.server_ports.storm_control.multicast_percent", 7, {f"{FRONT}.server_ports.storm_control": {}}),
    Key(
        f"{FRONT}.server_ports.storm_control.unknown_unicast_percent",
        7,
        {f"{FRONT}.server_ports.storm_control": {"broadcast_percent": None, "multicast_percent": None}},
    ),
    Key(f"{FRONT}.server_ports.bpdu_guard", True),
    Key(f"{FRONT}.server_ports.uplink_tracking", True),
    Key(f"{FRONT}.server_ports.guests_per_server", 300),
    Key(f"{FRONT}.server_ports.mac_limit", 100),
)
TENANT = "tenants.research"
TENANTS = (
    Key(f"{TENANT}.servers", ["web[0-1]"]),
    Key(f"{TENANT}.vni", 16000),
    Key(f"{TENANT}.imports", ["storage"]),
    Key(f"{TENANT}.guards", ["ra-guard"]),
    Key(f"{TENANT}.networks.hosts.vlan", 111),
    Key(f"{TENANT}.networks.hosts.vni", 15000),
    Key(f"{TENANT}.networks.hosts.subnets", ["172.18.16.0/20"]),
    Key(f"{TENANT}.networks.hosts.dhcp_relay", ["172.17.0.9"], {k: v for k, v in RELAY.items() if "hosts" not in k}),
    Key(f"{TENANT}.relay_sources", ["172.30.1.0/24"], RELAY),
    *(
        Key(f"{TENANT}.external.0.{key}", value, BORDERS)
        for key, value in {
            "peer": "fw2",
            "border": 1,
            "port": 1,
            "vlan": 902,
            "asn": 64602,
            "addresses": ["172.31.0.4/31"],
            "accept": ["198.51.100.0/24"],
            "max_prefixes": 50,
            "mtu": 9000,
            "password": "${env:FW1}",
        }.items()
    ),
    Key(f"{TENANT}.nics", ["train[0]/0-3"], {**SHARED, "tenants.research": {}}),
)
CABLES = (
    Key("cables.default.server_leaf", 300, LOSSLESS),
    Key("cables.default.leaf_spine", 300, LOSSLESS),
)
KEYS = (*MANAGEMENT, *FABRICS, *TENANTS, *CABLES)
OF_HOSTS: Mapping[str, str] = {
    f"{BACK}.roce.host_mtu": "the largest RoCE packet of the NICs: `export hosts`, and the check roce-mtu",
    f"{BACK}.roce.headroom_overcommit": "how much headroom the check of buffers accepts",
}
"""Keys that are for no switch → who reads them."""
NO_MONITOR = "off is off: the file has no line of it either way"
OFF: Mapping[tuple[str, str], str] = {
    ("junos", f"{BACK}.telemetry.ecn_counters"): NO_MONITOR,
    ("nxos", f"{BACK}.telemetry.ecn_counters"): NO_MONITOR,
    ("nxos", f"{BACK}.telemetry.queue_monitor.enabled"): NO_MONITOR,
    ("srlinux", f"{BACK}.telemetry.queue_monitor.enabled"): NO_MONITOR,
}
"""System and key → why nothing is to be said of a value that turns off what the system has no line for."""
LATENCY = "EOS on a chip of the user's own alone: queue_latency in its hardware file"
NO_FRONT = "a best-effort frontend has no lossless class: nothing-marked"
NAMED: Mapping[str, str] = {
    f"{BACK}.telemetry.queue_monitor.latency": LATENCY,
    f"{FRONT}.telemetry.queue_monitor.latency": LATENCY,
    f"{FRONT}.telemetry.ecn_counters": NO_FRONT,
    f"{FRONT}.addressing.hosts": "a frontend has no RoCE NICs: idle-key",
    f"{BACK}.evpn.gateway_mac": "a backend has no gateways: idle-key",
}
"""Keys that change no file of any system, which a verb says → why."""
ROCE_KEYS = (
    *(f"roce.{key}" for key in Roce.model_fields if key not in ("ecn", "watchdog")),
    *(f"roce.ecn.{key}" for key in EcnThresholds.model_fields),
    *(f"roce.watchdog.{key}" for key in Watchdog.model_fields),
)
ELSEWHERE: Mapping[str, str] = {
    "fabricgen": "version of the schema",
    "defaults": "tests/intent/test_defaults.py: keys by version",
    "security": "tests/checks/test_checks_security.py: values by profile",
    "site": "a name, in labels of the plan",
    "pools": "a file: tests/site/test_shared_pools.py",
    "placement": "a file: tests/plan_inputs",
    "cables.file": "a file: tests/plan_inputs",
    "cables.default.spine_superspine": "three tiers: as leaf_spine",
    "cables.default.border_external": "the transceiver's reach: no lossless class there",
    "servers": "what is cabled: tests/plan",
    "scenarios": "tests/intent/test_scenarios.py",
    "overrides": "the same keys for a part of the switches: tests/plan_inputs/test_plan_overrides.py",
    "raw": "tests/checks/test_checks_raw.py: raw-nowhere",
    "waivers": "tests/checks/test_checks_waivers.py: a waiver that nothing needs is named",
    "was": "the former name of what a lock knows: tests/plan",
    "kind": "which fabric it is",
    "connects": "which NICs: a group that is missing is refused",
    "model": "the box: another one has another file",
    "os": "the system: each is tried here",
    "border": "the box of border leaves",
    "superspine": "three tiers: tests/platforms/test_left_out.py has their Devices",
    "superspines": "three tiers",
    "units_per_pod": "three tiers",
    "spine_oversubscription": "three tiers",
    "spine_uplinks": "three tiers",
    "shared_leaves": "the servers of several groups on the same leaves: tests/topologies, tests/sites",
    "leaf_models": "another model for a server group: tests/topologies, tests/plan_page",
    "planes": "NICs in slices: tests/topologies",
    "design": "which topology it is",
    "planned": "reserved numbers: nothing is configured of them",
    **dict.fromkeys(
        (f"{FRONT}.{key}" for key in ("transport", *ROCE_KEYS)),
        "the keys of a backend, on the systems that have a lossless frontend: tests/lossless_frontend",
    ),
    f"{FRONT}.addressing.router_ids": "of IPv6 alone, and every system refuses a frontend of it: vtep-ipv6",
    "tenants.*.networks.*.fabrics": "frontends that carry a network: one here",
}
"""Path or last key → where it is tried, or why no switch is told it."""


def site(name: str, key: Key, *, is_changed: bool) -> dict[str, Any]:
    """The intent of a system's site, before or after the change of a key."""
    kind = (
        "frontend"
        if key.path.startswith(("fabrics.frontend", "tenants")) and BACK not in str(key.beside)
        else "backend"
    )
    found: dict[str, Any] = copy.deepcopy({**sites.BASE, **(sites.FRONTEND if kind == "frontend" else sites.BACKEND)})
    box = sites.SITES[name]
    model = box.frontend if kind == "frontend" else box.backend
    fabric = found["fabrics"][kind]
    fabric |= {"leaf": {"model": model, "os": box.system}, "spine": {"model": model, "os": box.system}}
    if kind == "backend":
        fabric["transport"] = "best-effort"
    if takes_users(name):
        found["management"]["users"] = {"admin": USERS["admin"]}
    for path, value in (*key.beside.items(), *(((key.path, key.value),) if is_changed else ())):
        _put(found, path, copy.deepcopy(value))
    return without_accounts(found)


def _put(found: Any, path: str, value: object) -> None:  # noqa: ANN401  # a document
    *ahead, last = path.split(".")
    for part in ahead:
        found = found[int(part)] if isinstance(found, list) else found.setdefault(part, {})
    found[last] = value
