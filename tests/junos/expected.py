"""Device → every statement that its file has to hold, written a second time and straight from the Device.

Nothing of the adapter's words is read. Class of service is left out: roce.py judges it.
"""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Switching
from fabricgen.device.management import Login
from tests.junos.expected_routing import bridged, lists, originated, policy, routed, speaker
from tests.junos.reading import Path

TABLE = "mgmt_junos"
HEADER, TAGS = 14, 8


def statements(device: Device) -> set[Path]:
    """All statements but those of class of service and of raw lines."""
    return {tuple(row) for part in PARTS for row in part(device)}


Rows = Iterator[tuple[str, ...]]


def system(device: Device) -> Rows:
    management = device.management
    yield "system", "host-name", device.name
    yield "system", "root-authentication", "encrypted-password", "*"
    yield from login(management.login)
    yield "system", "services", "netconf", "ssh"
    yield "system", "management-instance"
    if management.domain:
        yield "system", "domain-name", management.domain
    for user in management.users:
        role = {"network-admin": "super-user", "network-operator": "operator"}[user.role]
        yield "system", "login", "user", user.name, "class", role
        yield "system", "login", "user", user.name, "authentication", "encrypted-password", user.password.written
        for key in user.ssh_keys:
            word = "ssh-ecdsa" if "nistp" in key.type else key.type
            yield "system", "login", "user", user.name, "authentication", word, " ".join(filter(None, key))
    for server in management.dns:
        yield "system", "name-server", server, "routing-instance", TABLE
    for server in management.ntp:
        yield "system", "ntp", "server", server, "routing-instance", TABLE
    yield "system", "syslog", "file", "messages", "any", "notice"
    yield "system", "syslog", "file", "messages", "authorization", "info"
    for host in management.syslog:
        yield "system", "syslog", "host", host, "any", "notice"
        yield "system", "syslog", "host", host, "routing-instance", TABLE


def login(told: Login | None) -> Rows:
    ssh = ("system", "services", "ssh")
    if told is None or not told.only_keys:
        yield ssh
        return
    yield "system", "login", "message", told.banner
    yield "system", "login", "idle-timeout", str(told.idle_minutes)
    yield *ssh, "root-login", "deny"
    yield *ssh, "no-passwords"
    gcm = "aes256-gcm@openssh.com aes128-gcm@openssh.com"
    etm = "hmac-sha2-512-etm@openssh.com hmac-sha2-256-etm@openssh.com"
    yield *ssh, "ciphers", f"{gcm} aes256-ctr aes192-ctr aes128-ctr"
    yield *ssh, "macs", f"{etm} hmac-sha2-512 hmac-sha2-256"
    curves = "ecdh-sha2-nistp256 ecdh-sha2-nistp384 ecdh-sha2-nistp521"
    yield *ssh, "key-exchange", f"curve25519-sha256 {curves} group-exchange-sha2"


def services(device: Device) -> Rows:
    management = device.management
    if management.gnmi:
        grpc = ("system", "services", "extension-service", "request-response", "grpc")
        yield *grpc, "ssl", "port", str(management.gnmi.port)
        yield *grpc, "ssl", "local-certificate", management.gnmi.certificate
        yield *grpc, "ssl", "use-pki"
        yield *grpc, "routing-instance", TABLE
    if management.tacacs:
        yield "system", "authentication-order", "tacplus password"
        yield "system", "accounting", "events", "login change-log interactive-commands"
        yield "system", "accounting", "destination", "tacplus"
        for server in management.tacacs.servers:
            here = ("system", "tacplus-server", server)
            yield *here, "routing-instance", TABLE
            yield *here, "secret", management.tacacs.key.written
            yield *here, "source-address", management.address.split("/")[0]


def chassis(device: Device) -> Rows:
    bgp = device.routing.bgp
    paths = max(bgp.maximum_paths, bgp.overlay_paths if bgp.vrfs else 0)
    yield "chassis", "maximum-ecmp", str(16 if paths <= 16 else -(-paths // 32) * 32)
    if device.interfaces.lags:
        highest = max(lag.number for lag in device.interfaces.lags)
        yield "chassis", "aggregated-devices", "ethernet", "device-count", str(highest + 1)
    if device.telemetry.queue_monitor:
        yield "chassis", "fpc", "0", "traffic-manager", "buffer-monitor-enable"


def ports(device: Device) -> Rows:
    for row in (*device.interfaces.ethernet, *device.interfaces.idle):
        here = ("interfaces", row.name)
        profile = row.profile
        yield *here, "description", row.description
        if ":" in row.name:
            cage = ("interfaces", row.name.split(":")[0])
            yield *cage, "description", f"{profile.parts} x {profile.speed_gbps}G"
            yield *cage, "number-of-sub-ports", str(profile.parts)
            yield *cage, "speed", f"{profile.speed_gbps}g"
        else:
            yield *here, "speed", f"{profile.speed_gbps}g"
        if not row.enabled:
            yield *here, "disable"
        fec = {"none": "none", "fc-fec": "fec74"}.get(profile.fec, "")
        if profile.fec == "rs-fec" and profile.speed_gbps == 25 * profile.lanes:
            fec = {100: "fec91", 50: "fec108", 25: "fec108"}[profile.speed_gbps]
        if fec:
            yield *here, "ether-options", "fec", fec
        if row.lag:
            yield *here, "ether-options", "802.3ad", f"ae{row.lag}"
        elif profile.role != "unused":
            yield *here, "mtu", str(profile.mtu + HEADER + (TAGS if profile.role == "external" else 0))
            yield from _inside(device, row, here)


def _inside(device: Device, row: Ethernet, here: tuple[str, ...]) -> Rows:
    if row.switching:
        yield from _switched(device, row.switching, here)
        if row.profile.tracking == "downstream":
            yield *here, "network-isolation-profile", "UPLINKS"
    elif row.profile.role == "external":
        yield *here, "flexible-vlan-tagging"
        for sub in device.interfaces.subinterfaces:
            if sub.parent == row.name:
                unit = (*here, "unit", str(sub.vlan_id))
                yield *unit, "vlan-id", str(sub.vlan_id)
                yield *unit, "description", sub.description
                yield from _families(unit, sub.mtu, sub.ipv4, sub.ipv6)
    else:
        unit = (*here, "unit", "0")
        if row.profile.unnumbered:
            yield *unit, "family", "inet", "mtu", str(row.profile.mtu)
            yield *unit, "family", "inet6", "mtu", str(row.profile.mtu)
        if not (row.ipv4 or row.ipv6 or row.profile.unnumbered):
            yield unit
        yield from _families(unit, row.profile.mtu, row.ipv4, row.ipv6)


def _families(unit: tuple[str, ...], mtu: int, ipv4: str, ipv6: str) -> Rows:
    for family, address in (("inet", ipv4), ("inet6", ipv6)):
        if address:
            yield *unit, "family", family, "mtu", str(mtu)
            yield *unit, "family", family, "address", address


def _switched(device: Device, switching: Switching, here: tuple[str, ...]) -> Rows:
    names = {vlan.vlan_id: vlan.name for vlan in device.evpn.vlans} if device.evpn else {}
    if switching.access_vlan:
        family = (*here, "unit", "0", "family", "ethernet-switching")
        yield *family, "interface-mode", "access"
        yield *family, "vlan", "members", names[switching.access_vlan]
    else:
        yield *here, "flexible-vlan-tagging"
        yield *here, "encapsulation", "flexible-ethernet-services"
    for vlan in switching.trunk_vlans:
        yield *here, "unit", str(vlan), "encapsulation", "vlan-bridge"
        yield *here, "unit", str(vlan), "vlan-id", str(vlan)


def aggregates(device: Device) -> Rows:
    for lag in device.interfaces.lags:
        here = ("interfaces", f"ae{lag.number}")
        octets = lag.esi.replace(":", "")
        yield *here, "description", lag.description
        yield *here, "mtu", str(lag.mtu + HEADER)
        yield *here, "esi", ":".join(a + b for a, b in zip(octets[::2], octets[1::2], strict=True))
        yield *here, "esi", "all-active"
        if lag.df_preference:
            yield *here, "esi", "df-election-type", "preference", "value", str(lag.df_preference)
        yield *here, "aggregated-ether-options", "lacp", "active"
        yield *here, "aggregated-ether-options", "lacp", "system-id", lag.system_id
        if lag.tracking:
            yield *here, "network-isolation-profile", "UPLINKS"
        yield from _switched(device, lag.switching, here)


def gateways(device: Device) -> Rows:
    """Gateways, and the port of management."""
    for row in device.evpn.gateways if device.evpn else ():
        unit = ("interfaces", "irb", "unit", str(row.vlan_id))
        yield "interfaces", "irb", "mtu", str(row.mtu + HEADER)
        yield *unit, "description", row.description
        yield *unit, "mac", device.evpn.gateway_mac if device.evpn else ""
        if row.relays_ipv4:
            yield *unit, "no-dhcp-flood"
        yield from _families(unit, row.mtu, row.ipv4, row.ipv6)
    port = ("interfaces", device.management.port, "unit", "0", "family", "inet")
    yield *port, "address", device.management.address


def loopbacks(device: Device) -> Rows:
    main = [row for row in device.interfaces.loopbacks if not row.vrf]
    yield "interfaces", "lo0", "unit", "0", "description", ", ".join(row.description for row in main)
    for row in main:
        primary = ("primary",) if row.number == 1 else ()
        yield from ((*line, *primary) for line in _addresses(("interfaces", "lo0", "unit", "0"), row.ipv4, row.ipv6))
    relays = {row.vrf: row for row in device.interfaces.loopbacks if row.vrf}
    for vrf in device.evpn.vrfs if device.evpn else ():
        relay = relays.get(vrf.name)
        unit = ("interfaces", "lo0", "unit", str(relay.number if relay else 10 + vrf.id))
        yield *unit, "description", relay.description if relay else f"VRF {vrf.name}"
        if relay is not None:
            yield from _addresses(unit, relay.ipv4, relay.ipv6)
    for number in ("0", *(str(10 + vrf.id) for vrf in (device.evpn.vrfs if device.evpn else ()))):
        for family in ("inet", "inet6"):
            yield "interfaces", "lo0", "unit", number, "family", family, "filter", "input", "PROTECT-RE"


def firewall(device: Device) -> Rows:
    """What the Routing Engine takes: its management address all, any other address what the fabric speaks."""
    gateways = device.evpn.gateways if device.evpn else ()
    relayed = {"inet": any(row.relays_ipv4 for row in gateways), "inet6": any(row.relays_ipv6 for row in gateways)}
    for family, word, icmp, dhcp in (
        ("inet", "protocol", "icmp", "67 68"),
        ("inet6", "next-header", "icmp6", "546 547"),
    ):
        here = ("firewall", "family", family, "filter", "PROTECT-RE", "term")
        if family == "inet":
            yield from ((*here, *row) for row in _managed(device))
        matches = {
            "BGP": ((word, "tcp"), ("destination-port", "bgp")),
            "BGP-REPLIES": ((word, "tcp"), ("source-port", "bgp"), ("destination-port", "1024-65535")),
            "BFD": ((word, "udp"), ("destination-port", "3784 4784")),
            "ICMP": ((word, icmp),),
            "TRACEROUTE": ((word, "udp"), ("destination-port", "33434-33523")),
            **({"DHCP": ((word, "udp"), ("destination-port", dhcp))} if relayed[family] else {}),
        }
        for term, rows in matches.items():
            yield from ((*here, term, "from", *row) for row in rows)
            yield *here, term, "then", "accept"
        yield *here, "OTHERS", "then", "count", "DENIED"
        yield *here, "OTHERS", "then", "discard"


def _managed(device: Device) -> Rows:
    """Terms for the address of the management port: all, or services from their sources, and answers to the switch."""
    own, access = ("destination-address", f"{device.management.address.partition('/')[0]}/32"), device.management.access
    if not access:
        yield "MANAGEMENT", "from", *own
        yield "MANAGEMENT", "then", "accept"
        return
    gnmi, snmp = device.management.gnmi, device.management.snmp
    ports = {"SSH": ("tcp", "ssh"), "NETCONF": ("tcp", "830")}
    ports |= ({"GNMI": ("tcp", str(gnmi.port))} if gnmi else {}) | ({"SNMP": ("udp", "snmp")} if snmp else {})
    for service, (protocol, port) in ports.items():
        term = f"MANAGEMENT-{service}"
        yield from ((term, "from", *row) for row in (own, ("protocol", protocol), ("destination-port", port)))
        yield term, "from", "source-prefix-list", term
        yield term, "then", "accept"
    closed = " ".join(port for protocol, port in ports.values() if protocol == "tcp")
    others = {
        "REFUSED": (("protocol", "tcp"), ("destination-port", closed)),
        "REPLIES": (("protocol", "tcp"), ("tcp-established",), ("destination-port", "1024-65535")),
        "SERVERS": (("protocol", "udp"), ("source-port", "53 123"), ("destination-port", "123 1024-65535")),
    }
    for name, rows in others.items():
        yield from ((f"MANAGEMENT-{name}", "from", *row) for row in (own, *rows))
    yield "MANAGEMENT-REFUSED", "then", "count", "DENIED"
    yield "MANAGEMENT-REFUSED", "then", "discard"
    yield "MANAGEMENT-REPLIES", "then", "accept"
    yield "MANAGEMENT-SERVERS", "then", "accept"


def sources(device: Device) -> Rows:
    """Prefix lists of the services that run."""
    management = device.management
    off = {"api"} | (set() if management.gnmi else {"gnmi"}) | (set() if management.snmp else {"snmp"})
    for row in management.access:
        for prefix in row.prefixes if row.service not in off else ():
            yield "policy-options", "prefix-list", f"MANAGEMENT-{row.service.upper()}", prefix


def _addresses(unit: tuple[str, ...], ipv4: str, ipv6: str) -> Rows:
    for family, address in (("inet", ipv4), ("inet6", ipv6)):
        if address:
            yield *unit, "family", family, "address", address


def snmp(device: Device) -> Rows:
    told = device.management.snmp
    if told is None:
        return
    for word, text in (("location", told.location), ("contact", told.contact)):
        if text:
            yield "snmp", word, text
    user = ("snmp", "v3", "usm", "local-engine", "user", told.user)
    yield *user, "authentication-sha", "authentication-password", told.auth.written
    yield *user, "privacy-aes128", "privacy-password", told.privacy.written
    vacm = ("snmp", "v3", "vacm")
    yield *vacm, "security-to-group", "security-model", "usm", "security-name", told.user, "group", "MONITORING"
    access = (*vacm, "access", "group", "MONITORING", "default-context-prefix", "security-model", "usm")
    yield *access, "security-level", "privacy", "read-view", "ALL"
    yield *access, "security-level", "privacy", "notify-view", "ALL"
    yield "snmp", "view", "ALL", "oid", ".1", "include"
    yield "snmp", "routing-instance-access"
    yield from _traps(told.user, told.traps)


def _traps(user: str, hosts: tuple[str, ...]) -> Rows:
    for host in hosts:
        here = ("snmp", "v3", "target-address", host)
        yield *here, "address", host
        yield *here, "tag-list", "TRAPS"
        yield *here, "routing-instance", TABLE
        yield *here, "target-parameters", "TRAPS"
    if hosts:
        parameters = ("snmp", "v3", "target-parameters", "TRAPS", "parameters")
        yield *parameters, "message-processing-model", "v3"
        yield *parameters, "security-model", "usm"
        yield *parameters, "security-level", "privacy"
        yield *parameters, "security-name", user
        yield "snmp", "v3", "notify", "TRAPS", "type", "trap"
        yield "snmp", "v3", "notify", "TRAPS", "tag", "TRAPS"


def balancing(device: Device) -> Rows:
    mode = device.load_balancing.mode
    if mode == "ecmp":
        return
    if mode == "dlb-global":
        part = "helper-only" if device.role == "spine" else "load-balancer-only"
        yield "protocols", "bgp", "global-load-balancing", part
    yield "forwarding-options", "hash-key", "family", "inet", "layer-3"
    yield "forwarding-options", "hash-key", "family", "inet", "layer-4"
    dlb = ("forwarding-options", "enhanced-hash-key", "ecmp-dlb")
    yield *dlb, "ether-type", "ipv4"
    yield *dlb, "ether-type", "ipv6"
    yield *dlb, "sampling-rate", "1000000"
    if mode == "dlb-per-packet":
        yield *dlb, "per-packet"
        return
    yield *dlb, "flowlet", "inactivity-interval", str(device.load_balancing.flowlet_gap_us)
    yield *dlb, "flowlet", "flowset-table-size", "2048"
    for word, number in (("prob-threshold", "3"), ("quality-delta", "6")):
        if device.hardware.model == "juniper-qfx5240-64od":
            yield *dlb, "flowlet", "reassignment", word, number


def neighbors(device: Device) -> Rows:
    """What is told to neighbors of other kinds: advertisements, LLDP, BPDUs, samples, isolation."""
    asking = [f"{row.name}.0" for row in device.interfaces.ethernet if row.profile.unnumbered]
    managed = [f"irb.{row.vlan_id}" for row in (device.evpn.gateways if device.evpn else ()) if row.relays_ipv6]
    for name in (*asking, *managed):
        here = ("protocols", "router-advertisement", "interface", name)
        yield *here, "max-advertisement-interval", "30"
        yield *here, "min-advertisement-interval", "10"
        if name in managed:
            yield *here, "managed-configuration"
    if device.management.lldp:
        yield "protocols", "lldp", "port-id-subtype", "interface-name"
        yield "protocols", "lldp", "port-description-type", "interface-description"
        yield "protocols", "lldp", "neighbour-port-info-display", "port-id"
        yield "protocols", "lldp", "interface", "all"
    guarded = [row.name for row in device.interfaces.ethernet if row.switching and row.switching.bpdu_guard]
    guarded = [row.name for row in device.interfaces.ethernet if row.name in guarded and not row.lag]
    guarded += [f"ae{lag.number}" for lag in device.interfaces.lags if lag.switching.bpdu_guard]
    for name in guarded:
        yield "protocols", "rstp", "bpdu-block-on-edge"
        yield "protocols", "rstp", "interface", name, "edge"


def samples(device: Device) -> Rows:
    told = device.management.sflow
    if told:
        yield "protocols", "sflow", "polling-interval", str(told.polling_seconds)
        yield "protocols", "sflow", "sample-rate", "ingress", str(told.sample)
        yield "protocols", "sflow", "source-ip", device.management.address.split("/")[0]
        for here in (("protocols", "sflow", "collector", collector) for collector in told.collectors):
            yield *here, "udp-port", "6343"
            yield *here, "routing-instance", TABLE
        sampled = (row.name for row in device.interfaces.ethernet if row.profile.sflow)  # unit 0 of all: Juniper/jvd
        yield from (("protocols", "sflow", "interfaces", f"{name}.0") for name in sampled)
    if any(row.profile.tracking == "downstream" for row in device.interfaces.ethernet):
        group = ("protocols", "network-isolation", "group", "UPLINKS")
        yield *group, "detection", "hold-time", "up", "120000"
        yield *group, "detection", "service-tracking", "core-isolation"
        yield *group, "service-tracking-action", "link-down"


PARTS = (
    system, services, firewall, sources, chassis, ports, aggregates, gateways, loopbacks, snmp, balancing, lists,
    policy, originated, bridged, routed, speaker, neighbors, samples,
)  # fmt: skip
