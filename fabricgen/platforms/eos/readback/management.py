"""Management of EOS: the out-of-band port, servers, users, APIs.

Sources: manual, management: SSH is open in the default VRF until `management ssh` says `shutdown`, and in each VRF that
says `no shutdown`; eAPI needs `no shutdown` for itself and in the VRF, and speaks HTTPS until told otherwise; without a
VRF it is open in the default one (pyeapi, overview: `VRFs: default`); the gNMI port is 6030 (PyAVD 6.4.0,
management_api_gnmi); LLDP runs until `no lldp run`. A server counts in the VRF of the management port. Traps are sent
by the user of their line (manual, snmp-server host). A number of an access list is one entry: a later line replaces it
(manual, ACLs).
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import takewhile

from fabricgen.platforms.eos.readback.names import port
from fabricgen.readback import addresses
from fabricgen.readback.forms import FREE, Action, Forms, Reader, Said, State, add, idle, merged, opens, put
from fabricgen.readback.rows import SHUT, Key, Value, reference

ANY = "0.0.0.0/0"
GNMI_PORT = 6030
DEFAULT_ROUTES = ("0.0.0.0/0", "::/0")
"""The first that the VRF of management has leads to its gateway."""
OWN = "the system's default"
OPEN = "none: anybody is let in"
NO_CERTIFICATE = "the system's own certificate"
ROLES = {"network-admin": 15, "network-operator": 1}
"""Privilege with which a role is of use: with another one the line says another thing than the role."""


def _server(vrf: str | None, text: str) -> tuple[str, str] | None:
    found = addresses.address(text)
    return None if found is None else (vrf or "", found)


def _named_server(vrf: str | None, text: str) -> tuple[str, str]:
    """A server by its address or its name."""
    return vrf or "", addresses.host(text)


def _turned(text: str, vrf: str | None) -> tuple[str, str] | None:
    return _server(vrf, text)


def _source(vrf: str | None, name: str) -> tuple[str, str] | None:
    found = port(name)
    return None if found is None else (vrf or "", found)


def _route(vrf: str | None, where: str, hop: str) -> tuple[str, str, str] | None:
    prefix, found = addresses.prefix(where), "discard" if hop == "Null0" else addresses.address(hop)
    return None if prefix is None or found is None else (vrf or "", prefix, found)


def _masked_route(vrf: str | None, where: str, mask: str, hop: str) -> tuple[str, str, str] | None:
    whole = addresses.slashed(where, mask)
    return None if whole is None else _route(vrf, whole, hop)


def _user(name: str, privilege: int | None, role: str | None, kind: str, secret: str) -> tuple[str, str, str]:
    """Without a role a user is a network-operator, without a privilege it has 1 (manual, username)."""
    found, level = role or "network-operator", 1 if privilege is None else privilege
    plain = level == ROLES.get(found, level)
    password = reference(secret) if secret else OPEN
    return name, found if plain else f"{found} with privilege {level}", password


def _snmp_user(
    user: str, group: str, algorithm: str, auth: str, cipher: str, privacy: str
) -> tuple[str, str, tuple[str, str], tuple[str, str]]:
    """User and group, and algorithm and key of both; `aes` alone has 128 bits (manual, snmp-server user)."""
    return user, group, (algorithm, reference(auth)), ("aes128" if cipher == "aes" else cipher, reference(privacy))


def _tacacs(host: str, vrf: str | None, key: str | None) -> tuple[str, str, str] | None:
    found = addresses.address(host)
    return None if found is None else (vrf or "", found, reference(key) if key else "")


def _trap(host: str, vrf: str | None, user: str) -> tuple[str, str, str] | None:
    found = addresses.address(host)
    return None if found is None else (vrf or "", found, user)


def _ssh_key(name: str, word: str, kind: str, key: str) -> tuple[str, str, str]:
    """`sshkey` is the older word (recorded configurations)."""
    return name, word.replace("sshkey", "ssh-key"), f"{kind} {key}"


def _entry(action: str, number: int, source: str) -> tuple[int, str, str] | None:
    """A source of a standard list: a prefix, a host, or any."""
    words = source.split()
    host = addresses.address(words[1]) if len(words) == 2 and words[0] == "host" else None
    found = ANY if source == "any" else f"{host}/32" if host else addresses.prefix(source)
    return None if found is None else (number, action, found)


ALGORITHMS = ("cipher", "key-exchange", "mac")


def _algorithms(kind: str, words: str) -> tuple[str, ...]:
    return tuple(f"{kind} {word}" for word in words.split())


SWITCH = {"shutdown": put("on", False), "no shutdown": put("on", True)}
IN_VRF = Forms(SWITCH)
HTTP = Forms(
    SWITCH,
    {
        "protocol https": put("https", True),
        "no protocol https": put("https", False),
        "protocol https ssl profile <w>": put("profile"),
        "no protocol http": idle(OWN),
        "vrf <w>": opens("vrf", Forms(SWITCH, {"ip access-group <w>": put("access")})),
    },
)
ACCESS_LIST = Forms(
    {
        "<n> permit <l>": add("entry", by=partial(_entry, "permit")),
        "<n> deny <l>": add("entry", by=partial(_entry, "deny")),
    }
)
GRPC = Forms(
    {
        "ip access-group <w>": put("access"),
        "ssl profile <w>": put("profile"),
        "port <n>": put("port"),
        "vrf <w>": put("vrf"),
        **SWITCH,
    }
)
GNMI = Forms({"transport grpc <w>": opens("transport", GRPC), "provider eos-native": put("native", True)})
PROFILE = Forms({"certificate <w> key <w>": put("certificate")})
STREAM = Forms({"max-connections <n>": put("clients"), "vrf <w>": put("vrf"), **SWITCH})
LEARNING = Forms({"aging timeout <n> seconds": put("aging")})
HOSTS = Forms({r"interface (\S+)": put("ports")})
CLUSTER = Forms(
    {
        "forwarding type routed ipv4": put("routed", True),
        "destination grouping prefix length <n>": put("length"),
        "load-balance method flow round-robin": put("round-robin", True),
        "flow source learning": opens("learning", LEARNING),
        "port group host <w>": opens("hosts", HOSTS),
    }
)
UDF = "port-channel load-balance trident udf eth-type IPv4 ip-protocol (?:udp|17) header outer l4"
QUEUE_PAIR = {13, 14, 15}
"""Octets from the UDP header on: 8 of UDP and 5 of the base transport header lie before the queue pair."""
TRACKING = Forms({"links minimum <n>": put("minimum"), "recovery delay <n>": put("delay")})
ROOT: dict[str, Action] = {
    "hostname <w>": put("hostname"),
    r"username <w>(?: privilege <n>)?(?: role (\S+))? secret (sha512|5|0) (\S+)": add("user", by=_user),
    r"username <w>(?: privilege <n>)?(?: role (\S+))? (nopassword)()": add("user", by=_user),
    r"username <w> (ssh-key|ssh-key secondary|sshkey) (\S+) (\S+)(?: .*)?": add("ssh-key", by=_ssh_key),
    "no aaa root": idle(OWN),
    "no enable password": idle(OWN),
    "banner motd": idle("free text"),
    "banner login": add("banner", True),
    "clock timezone <l>": idle("the time zone"),
    "no service interface inactive port-id allocation disabled": idle(OWN),
    "spanning-tree mode mstp": idle(OWN),
    "transceiver qsfp default-mode 4x10G": idle(OWN),
    "service routing protocols model <w>": put("model"),
    "dns domain <w>": put("domain"),
    "ip domain[- ]name <w>": put("domain"),
    "ip name-server(?: vrf <w>)? <a>": add("dns", by=_server),
    "ip domain lookup(?: vrf <w>)? source-interface <w>": add("source", by=_source),
    "ntp server(?: vrf <w>)? <w>(?: iburst| burst| prefer)*": add("ntp", by=_named_server),
    "ntp local-interface(?: vrf <w>)? <w>": add("source", by=_source),
    "logging(?: vrf <w>)? host <w>(?: 514)?(?: protocol udp)?": add("syslog", by=_named_server),
    "logging(?: vrf <w>)? (?:local|source)-interface <w>": add("source", by=_source),
    "ip tacacs(?: vrf <w>)? source-interface <w>": add("source", by=_source),
    "tacacs-server host <a>(?: vrf <w>)?(?: key (?:[0-9a-z]+ )?(\\S+))?": add("tacacs", by=_tacacs),
    r"aaa group server tacacs\+ <w>": opens("aaa-group", Forms({"server <a>(?: vrf <w>)?": add("server", by=_turned)})),
    "aaa (authentication|authorization|accounting) (.*)": add("aaa", by=lambda kind, rest: f"aaa {kind} {rest}"),
    "snmp-server contact <l>": put("snmp-contact"),
    "snmp-server location <l>": put("snmp-location"),
    "snmp-server(?: vrf <w>)? (?:local|source)-interface <w>": add("source", by=_source),
    "snmp-server view <w> iso included": add("view"),
    "snmp-server group <w> v3 priv read <w>": add("snmp-group"),
    r"snmp-server user <w> <w> v3 (?:localized \S+ )?auth (sha|sha256) (\S+)"
    r" priv (aes|aes128|aes256) (\S+)": add("snmp-user", by=_snmp_user),
    "snmp-server host <a>(?: vrf <w>)? version 3 priv <w>": add("trap", by=_trap),
    "no snmp-server vrf default": put("snmp-default", False),
    "snmp-server vrf <w>": add("snmp-vrf"),
    "sflow sample(?: dangerous)? <n>": put("sflow-sample"),
    "sflow polling-interval <n>": put("sflow-polling"),
    r"sflow(?: vrf <w>)? destination <a>(?: 6343)?": add("sflow", by=_server),
    "sflow(?: vrf <w>)? source-interface <w>": add("source", by=_source),
    "sflow interface disable default": put("sflow-quiet", True),
    "sflow run": put("sflow-run", True),
    "lldp management-address (?:vrf )?<w>": idle("what LLDP says of the switch"),
    "no lldp run": put("lldp", False),
    "lldp run": put("lldp", True),
    "load-interval default <n>": put("load-interval"),
    "ip load-sharing trident <n>": put("seed"),
    "ip hardware fib load-balance distribution dynamic": put("dynamic", True),
    f"{UDF} offset <n>(?: mask 0x[fF][fF])?": add("hashed"),
    "load-balance cluster": opens("cluster", CLUSTER),
    "ip routing": add("routing", "ip routing"),
    "ip routing ipv6 interfaces": add("routing", "ip routing ipv6 interfaces"),
    "ip routing vrf <w>": add("routing", by=lambda vrf: f"ip routing vrf {vrf}"),
    "no ip routing(?: vrf <w>)?": add("unrouted", by=lambda vrf: f"ip routing vrf {vrf}" if vrf else "ip routing"),
    "ipv6 unicast-routing": add("routing", "ipv6 unicast-routing"),
    "ipv6 unicast-routing vrf <w>": add("routing", by=lambda vrf: f"ipv6 unicast-routing vrf {vrf}"),
    "ip route(?: vrf <w>)? <p> (\\S+)": add("route", by=_route),
    "ip route(?: vrf <w>)? <m> (\\S+)": add("route", by=_masked_route),
    "ipv6 route(?: vrf <w>)? <p> (\\S+)": add("route", by=_route),
    "ip dhcp relay information option": add("line", "ip dhcp relay information option"),
    "dhcp relay": opens("dhcp", Forms({"tunnel requests disabled": put("tunnel", False)})),
    "link tracking group <w>": opens("tracking", TRACKING),
    "queue-monitor length": put("queue-monitor", True),
    "queue-monitor length (tx-latency|mirror|mirror destination Cpu|default thresholds? [0-9 ]+)": add(
        "line", by=lambda rest: f"queue-monitor length {rest}"
    ),
    "queue-monitor streaming": opens("stream", STREAM),
    "switchport port-security (mac-address aging|mac-address moveable|persistence disabled)": add(
        "line", by=lambda rest: f"switchport port-security {rest}"
    ),
    "system l1": opens("l1", Forms({"unsupported (?:speed|error-correction) action error": idle(OWN)})),
    "management ssh": opens(
        "ssh",
        Forms(
            SWITCH,
            {"vrf <w>": opens("vrf", IN_VRF), "ip access-group <w> vrf <w> in": add("access", by=lambda *both: both)},
            {
                "idle-timeout <n>": put("idle"),
                "authentication protocol <l>": put("protocols", by=lambda words: frozenset(words.split())),
                **{f"{kind} <l>": add("algorithm", by=partial(_algorithms, kind)) for kind in ALGORITHMS},
            },
        ),
    ),
    "management console": opens("console", Forms({"idle-timeout <n>": put("idle")})),
    "ip access-list standard <w>": opens("access-list", ACCESS_LIST),
    "snmp-server ipv4 access-list <w> vrf <w>": add("snmp-access", by=lambda *both: both),
    "management api http-commands": opens("eapi", HTTP),
    "management api gnmi": opens("gnmi", GNMI),
    "management security": opens("security", Forms({"ssl profile <w>": opens("profile", PROFILE)})),
}
"""Forms of the top level."""
SFLOW_RUNS = "sFlow runs"
SERVERS = ("dns", "ntp", "syslog", "sflow")


def _routed(root: State) -> Iterator[tuple[str, int]]:
    """Lines that turn routing on and that no later `no` takes back: the last one counts."""
    off = dict(root.all("unrouted"))
    for text, line in root.all("routing"):
        if off.get(text.removesuffix(" ipv6 interfaces"), 0) < line:
            yield text, line


class Management:
    """Writes the rows of the switch itself and of its management."""

    def __init__(self, root: State, own: tuple[str, State] | None, reader: Reader) -> None:
        self._root, self._reader = root, reader
        self._port, self._state = own or ("", State())
        self._vrf = self._state.get("vrf", "")

    def _put(self, setting: str, value: Value, line: int) -> None:
        self._reader.put("management", "", setting, value, line)

    def _put_set(self, setting: str, rows: Iterable[tuple[str, int]]) -> None:
        self._reader.put_set(Key("management", "", setting), rows)

    def rows(self) -> None:
        """All of them."""
        self._switch()
        self._own_port()
        self._routes()
        for setting in SERVERS:
            self._servers(setting, self._root.all(setting))
        for (vrf, name), line in self._root.all("source"):
            if (vrf, name) != (self._vrf, self._port):
                self._reader.unread_line(line)
        for key in ("domain", "snmp-contact", "snmp-location", "sflow-sample", "sflow-polling"):
            if key in self._root.one:
                self._put(key, *self._root.one[key])
        self._sflow()
        self._aaa()
        self._ssh_keys()
        self._snmp()
        self._apis()
        self._access()
        self._login()
        self._lines()

    def _switch(self) -> None:
        root, put_row = self._root, self._reader.put
        for key, setting in (("hostname", "hostname"), ("seed", "hash-seed"), ("queue-monitor", "queue-monitor")):
            if key in root.one:
                put_row("switch", "", setting, *root.one[key])
        if "load-interval" in root.one:
            put_row("switch", "", "load-interval", *root.one["load-interval"])
        put_row("switch", "", "lldp", root.get("lldp", True), root.line("lldp") or root.line("hostname"))
        mode, line = self._balancing()
        if hashed := dict(root.all("hashed")):
            whole = mode == "ecmp" and set(hashed) == QUEUE_PAIR
            mode = "ecmp-queue-pair" if whole else f"{mode}, hash of UDP octets {', '.join(map(str, sorted(hashed)))}"
            line = min(hashed.values())
        put_row("switch", "", "load-balancing", mode, line)

    def _balancing(self) -> tuple[str, int]:
        """The mode without fields of the hash, and its line."""
        root = self._root
        clusters = root.states("cluster")
        if clusters:
            return "cluster", clusters[0].number
        if root.get("dynamic"):
            return "dlb-flowlet", root.line("dynamic")
        return "ecmp", root.line("hostname")

    def _own_port(self) -> None:
        state = self._state
        if not self._port:
            return
        self._put("port", self._port, state.number)
        self._put("vrf", self._vrf, state.line("vrf"))
        if "ipv4" in state.one and state.get("enabled", True):
            self._put("address", *state.one["ipv4"])

    def _routes(self) -> None:
        rows = self._root.all("route")
        own = [where for (vrf, where, _), _ in rows if self._port and vrf == self._vrf]
        default = next((where for where in DEFAULT_ROUTES if where in own), "")
        for (vrf, where, hop), line in rows:
            if vrf == self._vrf and where == default:
                self._put("gateway", hop, line)
            else:
                self._reader.put("static-route", f"{vrf} {where}" if vrf else where, "next-hop", hop, line)

    def _in_vrf(self, rows: list[Said]) -> Iterator[Said]:
        """Servers in the VRF of management; one in another VRF is not reached."""
        for said, line in rows:
            if said[0] == self._vrf:
                yield said, line
            else:
                self._reader.unread_line(line)

    def _servers(self, setting: str, rows: list[Said]) -> None:
        self._put_set(setting, ((self._with_vrf(server, vrf), line) for (vrf, server), line in rows))

    def _sflow(self) -> None:
        """Nothing is sampled until `sflow run` (manual, sFlow)."""
        said = [
            self._root.line(key) for key in ("sflow-sample", "sflow-polling", "sflow-quiet") if key in self._root.one
        ]
        if "sflow-run" in self._root.one:
            self._reader.needed(SFLOW_RUNS, self._root.line("sflow-run"))
        elif said:
            self._reader.lacks(SFLOW_RUNS, max(said))

    def _aaa(self) -> None:
        servers = list(self._in_vrf(self._root.all("tacacs")))
        if servers:
            self._put_set("tacacs", ((server, line) for (_, server, _), line in servers))
            keys = {key for (_, _, key), _ in servers}
            self._put("tacacs-key", keys.pop() if len(keys) == 1 else ", ".join(sorted(keys)), servers[0][1])
        for group in self._root.states("aaa-group"):
            for (_, server), line in self._in_vrf(group.all("server")):
                self._reader.needed(f"aaa group {group.value}: {server}", line)
        for text, line in self._root.all("aaa"):
            self._reader.needed(text, line)
        users = {name: (role, secret, line) for (name, role, secret), line in self._root.all("user")}
        for name, (role, secret, line) in users.items():  # a later line replaces an earlier one
            self._reader.put("user", name, "role", role, line)
            self._reader.put("user", name, "password", secret, line)

    def _ssh_keys(self) -> None:
        """A user's primary and secondary key: a later line replaces an earlier one."""
        keys: dict[str, dict[str, tuple[str, int]]] = {}
        for (name, word, key), line in self._root.all("ssh-key"):
            keys.setdefault(name, {})[word] = (key, line)
        for name, found in keys.items():
            self._reader.put_set(Key("user", name, "ssh-keys"), found.values())

    def _snmp(self) -> None:
        root = self._root
        views, groups = (
            {name for name, _ in root.all("view")},
            {name: (view, line) for (name, view), line in root.all("snmp-group")},
        )
        vrfs = {vrf for vrf, _ in root.all("snmp-vrf")}
        for (user, group, (algorithm, auth), (cipher, privacy)), line in root.all("snmp-user"):
            if groups.get(group, ("",))[0] in views and self._vrf in vrfs:
                self._put("snmp-user", user, line)
            self._put("snmp-auth", auth, line)
            self._put("snmp-auth-algorithm", algorithm, line)
            self._put("snmp-privacy", privacy, line)
            self._put("snmp-privacy-algorithm", cipher, line)
        traps = list(self._in_vrf(root.all("trap")))
        self._put_set("snmp-traps", ((host, line) for (_, host, _), line in traps))
        for (_, host, user), line in traps:
            self._reader.needed(f"snmp traps to {host} by {user}", line)
        for vrf, line in root.all("snmp-vrf"):
            if vrf != self._vrf:
                self._reader.unread_line(line)
        if root.all("snmp-user") and root.get("snmp-default", True):
            self._reader.needed("SNMP in the default VRF", root.all("snmp-user")[0][1])

    def _apis(self) -> None:
        self._eapi()
        self._gnmi()
        for state in self._root.states("security"):
            for profile in state.states("profile"):
                if "certificate" in profile.one:
                    (certificate, key), line = profile.one["certificate"]
                    self._reader.needed(f"ssl profile {profile.value}: {certificate} {key}", line)

    def _eapi(self) -> None:
        for state in self._root.states("eapi"):
            profile, vrfs = state.get("profile", NO_CERTIFICATE), state.states("vrf")
            if not state.get("on") or not state.get("https", True):
                line = state.line("on") if not state.get("on") else state.line("https")
                self._put("eapi-certificate", SHUT, line or state.number)
                continue
            for vrf in vrfs:
                if vrf.get("on"):
                    line = state.line("profile") or vrf.number
                    self._put("eapi-certificate", self._with_vrf(profile, vrf.value), line)
                elif vrf.value == self._vrf:
                    self._put("eapi-certificate", SHUT, vrf.line("on") or vrf.number)
            if not vrfs:
                self._put("eapi-certificate", self._with_vrf(profile, ""), state.line("on"))

    def _access(self) -> None:
        """The list of each service. A service without one has no row: it answers any source."""
        lists = merged(self._root.states("access-list"))
        used: set[str] = set()
        for service, name, line in self._guards():
            found = lists.get(name)
            used.add(name)
            if found is None or "entry" not in found.many:
                self._reader.unread_line(line)  # no source says what a list does that does not exist
            else:
                self._put_sources(f"access-{service}", found.all("entry"))
        for name, found in lists.items():
            if name not in used:
                self._reader.idle_line(found.number, "no service has this list")

    def _login(self) -> None:
        """Banner, idle time and SSH. One that takes passwords is as EOS is by itself."""
        root = self._root
        for (heading, text), line in root.all(FREE):
            if heading == "banner login":
                self._put("login-banner", text, line)
        self._idle_time()
        for state in root.states("ssh"):
            self._ssh_login(state)

    def _idle_time(self) -> None:
        """One number if sessions by SSH and on the console have the same. The console alone is not understood."""
        by_ssh, on_console = (
            [state.one["idle"] for state in self._root.states(key) if "idle" in state.one] for key in ("ssh", "console")
        )
        console = on_console[0][0] if on_console else 0
        for minutes, line in by_ssh:
            text = f"{minutes} by SSH, {console or 'none'} on the console"
            self._put("login-idle", minutes if console == minutes else text, line)
        for _, line in on_console if not by_ssh else ():
            self._reader.unread_line(line)

    def _ssh_login(self, state: State) -> None:
        protocols, line = state.one.get("protocols", (frozenset(), 0))
        if protocols == {"public-key"}:
            self._put("login-keys", True, line)
        elif protocols:
            self._reader.idle_line(line, "SSH takes passwords, too")
        self._put_set("ssh-ciphers", ((word, at) for words, at in state.all("algorithm") for word in words))

    def _put_sources(self, setting: str, entries: list[Said]) -> None:
        """Prefixes up to the first `deny any`, which ends every list. Another deny is not understood."""
        in_order = sorted(dict((entry[0], (entry[1:], line)) for entry, line in entries).items())
        rows = list(takewhile(lambda row: row[0] != ("deny", ANY), (row for _, row in in_order)))
        for (action, _), line in rows:
            if action == "deny":
                self._reader.unread_line(line)
        permitted = [(source, line) for (action, source), line in rows if action == "permit"]
        if permitted:
            self._put_set(setting, permitted)
        else:
            self._put(setting, frozenset(), entries[0][1])

    def _guards(self) -> Iterator[tuple[str, str, int]]:
        """Service, name of its list, and the line that names it; one of another VRF is not understood."""
        root = self._root
        said = [("ssh", vrf, name, line) for state in root.states("ssh") for (name, vrf), line in state.all("access")]
        said += [("snmp", vrf, name, line) for (name, vrf), line in root.all("snmp-access")]
        for state in root.states("eapi"):
            said += [("api", vrf.value, *vrf.one["access"]) for vrf in state.states("vrf") if "access" in vrf.one]
        for state in root.states("gnmi"):
            said += [
                ("gnmi", transport.get("vrf", ""), *transport.one["access"])
                for transport in state.states("transport")
                if "access" in transport.one
            ]
        for service, vrf, name, line in said:
            if vrf == self._vrf:
                yield service, name, line
            else:
                self._reader.unread_line(line)

    def _with_vrf(self, text: str, vrf: str | None) -> str:
        """A text, with the VRF where that is not the one of management."""
        return text if vrf == self._vrf else f"{text} (VRF {vrf})" if vrf else f"{text} (default VRF)"

    def _gnmi(self) -> None:
        for state in self._root.states("gnmi"):
            for transport in state.states("transport"):
                if transport.get("vrf", "") == self._vrf and transport.get("on", True):
                    self._put("gnmi-port", transport.get("port", GNMI_PORT), transport.line("port"))
                    self._put("gnmi-certificate", transport.get("profile", NO_CERTIFICATE), transport.line("profile"))
                else:
                    self._reader.unread_line(transport.number)
            if state.get("native"):
                self._reader.needed("gNMI has EOS's own paths", state.line("native"))

    def _lines(self) -> None:
        root, needed = self._root, self._reader.needed
        for text, line in (*_routed(root), *root.all("line")):
            needed(text, line)
        if "model" in root.one:
            needed(f"service routing protocols model {root.get('model')}", root.line("model"))
        for state in root.states("dhcp"):
            if state.get("tunnel") is False:
                needed("no relay of DHCP requests from tunnels", state.line("tunnel"))
        for state in root.states("tracking"):
            for key in ("minimum", "delay"):
                if key in state.one:
                    needed(f"link tracking group {state.value}: {key} {state.get(key)}", state.line(key))
        self._ssh()
        self._queues()
        self._cluster()

    def _ssh(self) -> None:
        states = self._root.states("ssh")
        if not any(state.get("on") is False for state in states):
            self._reader.needed("SSH in the default VRF", states[0].number if states else self._root.line("hostname"))
        for state in states:
            for vrf in state.states("vrf"):
                if vrf.get("on"):
                    self._reader.needed(f"SSH in VRF {vrf.value}", vrf.number)

    def _queues(self) -> None:
        for state in self._root.states("stream"):
            if state.get("on"):
                text = f"queue-monitor streaming: {state.get('clients', 0)} clients in VRF {state.get('vrf', '')}"
                self._reader.needed(text, state.number)

    def _cluster(self) -> None:
        needed = self._reader.needed
        for state in self._root.states("cluster"):
            if state.get("routed") and state.get("round-robin"):
                needed("load-balance cluster: flows in turn", state.line("round-robin"))
            needed(f"load-balance cluster: destinations by /{state.get('length', 0)}", state.line("length"))
            for learning in state.states("learning"):
                needed(f"load-balance cluster: flows age in {learning.get('aging', 0)} s", learning.line("aging"))
            for hosts in state.states("hosts"):
                for name in _listed(hosts.get("ports", "")):
                    needed(f"load-balance cluster: {name}", hosts.line("ports"))


def _listed(text: str) -> Iterator[str]:
    """Ethernet1/1,1/5,2/1-3: the word for the kind is said once (PyAVD 6.4.0, load_balance)."""
    for part in text.removeprefix("Ethernet").removeprefix("Et").split(","):
        first, sign, last = part.partition("-")
        stem, _, begin = first.rpartition("/")
        end = last.rpartition("/")[2]
        if not sign or not begin.isdigit() or not end.isdigit() or len(begin) + len(end) > 8:
            yield f"Ethernet{part}"
            continue
        for number in range(int(begin), int(end) + 1):
            yield f"Ethernet{stem}/{number}" if stem else f"Ethernet{number}"
