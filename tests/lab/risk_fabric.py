"""The fabric that risk_probe measures: two leaves, `west` and `east`, over two spines, `north` and `south`, as text.

A peer group with route maps in and out on each switch, as the templates of this platform write them.
"""

from collections.abc import Iterator

LOOPBACK = {"west": "10.9.0.1", "east": "10.9.0.2", "north": "10.9.0.3", "south": "10.9.0.4"}
ASN = {"west": 65001, "east": 65002, "north": 65011, "south": 65012}
CABLES = (("west", "north"), ("west", "south"), ("east", "north"), ("east", "south"))


def port(far: str) -> str:
    """Port towards a switch."""
    return f"to-{far}"


def _ends() -> Iterator[tuple[str, str, int]]:
    """(switch, far switch, number of its address) of every cable's end; the far one's differs in the last bit."""
    for number, (leaf, spine) in enumerate(CABLES):
        yield leaf, spine, 2 * number
        yield spine, leaf, 2 * number + 1


def addresses() -> dict[str, dict[str, list[str]]]:
    """Switch → port → addresses."""
    found: dict[str, dict[str, list[str]]] = {name: {"lo": [f"{LOOPBACK[name]}/32"]} for name in ASN}
    for name, far, number in _ends():
        found[name][port(far)] = [f"10.8.0.{number}/31", f"fd00:8::{number:x}/127"]
    return found


def peer(name: str, far: str) -> str:
    """IPv4 address of the far end of a cable."""
    return next(f"10.8.0.{number ^ 1}" for one, other, number in _ends() if (one, other) == (name, far))


def text(name: str) -> str:
    """frr.conf of one switch: a group and its route maps, as the templates of this platform write them."""
    neighbors = [
        line
        for one, far, number in _ends()
        if one == name
        for line in (
            f" neighbor 10.8.0.{number ^ 1} remote-as {ASN[far]}",
            f" neighbor 10.8.0.{number ^ 1} peer-group FABRIC",
            f" neighbor 10.8.0.{number ^ 1} description {far}",
        )
    ]
    return TEXT.format(name=name, loopback=LOOPBACK[name], asn=ASN[name], neighbors="\n".join(neighbors))


TEXT = """\
frr version 8.4
frr defaults datacenter
hostname {name}
log syslog informational
no zebra nexthop kernel enable
service integrated-vtysh-config
!
ip router-id {loopback}
ip route 10.7.0.0/24 blackhole
!
router bgp {asn}
 bgp router-id {loopback}
 no bgp default ipv4-unicast
 bgp bestpath as-path multipath-relax
 timers bgp 10 30
 neighbor FABRIC peer-group
 neighbor FABRIC description underlay
 neighbor FABRIC timers connect 1
{neighbors}
 !
 address-family ipv4 unicast
  network {loopback}/32
  neighbor FABRIC activate
  neighbor FABRIC maximum-prefix 32
  neighbor FABRIC route-map RM-IN in
  neighbor FABRIC route-map RM-OUT out
  maximum-paths 2
 exit-address-family
exit
!
ip prefix-list PL-FABRIC seq 10 permit 10.9.0.0/16 le 32
!
bgp community-list standard CL-DOWN seq 10 permit graceful-shutdown
!
route-map RM-IN permit 10
 match community CL-DOWN
 match ip address prefix-list PL-FABRIC
 set local-preference 0
exit
!
route-map RM-IN permit 20
 match ip address prefix-list PL-FABRIC
exit
!
route-map RM-OUT permit 10
 match ip address prefix-list PL-FABRIC
exit
!
route-map RM-DRAIN permit 10
 match ip address prefix-list PL-FABRIC
 set community graceful-shutdown
exit
!
end
"""


def edited(name: str, *edits: tuple[str, str]) -> str:
    """A switch's text with pieces replaced; each must be there exactly once. Raises ValueError where it is not."""
    found = text(name)
    for old, new in edits:
        if found.count(old) != 1:
            raise ValueError(f"{old!r} is {found.count(old)} times in the text of {name}")
        found = found.replace(old, new)
    return found
