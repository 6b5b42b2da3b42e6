"""Two leaves and two spines of the backend, running: State is what their Devices say, and shows what is broken."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.state.state import BfdSession, BgpState, Hop, Interface, Route, Session, State
from tests.frr import reading
from tests.frr.site import site
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Link, Loaded
from tests.live.frr_asked import LIVE, ask, run

pytestmark = LIVE

LEAF, FAR = "be-leaf-000", "be-leaf-001"
SPINES = ("be-spine-00", "be-spine-01")
SWITCHES = (LEAF, FAR, *SPINES)
EACH = 2
"""Cables between a leaf and a spine."""
Fabric = Mapping[str, Loaded]


def device(name: str) -> Device:
    return site()[name].device


def links() -> Iterator[Link]:
    """The first cables between each leaf and each spine."""
    for name in (LEAF, FAR):
        found: dict[str, int] = {}
        for row in device(name).interfaces.ethernet:
            if row.peer in SPINES and found.get(row.peer, 0) < EACH:
                found[row.peer] = found.get(row.peer, 0) + 1
                yield Link((name, row.name), (row.peer, row.peer_port))


def wired(name: str) -> list[Ethernet]:
    """Ports of a switch that have a cable here."""
    ends = {port for link in links() for owner, port in link if owner == name}
    return [row for row in device(name).interfaces.ethernet if row.name in ends]


@pytest.fixture(scope="module")
def fabric() -> Iterator[Fabric]:
    texts = {name: site()[name].files["frr.conf"] for name in SWITCHES}
    stanzas = {name: reading.stanzas(site()[name].files["interfaces"]) for name in SWITCHES}
    addresses = {
        name: {port: lines.get("address", ()) for port, lines in found.items()} for name, found in stanzas.items()
    }
    with frr.wire(texts, addresses, tuple(links())) as running:
        for name in SWITCHES:
            for row in wired(name):
                run(running[name], "ip", "link", "set", row.name, "mtu", str(row.profile.mtu))
            becomes(set(), missing, running[name], name)
        yield running


def missing(switch: Loaded, name: str) -> set[str]:
    """Wired neighbors that are not up yet."""
    state = ask(switch, device(name))
    up = {row.peer for row in sessions(state) if row.state == "Established"}
    return set(neighbors(name)) - up


def neighbors(name: str) -> set[str]:
    """Addresses at the far ends of the cables here."""
    far = {(row.peer, row.peer_port) for row in wired(name)}
    ends = [row for other in SWITCHES for row in wired(other) if (other, row.name) in far]
    return {address.partition("/")[0] for row in ends for address in (row.ipv4, row.ipv6) if address}


def sessions(state: State) -> tuple[Session, ...]:
    return state.bgp.sessions if state.bgp else ()


def interface(state: State, name: str) -> Interface:
    return next(row for row in state.interfaces or () if row.name == name)


def routes(state: State) -> dict[str, Route]:
    return {row.prefix: row for row in state.routes or ()}


@pytest.mark.parametrize("name", SWITCHES)
def test_interfaces_are_those_of_the_device(fabric: Fabric, name: str) -> None:
    state = ask(fabric[name], device(name))
    for row in wired(name):
        found = tuple(sorted(address for address in (row.ipv4, row.ipv6) if address))
        assert interface(state, row.name) == Interface(
            row.name, "ethernet", True, True, row.profile.mtu, found, vlans=()
        )
    loopbacks = device(name).interfaces.loopbacks
    found = tuple(sorted(address for row in loopbacks for address in (row.ipv4, row.ipv6) if address))
    assert (interface(state, "lo").kind, interface(state, "lo").addresses) == ("loopback", found)
    assert {row.name for row in state.interfaces or ()} == {"lo", *(row.name for row in wired(name))}


@pytest.mark.parametrize("name", SWITCHES)
def test_sessions_are_those_of_the_device(fabric: Fabric, name: str) -> None:
    state = ask(fabric[name], device(name))
    bgp = device(name).routing.bgp
    assert state.bgp is not None
    assert (state.bgp.asn, state.bgp.router_id) == (bgp.asn, bgp.router_id)
    families = {group.name: tuple(sorted(group.families)) for group in bgp.groups}
    here = neighbors(name)
    wanted = {
        ("", row.address, row.remote_as, families[row.group] if row.address in here else ()) for row in bgp.neighbors
    }
    assert {(row.vrf, row.peer, row.remote_as, named(row)) for row in sessions(state)} == wanted
    assert {row.peer for row in sessions(state) if row.state == "Established"} == here
    becomes({True}, received, fabric[name], name)


def named(session: Session) -> tuple[str, ...]:
    return tuple(family.name for family in session.families)


def received(switch: Loaded, name: str) -> set[bool]:
    """Whether there are prefixes in every family of every session."""
    return {family.received > 0 for row in sessions(ask(switch, device(name))) for family in row.families}


def test_what_else_is_read(fabric: Fabric) -> None:
    state = ask(fabric[LEAF], device(LEAF))
    assert state.facts is not None
    assert state.facts.version.startswith(f"{device(LEAF).version}.")
    assert (state.bfd, state.vnis, state.evpn) == ((), (), ())
    assert state.lldp == ()  # no lldpd runs here
    assert set(state.unread) == set(FRR.unseen)


def test_routes_have_the_widths_of_the_cables(fabric: Fabric) -> None:
    """To the far leaf over all cables, to a spine over those to it; the own aggregate discards."""
    becomes({4}, widths, fabric, FAR)
    state = ask(fabric[LEAF], device(LEAF))
    uplinks = sorted(row.name for row in wired(LEAF))
    for prefix in networks(FAR):
        assert sorted(hop.interface for hop in routes(state)[prefix].hops) == uplinks
        assert routes(state)[prefix].protocol == "bgp"
    for spine in SPINES:
        for prefix in networks(spine):
            here = sorted(row.name for row in wired(LEAF) if row.peer == spine)
            assert sorted(hop.interface for hop in routes(state)[prefix].hops) == here
    for static in device(LEAF).routing.static_routes:
        if not static.vrf:
            assert routes(state)[static.prefix] == Route("", static.prefix, "static", ())
    for row in wired(LEAF):
        assert Hop("", row.name) in {hop for route in state.routes or () for hop in route.hops if not hop.address}


def networks(name: str) -> list[str]:
    bgp = device(name).routing.bgp
    return [*bgp.networks_ipv4, *bgp.networks_ipv6]


def widths(fabric: Fabric, name: str) -> set[int]:
    """Over how many next hops the leaf reaches what a switch announces."""
    state = ask(fabric[LEAF], device(LEAF))
    return {len(routes(state)[prefix].hops) if prefix in routes(state) else -1 for prefix in networks(name)}


def test_a_link_that_goes_down_is_seen_at_both_ends(fabric: Fabric) -> None:
    row = wired(LEAF)[0]
    run(fabric[LEAF], "ip", "link", "set", row.name, "down")
    try:
        near = interface(ask(fabric[LEAF], device(LEAF)), row.name)
        far = interface(ask(fabric[row.peer], device(row.peer)), row.peer_port)
        assert (near.admin_up, near.oper_up, far.admin_up, far.oper_up) == (False, False, True, False)
        becomes({3}, widths, fabric, FAR)
        states = {found.peer: found.state for found in sessions(ask(fabric[LEAF], device(LEAF)))}
        there = next(found for found in device(row.peer).interfaces.ethernet if found.name == row.peer_port)
        assert states[there.ipv4.partition("/")[0]] != "Established"
    finally:
        run(fabric[LEAF], "ip", "link", "set", row.name, "up")
        run(fabric[LEAF], "ip", "addr", "replace", row.ipv6, "dev", row.name)
    becomes({4}, widths, fabric, FAR)


@contextmanager
def replaced(fabric: Fabric, prefix: str, *words: str) -> Iterator[None]:
    """Replace a route in the kernel behind FRR's back."""
    switch = fabric[LEAF]
    held = run(switch, "ip", "route", "show", prefix).replace("\n", " ").replace("\t", " ").split()
    run(switch, "ip", "route", "replace", *words, "proto", "bgp", "metric", "20")
    try:
        yield
    finally:
        run(switch, "ip", "route", "replace", *held)


def test_the_kernel_is_believed_and_not_frr(fabric: Fabric) -> None:
    becomes({4}, widths, fabric, FAR)
    prefix = device(FAR).routing.bgp.networks_ipv4[0]
    hop = next(iter(routes(ask(fabric[LEAF], device(LEAF)))[prefix].hops))
    with replaced(fabric, prefix, prefix, "via", hop.address, "dev", hop.interface):
        believed = json.loads(fabric[LEAF].show(f"show ip route {prefix} json"))[prefix][0]["nexthops"]
        assert len(believed) == 4
        assert routes(ask(fabric[LEAF], device(LEAF)))[prefix].hops == (hop,)
    with replaced(fabric, prefix, "blackhole", prefix):
        assert routes(ask(fabric[LEAF], device(LEAF)))[prefix].hops == ()
    assert len(routes(ask(fabric[LEAF], device(LEAF)))[prefix].hops) == 4


def test_an_address_and_an_mtu_that_changed(fabric: Fabric) -> None:
    row = wired(FAR)[0]
    run(fabric[FAR], "ip", "addr", "del", row.ipv4, "dev", row.name)
    run(fabric[FAR], "ip", "link", "set", row.name, "mtu", "1500")
    found = interface(ask(fabric[FAR], device(FAR)), row.name)
    run(fabric[FAR], "ip", "addr", "add", row.ipv4, "dev", row.name)
    run(fabric[FAR], "ip", "link", "set", row.name, "mtu", str(row.profile.mtu))
    assert (found.addresses, found.mtu) == (tuple(filter(None, (row.ipv6,))), 1500)
    becomes({4}, widths, fabric, FAR)


def test_drift_is_seen_and_goes(fabric: Fabric) -> None:
    wanted = site()[FAR].files["frr.conf"]

    def lines() -> list[str]:
        return [row.line for row in FRR.drift(wanted, ask(fabric[FAR], device(FAR)).running or "")]

    assert lines() == []
    assert fabric[FAR].configure(["configure terminal", "ip route 192.0.2.0/24 blackhole"]) == ""
    assert lines() == ["ip route 192.0.2.0/24 blackhole"]
    becomes((), lambda: getattr(routes(ask(fabric[FAR], device(FAR))).get("192.0.2.0/24"), "hops", None))
    assert fabric[FAR].configure(["configure terminal", "no ip route 192.0.2.0/24 blackhole"]) == ""
    assert lines() == []


def test_bfd(fabric: Fabric) -> None:
    """Asked for by hand at both ends, as no fabric here has it."""
    row = wired(LEAF)[-1]
    far = next(found for found in device(row.peer).interfaces.ethernet if found.name == row.peer_port)
    peers = {LEAF: far.ipv4.partition("/")[0], row.peer: row.ipv4.partition("/")[0]}

    def type_at(name: str, word: str) -> None:
        speaker = f"router bgp {device(name).routing.bgp.asn}"
        assert fabric[name].configure(["configure terminal", speaker, f"{word}neighbor {peers[name]} bfd"]) == ""

    type_at(LEAF, "")
    becomes((BfdSession("", peers[LEAF], up=False),), lambda: ask(fabric[LEAF], device(LEAF)).bfd)
    type_at(row.peer, "")
    becomes((BfdSession("", peers[LEAF], up=True),), lambda: ask(fabric[LEAF], device(LEAF)).bfd)
    for name in peers:
        type_at(name, "no ")


LLDPD = """mkdir -p /run/lldpd && mount -t tmpfs tmpfs /run/lldpd && hostname "$0" &&
exec lldpd -d -u "$1" -I 'swp*' -C lo -k -O "$2" """


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that lldpd's own user may enter too; pytest's are the owner's alone."""
    with tempfile.TemporaryDirectory(prefix="frr-reader-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.long
@pytest.mark.skipif(not Path("/usr/sbin/lldpd").exists(), reason="lldpd is not installed: run make lab-deps")
def test_lldp(fabric: Fabric, open_folder: Path) -> None:
    """The cables as both ends tell each other; tx-interval as small as a test likes. In each run the labs read LLDP."""
    conf = open_folder / "lldpd.conf"
    conf.write_text("configure lldp portidsubtype ifname\nconfigure lldp tx-interval 1\n")
    running = []
    try:
        for name in SWITCHES:
            enter = ["nsenter", f"--net=/run/netns/{fabric[name].namespace}", "unshare", "--mount", "--uts"]
            words = [*enter, "--propagation", "private", "sh", "-c", LLDPD, name, str(open_folder / name), str(conf)]
            running.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for name in SWITCHES:
            cables = {(row.name, row.peer, row.peer_port) for row in wired(name)}
            becomes(cables, lambda name=name: heard(fabric, name, open_folder))
    finally:
        for process in running:
            process.terminate()
            process.wait(10)


def heard(fabric: Fabric, name: str, folder: Path) -> set[tuple[str, ...]]:
    return {tuple(row) for row in ask(fabric[name], device(name), str(folder / name), "lldp").lldp or ()}


@pytest.mark.long
def test_a_daemon_that_dies_leaves_no_sessions(fabric: Fabric) -> None:
    """The last one: nothing starts it again."""
    pid = Path(f"/var/run/frr/{fabric[FAR].namespace}/bgpd.pid").read_text().strip()
    subprocess.run(["kill", pid], check=True)
    becomes(BgpState(0, "", ()), lambda: ask(fabric[FAR], device(FAR)).bgp)
    state = ask(fabric[FAR], device(FAR))
    assert (state.evpn, "bgp" in state.unread) == ((), False)
    gone = FRR.drift(site()[FAR].files["frr.conf"], state.running or "")
    assert any(row.line.startswith("router bgp ") for row in gone)
