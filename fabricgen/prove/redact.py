"""Redaction of a bundle: secrets, and the names, numbers and addresses that identify a site or a person.

Each is replaced by a token of the same form, the same one at each place in a bundle, so that the readers parse a
redacted output like the original: a public network becomes a documentation one (RFC 5737's neighbor 198.18.0.0/15 of
RFC 2544, 2001:db8::/32 of RFC 3849) with the same host bits, a MAC address becomes a local one (02:…), a name becomes
`host-1`. Private addresses, AS numbers and free text such as a description stay unchanged.
"""

import ipaddress
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from fabricgen.platforms.base.live.reader import Output, Outputs, ReadCommand
from fabricgen.state.state import State
from fabricgen.verify.collect.redact_config import without_secrets
from fabricgen.verify.collect.redact_outputs import CONFIGURED, redacted

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
HOST, DOMAIN, SITE, USER, SERIAL, ADDRESS, MAC = "host", "domain", "site", "user", "serial", "address", "mac"
KINDS = (HOST, DOMAIN, SITE, USER, SERIAL, ADDRESS, MAC)
COMMON = frozenset({
    *("admin", "bgp", "cumulus", "default", "eos", "frr", "junos", "linuxadmin", "localhost", "nxos", "root", "router"),
    *("sonic", "srlinux", "switch"),
})  # fmt: skip
"""Names that a network OS comes with, or common words of outputs: they identify nobody."""

HOSTS = frozenset({
    *("hostname", "host-name", "host_name", "advhostname", "rcvhostname", "localhostname", "fqdn"),
    *("sysname", "systemname", "system-name", "system_name", "sys-name"),
})  # fmt: skip
"""Leaves that hold the name of a switch, in lower case: those of the outputs that the readers use."""
DOMAINS = frozenset({"domain", "domain-name", "domainname", "domain_name", "search-list"})

SERIALS = frozenset({
    "serialnumber", "serial_number", "serial-number", "serial number", "serialnum", "serial_num", "proc_board_id",
    "chassis_id_serial", "serial", "systemserialnumber",
})  # fmt: skip
"""Leaves that hold a serial number, in lower case: eAPI's show version, NX-API's, Junos' XML, SONiC's and NVUE's."""
USERS = frozenset({"username", "user", "login", "commituser", "commit-user", "commit_user"})
"""Leaves that hold the name of a person's account."""

_WORD = r"[A-Za-z0-9_.@-]+"
_NAME = re.compile(rf"^[+ \t-]*(?:hostname|host-name|switchname|sysname)[ ]+\"?(?P<name>{_WORD})", re.MULTILINE)
_DOMAIN = re.compile(
    r"^[+ \t-]*(?:ip |ipv6 |dns )?domain(?:-name|-search| name| search| list)?[ ]+\"?(?P<name>[\w-]+(?:\.[\w-]+)+)",
    re.MULTILINE,
)
_USER = re.compile(
    rf"^(?P<lead>[+-]?[ \t]*(?:username|user|snmp-server user|neighbor-user)[ ]+)(?P<name>{_WORD})", re.MULTILINE
)
_BY = re.compile(rf"(?P<lead>\b(?:by user|by) )(?P<name>{_WORD})(?= on | from |$)", re.MULTILINE)
_SERIAL = re.compile(
    r"(?P<lead>\b(?:serial[ _-]?(?:number|num|no)?|processor board id)[\"']?[ \t]*[:=]?[ \t]*[\"']?)"
    r"(?P<name>(?=[A-Z0-9]*\d)[A-Z0-9]{6,20})\b",
    re.IGNORECASE,
)
_SERIAL_XML = re.compile(r"(?P<lead><serial-number>)(?P<name>[^<]+)")
_MAC = re.compile(
    r"(?<![0-9A-Fa-f:.])(?:[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2})(?![0-9A-Fa-f:.])"
)
_IPV4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?![\w.]*\d*\.\d)(?!\w)")
_IPV6 = re.compile(r"(?<![\w:.])(?=[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:)[0-9A-Fa-f:]{3,39}(?:/\d{1,3})?(?![\w:]|\.\d)")
_LOCAL = ("00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff")

_FOUR = int(ipaddress.IPv4Address("198.18.0.0"))
_SIX = int(ipaddress.IPv6Address("2001:db8::"))


@dataclass(slots=True)
class Redactor:
    """Redacts one bundle. secrets: of the connection, which no output must repeat."""

    secrets: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
    _tokens: dict[tuple[str, str], str] = field(default_factory=dict)

    def know(self, kind: str, *names: str) -> None:
        """Replace these names wherever they occur as words."""
        for name in names:
            first, dot, rest = name.partition(".") if kind == HOST else (name, "", "")
            if first and first not in self.names and first.lower() not in COMMON and not _is_address(name):
                self.names[first] = self._token(kind, first)
            if dot and not _is_address(name):
                self.know(DOMAIN, rest)

    def learn(self, value: object, key: str = "") -> None:
        """Learn the names of switches and domains that an output contains."""
        match value:
            case str():
                self._learn_text(value, key)
            case dict():
                for name, item in value.items():
                    self.learn(item, str(name).rpartition(":")[2].lower())
            case list():
                for item in value:
                    self.learn(item, key)

    def _learn_text(self, text: str, key: str) -> None:
        if key in HOSTS:
            self.know(HOST, text)
        elif key in DOMAINS and "." in text:
            self.know(DOMAIN, text)
        elif text.lstrip()[:1] in ("{", "["):
            with suppress(ValueError, RecursionError):
                self.learn(json.loads(text))
        else:
            self.know(HOST, *(match["name"] for match in _NAME.finditer(text)))
            self.know(DOMAIN, *(match["name"] for match in _DOMAIN.finditer(text)))

    def know_state(self, state: State) -> None:
        """Learn the names of a switch and its neighbors."""
        if state.facts is not None:
            self.know(HOST, state.facts.hostname)
            self.know(SERIAL, state.facts.serial)
        self.know(HOST, *sorted({row.system for row in state.lldp or ()}))

    def counts(self) -> Mapping[str, int]:
        """Number of replaced names of each kind."""
        return {kind: sum(1 for token_kind, _ in self._tokens if token_kind == kind) for kind in KINDS}

    def text(self, text: str) -> str:
        """A redacted text. Secrets of a configuration must be removed before."""
        result = redacted(text, self.secrets)
        for pattern, kind in ((_USER, USER), (_BY, USER), (_SERIAL, SERIAL), (_SERIAL_XML, SERIAL)):
            result = pattern.sub(lambda match, kind=kind: match["lead"] + self._name(kind, match["name"]), result)  # type: ignore[misc]
        if self.names:
            names_pattern = "|".join(re.escape(name) for name in sorted(self.names, key=len, reverse=True))
            result = re.sub(rf"(?<![\w-])(?:{names_pattern})(?![\w-])", lambda match: self.names[match[0]], result)
        result = _MAC.sub(lambda match: self._mac(match[0]), result)
        result = _IPV4.sub(lambda match: self._address(match[0]), result)
        return _IPV6.sub(lambda match: self._address(match[0]), result)

    def value(self, value: object) -> object:
        """A redacted value of parsed JSON."""
        match value:
            case str():
                return self._json(value) if value.lstrip()[:1] in ("{", "[") else self.text(value)
            case dict():
                return {self.text(str(key)): self._member(str(key), item) for key, item in value.items()}
            case list():
                return [self.value(item) for item in value]
            case _:
                return value

    def _json(self, text: str) -> str:
        """A redacted text that is JSON itself, as some drivers return it."""
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            return self.text(text)
        return json.dumps(self.value(parsed), indent=1)

    def _member(self, key: str, item: object) -> object:
        name = key.rpartition(":")[2].lower()
        for names, kind in ((SERIALS, SERIAL), (USERS, USER)):
            if name in names and isinstance(item, str) and item:
                return self._name(kind, item)
        return self.value(item)

    def outputs(self, outputs: Outputs, reads: Iterable[ReadCommand]) -> Outputs:
        """Redacted outputs of commands. Secrets are removed from configurations first."""
        parts = {read.command: read.part for read in reads}
        return {
            command: Output(
                self.value(without_secrets(output.value) if parts.get(command) in CONFIGURED else output.value),
                self.text(output.error),
            )
            for command, output in outputs.items()
        }

    def _token(self, kind: str, name: str) -> str:
        return self._tokens.setdefault(
            (kind, name), f"{kind}-{1 + sum(1 for other, _ in self._tokens if other == kind)}"
        )

    def _name(self, kind: str, name: str) -> str:
        if name in self._tokens.values():
            return name
        if name.lower() in COMMON:
            return name
        return self.names.get(name) or self._token(kind, name)

    def _mac(self, text: str) -> str:
        digits = re.sub(r"[:.]", "", text).lower()
        plain = ":".join(digits[index : index + 2] for index in range(0, 12, 2))
        # Multicast and broadcast addresses identify no device; 02:00:00 is already a replacement.
        if plain in _LOCAL or int(plain[:2], 16) & 1 or plain.startswith("02:00:00"):
            return text
        self._token(MAC, plain)
        number = 1 + [name for kind, name in self._tokens if kind == MAC].index(plain)
        replacement = f"020000{number:06x}"
        if "." in text:
            return ".".join(replacement[index : index + 4] for index in range(0, 12, 4))
        return ":".join(replacement[index : index + 2] for index in range(0, 12, 2))

    def _address(self, text: str) -> str:
        """A redacted address, with or without a length."""
        plain, slash, length = text.partition("/")
        try:
            address = ipaddress.ip_address(plain)
        except ValueError:
            return text
        if isinstance(address, ipaddress.IPv6Address) and address.is_link_local:
            return self._link_local(address) + slash + length
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            inner = str(address.ipv4_mapped)
            replacement = self._address(inner)
            return text if replacement == inner else f"::ffff:{replacement}{slash}{length}"
        if not address.is_global or address.is_multicast:
            return text
        return f"{self._shortened(self._public(address), address, length)}{slash}{length}"

    @staticmethod
    def _shortened(replacement: Address, address: Address, length: str) -> Address:
        """The replacement of a network address: host bits are cleared if the original has none."""
        if not length or int(ipaddress.ip_network(f"{address}/{length}", strict=False).network_address) != int(address):
            return replacement
        return ipaddress.ip_network(f"{replacement}/{length}", strict=False).network_address

    def _public(self, address: Address) -> Address:
        """The same host in a documentation network."""
        hosts = 8 if address.version == 4 else 64
        network = int(address) >> hosts
        self._token(ADDRESS, f"{address.version}:{network}")
        names = [name for kind, name in self._tokens if kind == ADDRESS and name.startswith(f"{address.version}:")]
        number, host = names.index(f"{address.version}:{network}"), int(address) & ((1 << hosts) - 1)
        if address.version == 4:
            # 198.18.0.0/15 has 512 networks of 256 addresses.
            return ipaddress.IPv4Address(_FOUR + ((number % 512) << 8) + host)
        return ipaddress.IPv6Address(_SIX + (number << 64) + host)

    def _link_local(self, address: ipaddress.IPv6Address) -> str:
        """A link-local address; one made from a MAC address (RFC 4291, appendix A) is made from its replacement."""
        octets = address.packed[8:]
        if octets[3:5] != b"\xff\xfe":
            return str(address)
        # The universal/local bit is inverted in an interface identifier.
        mac = bytes((octets[0] ^ 2, *octets[1:3], *octets[5:]))
        new_mac = bytes.fromhex(self._mac(":".join(f"{octet:02x}" for octet in mac)).replace(":", ""))
        packed = address.packed[:8] + bytes((new_mac[0] ^ 2, *new_mac[1:3], 0xFF, 0xFE, *new_mac[3:]))
        return str(ipaddress.IPv6Address(packed))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
