"""Commands of one release in the words of the next, by NVIDIA's tables of changed commands. Knows no template.

Read on 2026-11-29, github.com/CumulusNetworks/docs: What's New of 512 (07e14210), 513 (0369ee4d) and 514 (00e6d395);
514 DHCP Relays (ad804834); 516 Switch Port Attributes (7ab50b0a), the note on 5.14; 515 New and Changed NVUE Commands
(07d58d4b), Changes to Command Syntax and the commands that are deprecated and new; 515 BFD (5810501f).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

CHANGED_515 = """
service dns <vrf-id> search <domain-id> | system dns search <domain-id>
service dns <vrf-id> server <dns-server-id> | system dns server <dns-server-id>
service ntp <vrf-id> server <server-id> iburst on/off | system ntp server <server-id> iburst enabled/disabled
service ntp <vrf-id> listen <interface-name> | system ntp listen <interface-name>
service lldp state <state> | system lldp state <state>
interface <interface-id> ip address <ip-prefix-id> | interface <interface-id> <family> address <ip-prefix-id>
interface <interface-id> ip gateway <ip-address-id> | interface <interface-id> <family> gateway <ip-address-id>
interface <interface-id> ip vrf <vrf-name> | interface <interface-id> vrf <vrf-name>
interface <interface-id> link auto-negotiate on/off | interface <interface-id> link auto-negotiate enabled/disabled
system telemetry enable on/off | system telemetry state enabled/disabled
nve vxlan flooding enable on/off | nve vxlan flooding state enabled/disabled
interface <interface-id> port-security enable on/off | interface <interface-id> port-security state enabled/disabled
interface <interface-id> bond lacp-bypass on/off | interface <interface-id> bond lacp-bypass enabled/disabled
interface <interface-id> bridge domain <id> stp <key> on/off | interface <interface-id> bridge domain <id> stp <key> \
enabled/disabled
router adaptive-routing enable on/off | router adaptive-routing state enabled/disabled
nve vxlan mac-learning on/off | nve vxlan mac-learning enabled/disabled
nve vxlan arp-nd-suppress on/off | nve vxlan arp-nd-suppress enabled/disabled
qos roce enable on/off | qos roce state enabled/disabled
evpn enable on/off | evpn state enabled/disabled
evpn multihoming enable on/off | evpn multihoming state enabled/disabled
evpn dad enable on/off | evpn dad state enabled/disabled
router policy route-map <id> rule <rule> set ipv6-nexthop-prefer-global on/off | router policy route-map <id> rule \
<rule> set ipv6-nexthop-prefer-global enabled/disabled
vrf <vrf-id> router bgp neighbor <neighbor-id> ttl-security enable on/off | vrf <vrf-id> router bgp neighbor \
<neighbor-id> ttl-security state enabled/disabled
router bgp enable on/off | router bgp state enabled/disabled
router bgp wait-for-install on/off | router bgp wait-for-install enabled/disabled
vrf <vrf-id> router bgp enable on/off | vrf <vrf-id> router bgp state enabled/disabled
vrf <vrf-id> router bgp address-family <family-id> redistribute connected enable on/off | vrf <vrf-id> router bgp \
address-family <family-id> redistribute connected state enabled/disabled
vrf <vrf-id> router bgp address-family <family-id> route-import from-vrf enable on/off | vrf <vrf-id> router bgp \
address-family <family-id> route-import from-vrf state enabled/disabled
vrf <vrf-id> router bgp address-family <family-id> route-export to-evpn enable on/off | vrf <vrf-id> router bgp \
address-family <family-id> route-export to-evpn state enabled/disabled
vrf <vrf-id> router bgp address-family <family-id> enable on/off | vrf <vrf-id> router bgp address-family <family-id> \
state enabled/disabled
vrf <vrf-id> router bgp path-selection multipath aspath-ignore on/off | vrf <vrf-id> router bgp path-selection \
multipath aspath-ignore enabled/disabled
interface <interface-id> evpn multihoming segment enable on/off | interface <interface-id> evpn multihoming segment \
state enabled/disabled
interface <interface-id> evpn multihoming uplink on/off | interface <interface-id> evpn multihoming uplink \
enabled/disabled
vrf <vrf-id> router bgp <kind> <peer-id> address-family <family-id> prefix-limits inbound warning-only on/off | vrf \
<vrf-id> router bgp <kind> <peer-id> address-family <family-id> prefix-limits inbound warning-only enabled/disabled
vrf <vrf-id> router bgp <kind> <peer-id> address-family <family-id> enable on/off | vrf <vrf-id> router bgp <kind> \
<peer-id> address-family <family-id> state enabled/disabled
interface <interface-id> router adaptive-routing enable on/off | interface <interface-id> router adaptive-routing \
state enabled/disabled
nve vxlan enable on/off | nve vxlan state enabled/disabled
vrf <vrf-id> router bgp <kind> <peer-id> capabilities extended-nexthop on/off | vrf <vrf-id> router bgp <kind> \
<peer-id> capabilities extended-nexthop enabled/disabled
vrf <vrf-id> evpn enable on/off | vrf <vrf-id> evpn state enabled/disabled
"""
"""Rows of the page's two columns, of what can be rendered; `<kind>` is neighbor or peer-group: the page has both."""
_WORDS = {"on": "enabled", "off": "disabled"}


def _rows(table: str) -> Iterator[tuple[re.Pattern[str], str]]:
    for row in filter(None, table.splitlines()):
        before, after = row.split(" | ")
        groups = re.sub(r"<([a-z-]+)>", lambda found: rf"(?P<{found[1].replace('-', '_')}>\S+)", before)
        yield re.compile(groups.replace("on/off", "(?P<word>on|off)")), after


ROWS_515 = tuple(_rows(CHANGED_515))


def _column_515(command: str) -> str:
    """The right column of a command's row; the command itself if it has none."""
    for before, after in ROWS_515:
        if found := before.fullmatch(command):
            return _filled(after, found.groupdict(), command)
    return command


def _filled(after: str, words: dict[str, str], command: str) -> str:
    """A right column with the words of a command; the page has a row of an address for each family."""
    family = "ipv6" if command.rpartition(" ")[2].count(":") > 1 else "ipv4"
    told = after.replace("enabled/disabled", _WORDS.get(words.get("word", ""), "")).replace("<family>", family)
    return re.sub(r"<([a-z-]+)>", lambda name: words[name[1].replace("-", "_")], told)


def to_512(commands: Iterable[str]) -> Iterator[str]:
    """TACACS+ servers have the address where they had the priority; `enable` is removed."""
    told = list(commands)
    hosts = dict(re.findall(r"system aaa tacacs server (\S+) host (\S+)", "\n".join(told)))
    for command in told:
        if found := re.fullmatch(r"system aaa tacacs server (\S+) (.+)", command):
            priority, rest = found.groups()
            is_host = rest.startswith("host ")
            yield f"system aaa tacacs server {hosts[priority]} {f'priority {priority}' if is_host else rest}"
        elif command != "system aaa tacacs enable on":
            yield command


def to_513(commands: Iterable[str]) -> Iterator[str]:
    """Syslog servers are the system's; without a VRF of their own they are in the default one (reference, Syslog)."""
    for command in commands:
        found = re.fullmatch(r"service syslog (\S+) server (\S+)", command)
        yield f"system syslog server {found[2]} vrf {found[1]}" if found else command


def to_514(commands: Iterable[str]) -> Iterator[str]:
    """Relays of IPv4 have server groups; a speed without a word on negotiation is negotiated; FRR is 10.0."""
    told = list(commands)
    for command in told:
        if found := re.fullmatch(r"service dhcp-relay (\S+) (interface|server) (\S+)", command):
            yield from _grouped(*found.groups())
        else:
            yield command
        if found := re.fullmatch(r"interface (\S+) link speed \S+", command):
            yield f"interface {found[1]} link auto-negotiate off"
    if "router bgp wait-for-install on" not in told:
        yield "router bgp wait-for-install on"


def _grouped(vrf: str, kind: str, name: str) -> Iterator[str]:
    """What the manual's example of EVPN has: clients' VLANs, the VLAN of the L3 VNI; no uplinks are needed."""
    base = f"service dhcp-relay {vrf}"
    if kind == "server":
        yield f"{base} server-group servers server {name}"
    elif name.endswith("_l3"):
        yield f"{base} server-group servers upstream-interface {name}"
    elif name.startswith("vlan"):
        yield f"{base} downstream-interface {name} server-group-name servers"


def to_515(commands: Iterable[str]) -> Iterator[str]:
    """The table; and from the lists of deprecated and new commands: profiles of BFD, the VRF of DNS and NTP."""
    told = list(commands)
    for command in told:
        if found := re.fullmatch(r"(vrf \S+ router bgp (?:peer-group|neighbor) \S+ bfd) enable on", command):
            yield f"{found[1]} profile FABRIC"
        elif command.startswith("service dns mgmt server "):
            yield f"{_column_515(command)} vrf mgmt"
        elif command == "service ntp mgmt listen eth0":
            yield "system ntp vrf mgmt"  # eth0 is where it listens by itself (515 NTP)
        else:
            yield _column_515(command)
    if any(command.endswith(" bfd enable on") for command in told):
        yield "router bfd state enabled"
        yield from (f"router bfd profile FABRIC {key} 300" for key in ("min-rx-interval", "min-tx-interval"))
        yield "router bfd profile FABRIC detect-multiplier 3"
        hops = re.findall(r"^vrf \S+ router bgp peer-group \S+ multihop-ttl (\d+)$", "\n".join(told), re.MULTILINE)
        yield from (f"router bfd profile FABRIC minimum-ttl {256 - int(ttl)}" for ttl in hops)


def to_516(commands: Iterable[str]) -> Iterable[str]:
    """One command of telemetry is removed, which is not rendered (516 New and Removed NVUE Commands 0da900a5)."""
    return commands


STEPS: Mapping[str, Callable[[Iterable[str]], Iterable[str]]] = {
    "5.12": to_512,
    "5.13": to_513,
    "5.14": to_514,
    "5.15": to_515,
    "5.16": to_516,
}
"""Release → what it makes of the commands of the release before."""
