"""Three tiers of FRR, links that fail under traffic: no packet goes up again behind down, also between two states.

While a link of a leaf fails, the superspines' bgpd is stopped: they go on sending packets by routes that are gone. That
makes the moment between two states two seconds long. The spine that has lost its link must drop them, and not send them
up. With the check of AS loops off, which three tiers need (`explain --lossless`), it does send them up: so the
measurement would see it.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.lab import hops
from tests.lab.faults import Running, daemon_pid
from tests.lab.sites import available, lab_verb, plan

pytestmark = [pytest.mark.skipif(available() is not None, reason=str(available())), pytest.mark.long]

INTENT = Path(__file__).with_name("tiers.yaml")
SUBSET = "links=1,servers=2"
FAR, NEAR = "fe-leaf-000", "fe-leaf-002"
SPINES = ("fe-spine-02", "fe-spine-03")
"""Those of the pod of NEAR."""
PORT = 7007
SECONDS = 2


class Seen(NamedTuple):
    """Packets: sent, arrived at the leaf, sent down to it by its spines, and up again by them."""

    sent: int
    arrived: int
    down: int
    up: int


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", INTENT, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        yield Running(folder, INTENT, make_lab(plan(INTENT), parse_subset(SUBSET)))
    finally:
        assert lab_verb("down", "--dir", folder).returncode == 0


def _loopback(lab: Running, name: str) -> str:
    loopback = next(row for row in lab.device(name).interfaces.loopbacks if row.number == 0)
    return loopback.ipv4.partition("/")[0]


@contextmanager
def _process(lab: Running, node: str, *words: object) -> Iterator[subprocess.Popen[str]]:
    command = place_of(lab.folder).space(node).enter(sys.executable, hops.__file__, *map(str, words))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            if words[0] != "send":
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def _result(process: subprocess.Popen[str]) -> object:
    return json.loads(process.communicate("", timeout=30)[0])


def _signal(lab: Running, number: signal.Signals) -> None:
    for device in lab.lab.devices:
        if device.role == "superspine":
            os.kill(daemon_pid(lab, device.name, "bgpd"), number)


def _ports(lab: Running, spine: str, role: str) -> set[str]:
    """Ports of a spine that lead down or up."""
    return {row.name for row in lab.device(spine).interfaces.ethernet if row.profile.role == role}


def _seen(lab: Running) -> Seen:
    """Packets from the other pod to NEAR while each of its links fails and comes back."""
    source, address = _loopback(lab, FAR), _loopback(lab, NEAR)
    with ExitStack() as stack:
        count = stack.enter_context(_process(lab, NEAR, "count", address, PORT))
        watches = {spine: stack.enter_context(_process(lab, spine, "watch", address, PORT)) for spine in SPINES}
        send = stack.enter_context(_process(lab, FAR, "send", source, address, PORT))
        time.sleep(SECONDS)
        for spine in SPINES:
            link = next(
                link.far.interface for link in lab.lab.links if (link.near.owner, link.far.owner) == (NEAR, spine)
            )
            _signal(lab, signal.SIGSTOP)
            try:
                lab.inside(spine, "ip", "link", "set", link, "down")
                time.sleep(SECONDS)
            finally:
                _signal(lab, signal.SIGCONT)
            time.sleep(SECONDS)
            lab.inside(spine, "ip", "link", "set", link, "up")
            time.sleep(3 * SECONDS)
        sent = _result(send)
        time.sleep(1)
        left = {spine: _result(watch) for spine, watch in watches.items()}
        arrived = _result(count)
    ways = {
        role: sum(left[spine].get(port, 0) for spine in SPINES for port in _ports(lab, spine, role))  # type: ignore[attr-defined]
        for role in ("downlink", "uplink")
    }
    return Seen(int(str(sent)), int(str(arrived)), ways["downlink"], ways["uplink"])


def test_no_packet_goes_up_again_while_links_fail(lab: Running) -> None:
    seen = _seen(lab)
    assert seen.up == 0, seen
    assert seen.sent > seen.arrived > seen.sent // 2, "some are lost while a link fails, most arrive"
    assert seen.down >= seen.arrived


def test_without_the_check_of_as_loops_packets_go_up_again(lab: Running) -> None:
    """A superspine sends a spine's route back to it; taken, it is what the spine falls back to."""
    for spine in SPINES:
        bgp = lab.device(spine).routing.bgp
        above = {row.group for row in bgp.neighbors if row.description.startswith("fe-super")}
        groups = [group.name for group in bgp.groups if group.name in above and "ipv4" in group.families]
        lines = [f"neighbor {name} allowas-in" for name in groups]
        lab.typed(spine, f"router bgp {bgp.asn}", "address-family ipv4 unicast", *lines)
    time.sleep(SECONDS)
    assert _seen(lab).up > 100
