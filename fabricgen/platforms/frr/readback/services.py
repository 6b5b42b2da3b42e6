"""Files of the switch's services, read back.

Sources: a shell reads /etc/frr/daemons: the last value of a variable counts, a daemon runs unless it says `no`, `0` or
nothing; zebra, staticd, watchfrr and mgmtd always do, and each starts with its `_options` (FRR, frrcommon.sh.in:
daemon_list and daemon_start): `-n` of bgpd keeps routes out of the kernel, `-A` is where a daemon listens (FRR,
doc/user/bgp.rst and common-options.rst); sysctl.d(5); lldpcli(8); chrony.conf(5);
rsyslog.conf(5), omfwd; resolv.conf(5); hostname(5); systemd.service(5); dhcrelay(8): `-id` and `-l` face clients, `-U`
and `-u` have the address that requests come from, `-iu` hears answers.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from fabricgen.platforms.linux.readback.words import host
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Reading, Row, TextLine

_FORWARD = re.compile(r"\*\.(?P<level>\w+) action\((?P<words>[^)]*)\)")
_WORD = re.compile(r'(\w+)="([^"]*)"')
_VLAN = re.compile(r"vlan(\d+)")
KERNEL: Mapping[str, str] = {
    "net.ipv4.ip_forward": "1",
    "net.ipv6.conf.all.forwarding": "1",
    "net.ipv4.conf.all.rp_filter": "0",
    "net.ipv4.conf.default.rp_filter": "0",
    "net.ipv4.conf.default.arp_announce": "2",
    "net.ipv4.conf.default.arp_ignore": "1",
    "net.ipv4.fib_multipath_hash_policy": "1",
    "net.ipv6.fib_multipath_hash_policy": "1",
    "net.ipv4.fib_multipath_use_neigh": "1",
    "net.ipv4.conf.all.ignore_routes_with_linkdown": "1",
    "net.ipv6.conf.all.ignore_routes_with_linkdown": "1",
    "net.ipv6.conf.all.accept_dad": "0",
    "net.ipv6.conf.default.accept_dad": "0",
    "net.ipv6.conf.all.keep_addr_on_down": "1",
    "net.ipv6.conf.default.keep_addr_on_down": "1",
    "net.ipv6.route.skip_notify_on_dev_down": "1",
    "net.ipv6.route.max_size": "131072",
    "net.ipv4.neigh.default.gc_thresh1": "8192",
    "net.ipv4.neigh.default.gc_thresh2": "16384",
    "net.ipv4.neigh.default.gc_thresh3": "32768",
    "net.ipv6.neigh.default.gc_thresh1": "8192",
    "net.ipv6.neigh.default.gc_thresh2": "16384",
    "net.ipv6.neigh.default.gc_thresh3": "32768",
    "net.ipv4.tcp_l3mdev_accept": "1",
}
"""Settings of the kernel that a switch needs (FRR, doc/user/Useful_Sysctl_Settings.md; Linux, ip-sysctl: accept_dad,
keep_addr_on_down, fib_multipath_hash_policy; vrf.rst: tcp_l3mdev_accept)."""
_VARIABLE = re.compile(r"(?P<name>[a-z0-9_]+)=(?P<value>\"[^\"]*\"|'[^']*'|[\w.-]*)")
OFF = ("no", "0", "")
ALWAYS = frozenset({"zebra", "staticd", "watchfrr", "mgmtd"})
IDLE: Mapping[str, Mapping[str, str]] = {
    "lldpd.conf": {"configure lldp tx-interval": "how often LLDP speaks"},
    "chrony.conf": {
        "driftfile": "where chrony keeps the drift of the clock",
        "makestep": "how the clock is set at a start",
        "rtcsync": "the hardware clock is kept right",
    },
    "dhcp-relay.service": {
        "[": "a section",
        "Description=": "a title",
        "After=": "order of the start",
    },
}
"""Lines without a meaning for a fabric, by file and how they begin."""


class Services:
    """Reads the files and writes their rows.

    tenants  VLAN of an L3 VNI → its VRF
    """

    def __init__(self, reading: Reading, tenants: Mapping[int, str]) -> None:
        self._reading, self._tenants = reading, tenants
        self._found: dict[str, dict[str, int]] = {}
        self._started: dict[str, tuple[str, int, str]] = {}

    def read(self, name: str, text: str) -> None:
        """Read one file by its name."""
        reader = READERS[name]
        for line, raw in enumerate(text.split("\n"), 1):
            stripped = raw.strip()
            if not stripped or stripped[0] in "#;!" or reader(self, stripped, line):
                continue
            self._idle_or_unread(name, stripped, line)
        if name == "daemons":
            self._put_daemons()
        if name == "lldpd.conf" and Key("switch", "", "lldp") not in self._reading.rows:
            self._reading.put("switch", "", "lldp", True, name, 0)

    def _idle_or_unread(self, name: str, text: str, line: int) -> None:
        why = next((why for start, why in IDLE.get(name, {}).items() if text.startswith(start) and start), "")
        rows = self._reading.idle if why else self._reading.unread
        rows.append(TextLine(name, line, text, why))

    def _say(self, name: str, text: str, line: int) -> bool:
        self._reading.put("line", text, "present", True, name, line)
        return True

    def _servers(self, setting: str, address: str, name: str, line: int) -> bool:
        """One more server of a kind."""
        known = self._found.setdefault(setting, {})
        known[host(address) or address] = line
        parts: dict[Part, Lines] = dict(known.items())
        self._reading.add(Key("management", "", setting), Row(frozenset(known), name, line, parts))
        return True

    def daemons(self, text: str, line: int) -> bool:
        """`bgpd=yes`, options of daemons, the profile that they start with: variables of a shell."""
        match = _VARIABLE.fullmatch(text)
        if match is None:
            return False
        word, value = match["name"], match["value"].strip("\"'")
        if word == "frr_profile":
            return self._say("daemons", f"profile {value}", line)
        self._started[word] = (value, line, text)
        return True

    def _put_daemons(self) -> None:
        """Daemons that run, and what they start with."""
        started = self._started
        runs = {word for word, (value, *_) in started.items() if value not in OFF} | ALWAYS
        for word, (value, line, text) in started.items():
            name = word.removesuffix("_options")
            if word == "vtysh_enable" or word.endswith("d"):
                self._reading.put("line", f"{word} runs", "present", word in runs, "daemons", line)
            elif name == word or not (name in ALWAYS or name.endswith("d")):
                self._reading.unread.append(TextLine("daemons", line, text))
            elif name in runs:
                self._say("daemons", f"{name} starts with {' '.join(value.split())}", line)
            else:
                self._reading.idle.append(TextLine("daemons", line, text, "a daemon that does not run"))

    def sysctl(self, text: str, line: int) -> bool:
        """`key = value`; a slash is a dot, a `-` before it says that a fault does not count."""
        word, sign, value = text.partition("=")
        if not sign:
            return False
        word = word.strip().lstrip("-").replace("/", ".")
        if word not in KERNEL:
            return False
        if word == "net.ipv4.fib_multipath_hash_policy":
            mode = {"1": "ecmp"}.get(value.strip(), f"ecmp, hash policy {value.strip()}")
            self._reading.put("switch", "", "load-balancing", mode, "sysctl.conf", line)
        return self._say("sysctl.conf", f"{word} = {value.strip()}", line)

    def lldpd(self, text: str, line: int) -> bool:
        """Whether LLDP runs, on which ports, and by which name of a port."""
        words = text.split()
        if words == ["configure", "lldp", "status", "disabled"]:
            self._reading.put("switch", "", "lldp", False, "lldpd.conf", line)
            return True
        if words[:4] == ["configure", "system", "interface", "pattern"] and len(words) == 5:
            return self._say("lldpd.conf", f"LLDP on {words[4]}", line)
        if words[:3] == ["configure", "system", "hostname"] and len(words) == 4:
            return self._say("lldpd.conf", f"LLDP name {words[3]}", line)
        if words == ["configure", "lldp", "portidsubtype", "ifname"]:
            return self._say("lldpd.conf", "LLDP names a port as Linux does", line)
        return False

    def chrony(self, text: str, line: int) -> bool:
        """Servers, and the VRF that they are asked in."""
        words = text.split()
        if words[0] in ("server", "pool") and len(words) > 1 and set(words[2:]) <= {"iburst"}:
            return self._servers("ntp", words[1], "chrony.conf", line)
        return words[0] == "bindacqdevice" and len(words) == 2 and self._say("chrony.conf", " ".join(words), line)

    def rsyslog(self, text: str, line: int) -> bool:
        """`*.info action(type="omfwd" target="..." ...)`."""
        match = _FORWARD.fullmatch(text)
        if match is None:
            return False
        words = dict(_WORD.findall(match["words"]))
        known = {"type", "target", "port", "protocol", "device"}
        if words.get("type") != "omfwd" or not words.get("target") or words.keys() - known:
            return False
        self._servers("syslog", words["target"], "rsyslog.conf", line)
        # omfwd: port 514 and UDP by themselves
        by = f"{match['level']}, {words.get('protocol', 'udp')} {words.get('port', '514')}, {words.get('device', '')}"
        return self._say("rsyslog.conf", f"syslog {host(words['target']) or words['target']}: {by}", line)

    def resolv(self, text: str, line: int) -> bool:
        """Name servers and the domain."""
        words = text.split()
        if words[0] == "nameserver" and len(words) == 2:
            return self._servers("dns", words[1], "resolv.conf", line)
        if words[0] in ("search", "domain") and len(words) == 2:
            self._reading.put("management", "", "domain", words[1], "resolv.conf", line)
            return True
        return False

    def hostname(self, text: str, line: int) -> bool:
        """The name that Linux has."""
        return len(text.split()) == 1 and self._say("hostname", f"/etc/hostname {text}", line)

    def relay(self, text: str, line: int) -> bool:
        """A unit that starts the relays."""
        if text.startswith("ExecStart="):
            return self._relay(text.partition("=")[2].split(), line)
        if text in ("Type=oneshot", "RemainAfterExit=yes", "WantedBy=multi-user.target"):
            return self._say("dhcp-relay.service", f"relays: {text}", line)
        return False

    def _relay(self, words: list[str], line: int) -> bool:
        """`/bin/ip vrf exec VRF /usr/sbin/dhcrelay ARGUMENTS`."""
        if len(words) < 6 or words[1:3] != ["vrf", "exec"] or not words[4].endswith("/dhcrelay"):
            return False
        arguments, vrf = words[5:], words[3]
        found = _relay_ipv6(arguments) if "-6" in arguments else _relay_ipv4(arguments)
        if found is None:
            return False
        down, up, others, servers = found
        name = _vlan(down)
        key, file = Key("gateway", name, "relays"), "dhcp-relay.service"
        before = self._reading.rows.get(key)
        parts: dict[Part, Lines] = dict(before.parts or {}) if before is not None else {}
        parts.update((host(text), line) for text in servers)
        self._reading.add(key, Row(frozenset(map(str, parts)), file, line, parts))
        self._reading.put("gateway", name, "relay-source", self._place(up), file, line)
        kind = "IPv6" if "-6" in arguments else "IPv4"
        for place in others:
            self._say(file, f"{kind} relay of VLAN {name} hears {self._place(place)}", line)
        return self._say(file, f"{kind} relay of VLAN {name} runs in VRF {vrf}", line)

    def _place(self, device: str) -> str:
        """An interface of a relay; a VLAN of an L3 VNI by its VRF."""
        name = _vlan(device)
        return self._tenants.get(int(name), f"VLAN {name}") if name.isdigit() else device


def _vlan(device: str) -> str:
    match = _VLAN.fullmatch(device)
    return match[1] if match and len(match[1]) <= 4 else device


Relay = tuple[str, str, list[str], list[str]]
"""Interface of the clients, interface with the source of requests, others that hear answers, servers."""


def _relay_ipv4(words: list[str]) -> Relay | None:
    down = up = ""
    others, servers = list[str](), list[str]()
    rest: Iterator[str] = iter(words)
    for word in rest:
        if word in ("-4", "--no-pid", "-D"):
            continue
        if word in ("-id", "-U", "-iu"):
            value = next(rest, "")
            down, up = value if word == "-id" else down, value if word == "-U" else up
            others += [value] if word == "-iu" else []
        elif host(word):
            servers.append(word)
        else:
            return None
    return (down, up, others, servers) if down and up and servers and "-D" in words else None


def _relay_ipv6(words: list[str]) -> Relay | None:
    down, ups, servers = "", set[str](), list[str]()
    rest: Iterator[str] = iter(words)
    for word in rest:
        if word in ("-6", "--no-pid"):
            continue
        value = next(rest, "")
        if word == "-l":
            down = value
        elif word == "-u" and host(value.partition("%")[0]):
            server, _, up = value.partition("%")
            servers.append(server)
            ups.add(up)
        else:
            return None
    return (down, ups.pop(), [], servers) if down and len(ups) == 1 else None


READERS: Mapping[str, Callable[[Services, str, int], bool]] = {
    "daemons": Services.daemons,
    "sysctl.conf": Services.sysctl,
    "lldpd.conf": Services.lldpd,
    "chrony.conf": Services.chrony,
    "rsyslog.conf": Services.rsyslog,
    "resolv.conf": Services.resolv,
    "hostname": Services.hostname,
    "dhcp-relay.service": Services.relay,
}
