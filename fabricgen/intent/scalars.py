"""The scalar types of the intent: valid values, and the message for an invalid one."""

import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_interface, ip_network
from itertools import pairwise
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict

from fabricgen.base.ssh_key import SshKey, parse_ssh_key
from fabricgen.source.annotations import NAME, WORD, Parsed, Pattern, WholeNumber

MAX_SLOTS = 1 << 20
"""Limit of servers in one group: more than any existing site has, few enough to count."""


class IntentModel(BaseModel):
    """A frozen model that refuses unknown keys.

    Schemas are built when a document is validated. Default blocks come from `model_construct`: defaults are not
    validated, and calling the class would build a schema for it alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Span(NamedTuple):
    """An inclusive range of numbers."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """Number of values in the range."""
        return self.last - self.first + 1


Spans = tuple[Span, ...]
"""Sorted, disjoint, not adjacent."""


def parse_slots(text: object) -> Spans:
    """Read slots as `parse_spans` does, but refuse 32: it is meant as a count, and would be the one slot 32."""
    if isinstance(text, int) and not isinstance(text, bool) and text > 0:
        servers = f"0-{text - 1} for {text} servers" if text > 1 else "0 for 1 server"
        raise ValueError(
            f'it is the number of one slot, not a count: write {servers}, or "{text}" for slot {text} alone'
        )
    return parse_spans(text)


def parse_spans(text: object) -> Spans:
    """Read "0-63,72" as spans. Raises ValueError with the valid form."""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if isinstance(text, tuple):
        return text
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{1,9}(-[0-9]{1,9})?(, *[0-9]{1,9}(-[0-9]{1,9})?)*", text):
        raise ValueError('it is not a list of numbers and ranges: write e.g. "0-63" or "0-63,72"')
    return _disjoint(sorted(_span(piece) for piece in text.replace(" ", "").split(",")))


def _disjoint(spans: list[Span]) -> Spans:
    for span in spans:
        if span.last < span.first:
            raise ValueError(f"{span.first}-{span.last} is in reverse order: write {span.last}-{span.first}")
        if span.last >= MAX_SLOTS:
            raise ValueError(f"{span.last} is beyond the largest number, {MAX_SLOTS - 1}")
    for before, after in pairwise(spans):
        if after.first <= before.last:
            raise ValueError(f"{after.first} is listed twice")
    return _merged(spans)


def _span(piece: str) -> Span:
    first, _, last = piece.partition("-")
    return Span(int(first), int(last or first))


def _merged(spans: list[Span]) -> Spans:
    merged: list[Span] = []
    for span in spans:
        if merged and merged[-1].last + 1 == span.first:
            merged[-1] = Span(merged[-1].first, span.last)
        else:
            merged.append(span)
    return tuple(merged)


def spans_text(spans: Spans) -> str:
    """Return spans as people write them: "0-63,72"."""
    return ",".join(f"{span.first}-{span.last}" if span.last > span.first else str(span.first) for span in spans)


class AsnRange(NamedTuple):
    """An inclusive range of AS numbers."""

    first: int
    last: int


def parse_span(text: object) -> Span:
    """Read a range such as 10000-19999, or one number. Raises ValueError with the valid form."""
    if isinstance(text, Span):
        return text
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if not isinstance(text, str) or not re.fullmatch(r"[1-9][0-9]{0,7}(-[1-9][0-9]{0,7})?", text):
        raise ValueError("it is not a range of numbers: write e.g. 10000-19999")
    span = _span(text)
    if span.last < span.first:
        raise ValueError(f"it is in reverse order: write {span.last}-{span.first}")
    return span


PRIVATE_ASNS = ((64512, 65534), (4200000000, 4294967294))  # RFC 6996
ASNS_EXAMPLE = "4201000000-4201999999"


def free_asns(used: Iterable[AsnRange]) -> AsnRange:
    """Return the first range like the example that overlaps no range in use."""
    first, last = parse_asns(ASNS_EXAMPLE)
    size = last - first + 1
    for taken in sorted(used):
        while taken.first <= last and first <= taken.last:
            first, last = first + size, last + size
    return AsnRange(first, last)


def parse_asns(text: object) -> AsnRange:
    """Read a range such as ASNS_EXAMPLE. Raises ValueError unless it is private (RFC 6996)."""
    if isinstance(text, AsnRange):
        return text
    if not isinstance(text, str) or not re.fullmatch(r"[0-9]{1,10}-[0-9]{1,10}", text):
        raise ValueError(f'it is not a range of AS numbers: write e.g. "{ASNS_EXAMPLE}"')
    first, last = (int(piece) for piece in text.split("-"))
    if last < first:
        raise ValueError(f"it is in reverse order: write {last}-{first}")
    if not any(low <= first and last <= high for low, high in PRIVATE_ASNS):
        shorter = next((f'"{first}-{high}"' for low, high in PRIVATE_ASNS if low <= first < high), "")
        raise ValueError(
            "it is not within 64512-65534 or 4200000000-4294967294, the private AS numbers (RFC 6996): "
            f"""write {shorter or f'e.g. "{ASNS_EXAMPLE}"'}"""
        )
    return AsnRange(first, last)


class Ratio(NamedTuple):
    """Capacity down to capacity up."""

    down: int
    up: int


UNDERSUBSCRIBED = 2
"""Largest ratio of uplink to server capacity: Meta's backend of SIGCOMM 2024 was 1:2 in its first state."""


def parse_ratio(text: object) -> Ratio:
    """Read "3:1". Raises ValueError."""
    if isinstance(text, Ratio):
        return text
    if not isinstance(text, str) or not re.fullmatch(r"[1-9][0-9]?:[1-9][0-9]?", text):
        raise ValueError(
            'it is not a ratio of two numbers from 1 to 99: write the ratio of downlink to uplink capacity, e.g. "3:1"'
        )
    down, up = (int(piece) for piece in text.split(":"))
    if up > UNDERSUBSCRIBED * down:
        raise ValueError(
            f'the downlink capacity comes first, and the smallest ratio that is accepted is 1:2: write "{up}:{down}"'
        )
    return Ratio(down, up)


RESERVED_IPV6 = IPv6Network("::/8")
"""Unspecified, loopback, IPv4-compatible and IPv4-mapped addresses: RFC 4291 sections 2.4 and 2.5."""


def _without_zone(text: str) -> str:
    """Return the text. Raises ValueError for a zone (RFC 4007): it may hold any character, even a line end."""
    if "%" in text:
        raise ValueError("it has a zone (after %), which is local to one device: write the address without it")
    return text


NO_HOSTS = ("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/3")
"""IPv4 addresses of no host: this network, loopbacks, multicast and reserved (RFC 6890, RFC 5771)."""


def parse_ipv4_prefix(text: object) -> IPv4Network:
    """Read an IPv4 prefix without host bits."""
    network = parse_prefix(text)
    if not isinstance(network, IPv4Network):
        raise ValueError(f"{text} is an IPv6 prefix: write an IPv4 prefix")  # noqa: TRY004 - pydantic reads ValueError
    return network


def parse_router_ids(text: object) -> IPv4Network:
    """Read a range of router ids: written as IPv4 addresses of hosts, never zero (RFC 6286)."""
    network = parse_ipv4_prefix(text)
    if any(network.overlaps(ip_network(other)) for other in NO_HOSTS):
        raise ValueError(
            f"{text} has numbers that no host has as its address, or 0.0.0.0, which is no BGP identifier (RFC 6286): "
            "write e.g. 198.18.0.0/15"
        )
    return network


def parse_ipv6_prefix(text: object) -> IPv6Network:
    """Read an IPv6 prefix without host bits."""
    network = parse_prefix(text)
    if not isinstance(network, IPv6Network):
        raise ValueError(f"{text} is an IPv4 prefix: write an IPv6 prefix")  # noqa: TRY004 - pydantic reads ValueError
    if network.overlaps(RESERVED_IPV6):
        raise ValueError(f"{text} overlaps ::/8, which the IETF reserves (RFC 4291): write another prefix")
    return network


def parse_prefix(text: object) -> IPv4Network | IPv6Network:
    """Read a prefix of either family without host bits. Raises ValueError that suggests the network."""
    if isinstance(text, IPv4Network | IPv6Network):
        return text
    if not isinstance(text, str) or "/" not in text:
        raise ValueError("it has no prefix length: write e.g. 10.64.0.0/12")
    _without_zone(text)
    try:
        interface = ip_interface(text)
    except ValueError:
        raise ValueError(f"{text} is not an IP prefix: write e.g. 10.64.0.0/12 or fd5e:8c1f:2a00::/52") from None
    if interface.ip != interface.network.network_address:
        raise ValueError(f"{text} has host bits set: write {interface.network}")
    return ip_network(text)


class InterfaceText(NamedTuple):
    """An address of a switch with the prefix length of its network."""

    address: IPv4Address | IPv6Address
    length: int


def parse_interface(text: object) -> InterfaceText:
    """Read the switch's end of a point-to-point link, e.g. 172.31.0.0/31 or fd00::1/127."""
    if isinstance(text, InterfaceText):
        return text
    written = _without_zone(text) if isinstance(text, str) else ""
    try:
        interface = ip_interface(written if "/" in written else "")
    except ValueError:
        raise ValueError(
            "it is not an IP address with a prefix length: write e.g. 172.31.0.0/31 or fd00::1/127"
        ) from None
    if interface.network.max_prefixlen - interface.network.prefixlen != 1:
        raise ValueError(f"{text} is not a point-to-point prefix: write a /31 (RFC 3021) or a /127 (RFC 6164)")
    return InterfaceText(interface.ip, interface.network.prefixlen)


def parse_address(text: object) -> IPv4Address | IPv6Address:
    """Read an address of either family."""
    if isinstance(text, IPv4Address | IPv6Address):
        return text
    written = _without_zone(text) if isinstance(text, str) else ""
    try:
        address = ip_interface(written).ip
    except ValueError:
        raise ValueError("it is not an IP address: write e.g. 10.0.0.5") from None
    if "/" in written:
        raise ValueError(f"it has a prefix length: write {address}")
    return address


SlotsField = Annotated[Spans, Parsed(parse_slots, "0-63,72", spans_text)]
AsnRangeField = Annotated[AsnRange, Parsed(parse_asns, ASNS_EXAMPLE, lambda r: f"{r.first}-{r.last}")]
RatioField = Annotated[Ratio, Parsed(parse_ratio, "3:1", lambda r: f"{r.down}:{r.up}")]
RouterIds = Annotated[IPv4Network, Parsed(parse_router_ids, "198.18.0.0/15")]
Ipv4Prefix = Annotated[IPv4Network, Parsed(parse_ipv4_prefix, "10.64.0.0/12")]
Ipv6Prefix = Annotated[IPv6Network, Parsed(parse_ipv6_prefix, "fd5e:8c1f:2a00::/52")]
AnyPrefix = Annotated[IPv4Network | IPv6Network, Parsed(parse_prefix, "172.18.0.0/20")]
AnyAddress = Annotated[IPv4Address | IPv6Address, Parsed(parse_address, "10.0.0.5")]
PublicKey = Annotated[
    SshKey,
    Parsed(
        parse_ssh_key,
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5 admin",
        lambda key: key.line,
    ),
]
PointToPoint = Annotated[InterfaceText, Parsed(parse_interface, "172.31.0.0/31", lambda i: f"{i.address}/{i.length}")]

Name = Annotated[
    str,
    Pattern(NAME, 24),
    Field(description="a name of lower-case letters, digits and single hyphens that begins with a letter"),
]
PRINTABLE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
WORDS = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^\s\x00-\x1f\x7f-\x9f\u2028\u2029][^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
"""PRINTABLE, and not only blanks."""
Text = Annotated[str, Pattern(PRINTABLE, 120), Field(description="one line, no control characters")]


def not_a_boolean(text: str) -> str:
    """Refuse what is meant as "on" or "off" where a name is due: a profile named True would be looked for."""
    if text.lower() in ("true", "false", "yes", "no", "on", "off"):
        raise ValueError(f"a name is needed here; {text} means on or off")
    return text


Word = Annotated[
    str,
    Pattern(WORD, 63),
    AfterValidator(not_a_boolean),
    Field(description="one word of letters, digits, dots, hyphens and underscores"),
]
FileName = Annotated[str, Pattern(r"^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$", 200)]
DomainName = Annotated[
    str,
    Pattern(r"^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$", 200),
    Field(description="labels of lower-case letters, digits and inner hyphens, up to 63 each (RFC 1123, 2.1)"),
]
Secret = Annotated[
    str,
    Pattern(r"^\$\{(env|file):[A-Za-z0-9_][A-Za-z0-9_./-]*\}$", 120),
    Field(description='a reference to the secret, e.g. "${env:TACACS_KEY}", not the secret itself'),
]
Asn = Annotated[int, WholeNumber(1, 4294967294), Field(description="BGP AS number, RFC 6793")]
VlanId = Annotated[
    int, WholeNumber(2, 4093), Field(description="IEEE 802.1Q VLAN; VLAN 1, the default, and VLAN 4094 are not used")
]
Vni = Annotated[int, WholeNumber(1, 16777214), Field(description="VXLAN network identifier, RFC 7348")]
Count = Annotated[int, WholeNumber(0, MAX_SLOTS)]
Positive = Annotated[int, WholeNumber(1, MAX_SLOTS)]
Octets = Annotated[int, WholeNumber(68, 16000)]
Percent = Annotated[int, WholeNumber(1, 100)]


def parse_metres(value: object) -> object:
    """Return a number of metres; decimals are strings in a document. Raises ValueError for other text, e.g. "5m"."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}\.[0-9]{1,3}", value):
        return float(value)
    if isinstance(value, str):
        match = re.fullmatch(r"([0-9]{1,5}(?:\.[0-9]{1,3})?) ?m(?:et(?:er|re)s?)?", value.strip())
        raise ValueError(f"it is not a number of metres: write {match[1] if match else 'e.g. 5'}")  # noqa: TRY004 - for pydantic
    return value


Metres = Annotated[float, Field(gt=0, le=100000, description="metres"), BeforeValidator(parse_metres)]


def parse_unicast_mac(text: object) -> str:
    """Read a MAC address that a host can have: unicast (IEEE 802), not all zeros."""
    if not isinstance(text, str) or not re.fullmatch(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}", text):
        raise ValueError("it is not a MAC address in lower case: write e.g. 02:fa:b0:00:00:01")
    if int(text[1], 16) & 1 or text == "00:00:00:00:00:00":
        raise ValueError(f"{text} is not a unicast address: write one whose first octet has its lowest bit clear")
    return text


UnicastMac = Annotated[str, Parsed(parse_unicast_mac, "02:fa:b0:00:00:01")]
Flag = Annotated[bool, Strict()]
TcpPort = Annotated[int, WholeNumber(1, 65535)]
System = Annotated[
    str,
    Pattern(r"^[a-z]+-([0-9]+(\.[0-9]+)*(\([0-9]+[a-z]*\))?([A-Za-z][0-9]*)?([.-][0-9A-Za-z]+)*|[a-z]+)$", 32),
    Field(description="platform, a hyphen and its release"),
]
