"""Two spines and two leaves on numbered /31 links, as text for real daemons. Written by hand from the FRR manual."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.judges import frr
from tests.judges.frr import Link, Loaded

ASN = {"leaf1": 65101, "leaf2": 65102, "spine1": 65000, "spine2": 65000}
LOOPBACK = {"leaf1": "10.0.1.1", "leaf2": "10.0.1.2", "spine1": "10.0.0.1", "spine2": "10.0.0.2"}
MORE = (77, 88, 98, 99)  # 10.N.0.0/24 are leaf1's own, and not in its text
LEAVES, SPINES = ("leaf1", "leaf2"), ("spine1", "spine2")

# (leaf, its port) joins (spine, its port); the spine has the even address of 172.16.N.0/31.
CABLES = tuple(
    (leaf, f"swp{down}", spine, f"swp{row}", f"172.16.{row}{down}")
    for row, leaf in enumerate(LEAVES, start=1)
    for down, spine in enumerate(SPINES, start=1)
)


def addresses() -> dict[str, dict[str, list[str]]]:
    """Switch → interface → addresses with length."""
    found = {name: {"lo": [f"{LOOPBACK[name]}/32"]} for name in ASN}
    found["leaf1"]["lo"] += [f"10.{number}.0.1/24" for number in MORE]
    for leaf, port, spine, peer, net in CABLES:
        found[spine][peer] = [f"{net}.0/31"]
        found[leaf][port] = [f"{net}.1/31"]
    return found


def neighbors(name: str) -> Iterator[tuple[str, str]]:
    """(far address, far switch) of each link."""
    for leaf, _, spine, _, net in CABLES:
        if leaf == name:
            yield f"{net}.0", spine
        elif spine == name:
            yield f"{net}.1", leaf


def text(name: str, extra: tuple[str, ...] = ()) -> str:
    """frr.conf in the words and the order in which `show running-config` has them.

    extra  lines of the IPv4 unicast family, such as `network 10.9.0.0/24`
    """
    peers = tuple(neighbors(name))
    lines = [
        "frr defaults datacenter",
        f"hostname {name}",
        "log file /dev/null",
        "no zebra nexthop kernel enable",
        "!",
        "interface swp1",
        f" description first port of {name}",
        "exit",
        "!",
        f"router bgp {ASN[name]}",
        f" bgp router-id {LOOPBACK[name]}",
        " neighbor FABRIC peer-group",
        " neighbor FABRIC timers connect 1",
        *(f" neighbor {address} remote-as {ASN[far]}" for address, far in peers),
        *(f" neighbor {address} peer-group FABRIC" for address, _ in peers),
        *(f" neighbor {address} description {far}" for address, far in peers),
        " !",
        " address-family ipv4 unicast",
        f"  network {LOOPBACK[name]}/32",
        *(f"  {line}" for line in extra),
        " exit-address-family",
        " !",
        " address-family ipv6 unicast",
        "  neighbor FABRIC activate",
        " exit-address-family",
        "exit",
        "!",
    ]
    return "\n".join(lines) + "\n"


@contextmanager
def wired() -> Iterator[Mapping[str, Loaded]]:
    """All four, up."""
    links = tuple(Link((leaf, port), (spine, peer)) for leaf, port, spine, peer, _ in CABLES)
    with frr.wire({name: text(name) for name in ASN}, addresses(), links) as fabric:
        yield fabric
