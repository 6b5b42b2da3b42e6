"""`verify --paths`: probe every equal-cost path of a running lab, from its servers and the leaves' tunnel addresses."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import click

from fabricgen.cli.verify.pings import PART
from fabricgen.lab.host.inventory import RunningLab, read_running_lab
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.operate.probe import probe
from fabricgen.lab.operate.trace import walk
from fabricgen.operation.intended import IntendedSwitches
from fabricgen.verify.expect.site import make_site
from fabricgen.verify.finding import FindingEnd, SwitchVerdict, Unchecked
from fabricgen.verify.probe.equal_cost_paths import Endpoint, FlowChoice, SitePaths, choose, packets
from fabricgen.verify.probe.loss_location import CableDirection
from fabricgen.verify.probe.paths import CHECK, PacketCounts, Probed, judge_paths, pairs, sizes, still, summary

NO_LAB = (
    "probes can be sent in a lab on this host only: an inventory has no servers, and no driver has a documented "
    "command to send packets with a given source port and size from a switch"
)
SEED = Path("/proc/sys/net/ipv4/fib_multipath_hash_seed")
"""Exists in Linux 6.11 and later: with it each switch of a lab hashes differently, as real switches do."""
ALIKE = (
    "all switches of a lab have the same hash seed on this kernel (fib_multipath_hash_seed needs Linux 6.11), so no "
    "flow takes some of the paths"
)
ALONE = "it has no two leaves with servers or tunnels and a path between them"


def not_probed(reason: str) -> SwitchVerdict:
    """Verdict if nothing was sent."""
    return SwitchVerdict(device=CHECK, passed=(), findings=(), unchecked=(Unchecked(CHECK, CHECK, reason),))


def prober(
    switches: IntendedSwitches, folder: Path | None, stop: Event, number: int
) -> Callable[[], tuple[SwitchVerdict, ...]]:
    """Function that sends a round of probes and judges it.

    folder  of the running lab; number: packets per path, 0: as many as needed
    """

    def round_of() -> tuple[SwitchVerdict, ...]:
        reason = no_way(switches, folder)
        if reason or folder is None:
            return (not_probed(reason),)
        return (_round(switches, place_of(folder), stop, number),)

    return round_of


def no_way(switches: IntendedSwitches, folder: Path | None) -> str:
    """Reason why packets cannot be sent at all; empty if they can. folder: of the running lab."""
    if switches.lab is None or folder is None:
        return NO_LAB
    return "" if switches.is_whole else PART


def _round(switches: IntendedSwitches, place: LabPlace, stop: Event, number: int) -> SwitchVerdict:
    start = time.monotonic()
    devices = switches.lab.devices if switches.lab is not None else ()
    running = read_running_lab(place.folder)
    hosts = frozenset(running.servers)
    site_paths = SitePaths(make_site(devices), {device.name: device for device in devices})
    leaf_pairs = pairs(devices, site_paths, tuple(_servers(running)))
    if not leaf_pairs:
        return not_probed(ALONE)
    chosen = choose(leaf_pairs, lambda flows: walk(place, running, flows), hosts)
    mtus = {
        FindingEnd(device.name, row.name): row.profile.mtu for device in devices for row in device.interfaces.ethernet
    }
    octets = sizes(chosen.flows, mtus)
    counts = packets(chosen.flows)
    try:
        received = probe(place, dict.fromkeys(counts, number) if number else counts, octets, stop.is_set)
    except OSError as error:
        return not_probed(f"cannot send packets: {error}")
    tallies = {flow: PacketCounts(*small, *full) for flow, (small, full) in received.counts.items()}
    probed = Probed(chosen, tallies, octets)
    click.echo(summary(probed, time.monotonic() - start), err=True)
    if probed.lost:
        probed = still(probed, walk(place, running, tuple(chosen.flows)))
    # All losses may be this host's own, so they say nothing about the fabric.
    if received.spilt >= probed.lost > 0:
        reason = f"this host itself dropped {received.spilt} of the {probed.lost} lost packets: repeat when it is idle"
        return not_probed(reason)
    return judge_paths(probed, hosts, _doubts(chosen, probed), is_alike=not SEED.exists())


def _doubts(chosen: FlowChoice, probed: Probed) -> Iterator[str]:
    """Reasons why not all paths could be judged."""
    if moved := len(chosen.flows) - len(probed.chosen.flows):
        yield f"{moved} flows changed paths during the test: the fabric is converging"
    if not SEED.exists() and chosen.missed:
        yield f"{len(chosen.missed)} of {chosen.planned} paths: {ALIKE}"


def _servers(running: RunningLab) -> Iterator[Endpoint]:
    """Servers' addresses on routed ports without a tenant."""
    for name, nics in sorted(running.servers.items()):
        for nic in nics:
            address = (nic.ipv4 or nic.ipv6).partition("/")[0]
            if address and not nic.vlan_id and not nic.tenant:
                wire = CableDirection(FindingEnd(name, nic.name), FindingEnd(nic.switch, nic.port))
                yield Endpoint(name, address, nic.switch, wire, nic.mtu)
