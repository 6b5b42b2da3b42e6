"""Management of NX-OS: mgmt0, servers, users, APIs; features of the switch.

Sources: system management, security and programmability guides: mgmt0 is in the VRF management alone; a server is asked
in the VRF that its line names; `switchname` is `hostname` (NX-API CLI reference, `show switchname`; Batfish, s_hostname
of CiscoNxosParser.g4); gRPC's port is 50051; LLDP, NX-API and the others run where `feature` names them.
"""

from collections.abc import Iterable

from fabricgen.platforms.nxos.readback import access
from fabricgen.platforms.nxos.readback.names import port
from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, Said, State, add, idle, opens, put
from fabricgen.readback.rows import Key, Value, reference

GRPC_PORT = 50051
DEFAULT_ROUTES = ("0.0.0.0/0", "::/0")
"""The first that the VRF of management has leads to its gateway."""
VRF = "management"
OWN = "the system's default"
RESOURCES = "resources of the system"
NO_CERTIFICATE = "the system's own certificate"


def _address(text: str) -> str | None:
    return addresses.address(text)


def _server(text: str, vrf: str | None) -> tuple[str, str] | None:
    found = addresses.address(text)
    return None if found is None else (vrf or "default", found)


def _named_server(text: str, vrf: str | None) -> tuple[str, str]:
    """A server by its address or its name."""
    return vrf or "default", addresses.host(text)


def _servers(text: str, vrf: str | None) -> tuple[str, tuple[str, ...]] | None:
    found = [addresses.address(word) for word in text.split()]
    return None if None in found else (vrf or "default", tuple(filter(None, found)))


def _user(name: str, secret: str, role: str | None) -> tuple[str, str, str]:
    """A user without a role is a network-operator (security guide, RBAC)."""
    return name, role or "network-operator", reference(secret)


def _snmp_user(name: str, group: str | None, algorithm: str, auth: str, privacy: str) -> tuple[str, str, str, str, str]:
    return name, group or "network-operator", algorithm.replace("-", ""), reference(auth), reference(privacy)


def _tacacs(text: str, secret: str | None) -> tuple[str, str] | None:
    found = addresses.address(text)
    return None if found is None else (found, reference(secret) if secret else "")


def _ports(text: str) -> tuple[str, ...] | None:
    found = [port(part) for part in text.split(",")]
    return None if None in found else tuple(filter(None, found))


def _banner(text: str) -> str:
    """The text between two signs; one of several lines is told as such."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] else "(several lines)"


GROUP = Forms(
    {
        "server <w>": add("server", by=_address),
        "use-vrf <w>": put("vrf"),
        "source-interface <w>": put("source", by=port),
    }
)
DLB = Forms(
    {
        r"dlb-interface (\S+)": add("ports", by=_ports),
        "mode (flowlet|per-packet)": put("mode"),
        "flowlet-aging <n>": put("gap"),
    }
)
LIMITS = {r"limit-resource .*": idle(RESOURCES)}
LINE = Forms(
    {f"{word} .*": idle("sessions of operators") for word in ("session-limit", "speed")},
    {"exec-timeout <n>": put("idle")},
    access.LINE,
)
ROOT = {
    **access.ROOT,
    "hostname <w>": put("hostname"),
    "switchname <w>": put("hostname"),
    "feature <l>": add("feature"),
    "nv overlay evpn": add("line", "nv overlay evpn"),
    r"username <w> password (?:[0-9] )?(\S+)(?: +role <w>)?": add("user", by=_user),
    r"username <w> sshkey (\S+) (\S+)(?: .*)?": add("ssh-key", by=lambda name, kind, key: (name, f"{kind} {key}")),
    r"username \S+ passphrase .*": idle("age of passwords"),
    "ip domain-name <w>": put("domain"),
    "ip domain-lookup": idle(OWN),
    r"ip name-server ([0-9a-fA-F.:]+(?: [0-9a-fA-F.:]+)*)(?: use-vrf <w>)?": add("dns", by=_servers),
    "ntp server <w>(?: prefer)?(?: use-vrf <w>)?": add("ntp", by=_named_server),
    "ntp source-interface <w>": add("source", by=port),
    "logging server <w>(?: [0-7])?(?: port 514)?(?: use-vrf <w>)?(?: facility \\S+)?": add("syslog", by=_named_server),
    "logging source-interface <w>": add("source", by=port),
    r"tacacs-server host <a>(?: key (?:[0-9] )?(\S+))?": add("tacacs", by=_tacacs),
    r"aaa group server tacacs\+ <w>": opens("aaa-group", GROUP),
    "aaa (authentication|authorization|accounting) (.*)": add("line", by=lambda kind, rest: f"aaa {kind} {rest}"),
    "snmp-server contact <l>": put("snmp-contact"),
    "snmp-server location <l>": put("snmp-location"),
    r"snmp-server user <w>(?: (network-admin|network-operator))? auth (sha|sha-256) (\S+)"
    r" priv aes-128 (\S+)"
    r"(?: localized(?:V2)?key)?": add("snmp-user", by=_snmp_user),
    r"snmp-server user <w>(?: network-admin| network-operator)? auth \S+ 0x\S+ priv (?:aes-128 )?0x\S+"
    r" localized(?:V2)?key(?: engineID \S+)?": add("synchronized"),
    "snmp-server host <a> traps version 3 priv <w>": add("trap"),
    "snmp-server host <a> use-vrf <w>": add("trap-vrf"),
    "nxapi https port <n>": put("https"),
    "no nxapi http": put("http", False),
    "nxapi use-vrf <w>": put("nxapi-vrf"),
    "nxapi certificate trustpoint <w>": put("nxapi-certificate"),
    "grpc certificate <w>": put("grpc-certificate"),
    "grpc port <n>": put("grpc-port"),
    "sflow sampling-rate <n>": put("sflow-sample"),
    "sflow counter-poll-interval <n>": put("sflow-polling"),
    "sflow collector-ip <a>(?: vrf <w>)?": add("sflow", by=_server),
    "sflow agent-ip <a>": put("agent"),
    "sflow data-source interface <w>": add("sampled", by=port),
    "service dhcp": add("line", "service dhcp"),
    "ip dhcp relay": add("line", "ip dhcp relay"),
    "ipv6 dhcp relay": add("line", "ipv6 dhcp relay"),
    "ip dhcp relay information option( vpn)?": add(
        "line", by=lambda vpn: f"ip dhcp relay information option{vpn or ''}"
    ),
    "ip load-sharing address source-destination port source-destination universal-id <n>": put("seed"),
    "hardware profile dlb": opens("dlb", DLB),
    "banner exec <l>": idle("free text"),
    "banner motd <l>": put("banner", by=_banner),
    "clock timezone <l>": idle("the time zone"),
    "version <l>": idle("release of the system"),
    r"vdc \S+ id \d+": opens("vdc", Forms(LIMITS)),
    **LIMITS,
    "copp profile <w>": add("line", by=lambda profile: f"copp profile {profile}"),
    r"rmon event .*": idle("events of RMON"),
    r"boot nxos .*": idle("image of the system"),
    "line (console|vty)": opens("sessions", LINE),
    "no password strength-check": idle("checks of new passwords"),
    "power redundancy-mode .*": idle("power supplies"),
    "icam monitor scale": idle("monitoring of scale"),
    "cfs eth distribute": idle("sharing of configurations"),
    "vlan configuration .*": idle("an empty block of a VLAN"),
}
"""Forms of the top level."""


class Management:
    """Writes the rows of the switch itself and of its management."""

    def __init__(self, root: State, own: State | None, vrf: State, reader: Reader) -> None:
        self._root, self._own, self._vrf, self._reader = root, own, vrf, reader

    def _put(self, setting: str, value: Value, line: int) -> None:
        self._reader.put("management", "", setting, value, line)

    def _put_set(self, setting: str, rows: Iterable[tuple[str, int]]) -> None:
        self._reader.put_set(Key("management", "", setting), rows)

    def rows(self) -> None:
        """All of them."""
        self._switch()
        self._own_port()
        self._routes()
        self._dns()
        self._servers()
        self._users()
        self._snmp()
        self._tacacs()
        self._apis()
        self._login()
        for text, line in self._root.all("line"):
            self._reader.needed(text, line)

    def _login(self) -> None:
        """Banner and idle time. `line console` must have that of `line vty`, and alone it says nothing here."""
        if "banner" in self._root.one:
            self._put("login-banner", *self._root.one["banner"])
        idle_times = {state.value: state.one["idle"] for state in self._root.states("sessions") if "idle" in state.one}
        console = idle_times.get("console", (0, 0))
        if "vty" in idle_times:
            minutes, line = idle_times["vty"]
            text = f"{minutes} of line vty, {console[0] or 'none'} of line console"
            self._put("login-idle", minutes if minutes == console[0] else text, line)
        elif console[1]:
            self._reader.idle_line(console[1], "sessions on the console")

    def _own_port(self) -> None:
        if self._own is None:
            return
        self._put("port", "mgmt0", self._own.number)
        self._put("vrf", VRF, self._own.number)
        if "ipv4" in self._own.one and self._own.get("enabled", True):
            self._put("address", *self._own.one["ipv4"])

    def _servers(self) -> None:
        for setting in ("ntp", "syslog", "sflow"):
            found = self._reached(self._root.all(setting))
            self._put_set(setting, found)
        for name, line in self._root.all("source"):
            if name != "mgmt0":
                self._reader.unread_line(line)
        for key in ("snmp-contact", "snmp-location", "sflow-sample", "sflow-polling"):
            if key in self._root.one:
                self._put(key, *self._root.one[key])
        if "agent" in self._root.one:
            self._reader.needed(f"sFlow from {self._root.get('agent')}", self._root.line("agent"))

    def _features(self) -> dict[str, int]:
        return dict(self._root.all("feature"))

    def _switch(self) -> None:
        root, put_row = self._root, self._reader.put
        for key, setting in (("hostname", "hostname"), ("seed", "hash-seed")):
            if key in root.one:
                put_row("switch", "", setting, *root.one[key])
        features = self._features()
        put_row("switch", "", "lldp", "lldp" in features, features.get("lldp", root.line("hostname")))
        for name, line in features.items():
            self._reader.needed(f"feature {name}", line)
        modes = [(state.get("mode", "flowlet"), state) for state in root.states("dlb") if state.all("ports")]
        put_row("switch", "", "load-balancing", f"dlb-{modes[0][0]}" if modes else "ecmp", root.line("hostname"))
        for mode, state in modes:
            put_row("switch", "", "load-balancing", f"dlb-{mode}", state.line("mode"))
            if "gap" in state.one:
                put_row("switch", "", "flowlet-gap", *state.one["gap"])
            for names, line in state.all("ports"):
                for name in names:
                    self._reader.needed(f"dynamic load balancing of {name}", line)

    def _routes(self) -> None:
        rows = self._vrf.all("route")
        own = [where for (where, _), _ in rows]
        default = next((where for where in DEFAULT_ROUTES if where in own), "")
        for (where, hop), line in rows:
            if where == default:
                self._put("gateway", hop, line)
            else:
                self._reader.put("static-route", f"{VRF} {where}", "next-hop", hop, line)

    def _reached(self, rows: list[Said]) -> list[Said]:
        """Servers in the VRF of management."""
        for (vrf, _), line in rows:
            if vrf != VRF:
                self._reader.unread_line(line)
        return [(server, line) for (vrf, server), line in rows if vrf == VRF]

    def _dns(self) -> None:
        found = [(server, line) for servers, line in self._reached(self._root.all("dns")) for server in servers]
        found += [(addresses.host(word), line) for text, line in self._vrf.all("dns") for word in text.split()]
        self._put_set("dns", found)
        said = self._root.one.get("domain") or self._vrf.one.get("domain")
        if said is not None:
            self._put("domain", *said)

    def _users(self) -> None:
        for (name, role, secret), line in self._root.all("user"):
            self._reader.put("user", name, "role", role, line)
            self._reader.put("user", name, "password", secret, line)
        keys = {name: (key, line) for (name, key), line in self._root.all("ssh-key")}
        for name, (key, line) in keys.items():  # a later line replaces an earlier one
            self._reader.put("user", name, "ssh-keys", frozenset({key}), line)

    def _snmp(self) -> None:
        root = self._root
        for (name, group, algorithm, auth, privacy), line in root.all("snmp-user"):
            self._put("snmp-user", name if group == "network-operator" else f"{name} of {group}", line)
            self._put("snmp-auth", auth, line)
            self._put("snmp-privacy", privacy, line)
            self._put("snmp-auth-algorithm", algorithm, line)
            self._put("snmp-privacy-algorithm", "aes128", line)
        users = {name for (name, _, _), _ in root.all("user")}
        for name, line in root.all("synchronized"):
            # NX-OS keeps an SNMP user for each of its own (security guide, SNMP user synchronization).
            if name in users:
                self._reader.idle_line(line, "the SNMP user of a user")
            else:
                self._reader.unread_line(line)
        vrfs = {addresses.address(host): vrf for (host, vrf), _ in root.all("trap-vrf")}
        traps = [(addresses.host(host), user, line) for (host, user), line in root.all("trap")]
        self._put_set("snmp-traps", [(host, line) for host, _, line in traps if vrfs.get(host) == VRF])
        for host, user, line in traps:
            # A trap is sent by the user of its line (system management guide, snmp-server host).
            self._reader.needed(f"snmp traps to {host} by {user}", line)
            if vrfs.get(host) != VRF:
                self._reader.unread_line(line)

    def _tacacs(self) -> None:
        rows = self._root.all("tacacs")
        if rows:
            self._put_set("tacacs", ((server, line) for (server, _), line in rows))
            keys = {key for (_, key), _ in rows}
            self._put("tacacs-key", keys.pop() if len(keys) == 1 else ", ".join(sorted(keys)), rows[0][1])
        for state in self._root.states("aaa-group"):
            where = f"in VRF {state.get('vrf', 'default')} from {state.get('source', 'any port')}"
            for server, line in state.all("server"):
                self._reader.needed(f"aaa group {state.value}: {server} {where}", line)

    def _apis(self) -> None:
        root, features = self._root, self._features()
        if "nxapi" in features and root.get("nxapi-vrf") == VRF:
            self._put("eapi-certificate", root.get("nxapi-certificate", NO_CERTIFICATE), root.line("nxapi-certificate"))
            if root.get("http") is False:
                self._reader.needed("NX-API speaks no HTTP", root.line("http"))
            if "https" in root.one:
                self._reader.needed(f"NX-API on port {root.get('https')}", root.line("https"))
        elif "nxapi-vrf" in root.one:
            self._reader.unread_line(root.line("nxapi-vrf"))
        if "grpc" in features:
            block = root.line("grpc-port") or features["grpc"]
            self._put("gnmi-port", root.get("grpc-port", GRPC_PORT), block)
            said = root.one.get("grpc-certificate", (NO_CERTIFICATE, block))
            self._put("gnmi-certificate", *said)
        grpc_port = root.get("grpc-port", GRPC_PORT) if "grpc" in features else 0
        access.Access(root, self._own, self._reader).rows(grpc_port)
