"""What hosts and managers try on switches of a lab: each attempt is refused, and answered once the filter is gone.

The switches are FRR on Linux with a real sshd; the filter is that of their rendered files. GPU servers of a backend
are in the routing instance of the switches themselves, so the filter alone is between them and the daemons.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.device.device import Device
from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import run
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab import probes
from tests.lab.sites import INVENTORIES, available, lab_verb, remains
from tests.napalm_frr import switches

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=1,leaves=2,spines=1,links=1,servers=2"
HOST, PEER, LEAF, OTHER, SPINE = "train-000", "train-001", "be-leaf-000", "be-leaf-001", "be-spine-00"
INSIDE, OUTSIDE = "10.0.0.7", "10.0.0.250"
"""Managers on the out-of-band network: one of the sources that the intent lists, one that is not."""

SERVICES = (
    ("tcp", 22),  # a real sshd on the leaf
    ("tcp", 179),  # bgpd, which no host may speak to
    ("tcp", 443),
    ("tcp", 830),  # NETCONF
    ("udp", 123),
    ("udp", 161),  # SNMP
    ("udp", 3784),  # BFD
    ("udp", 4789),  # VXLAN
)
"""Protocol and port of what a host tries."""
TARGETS = ("leaf port", "leaf loopback", "leaf uplink", "spine loopback", "spine link", "other leaf")
OF_MANAGERS = (
    ("outside", "tcp", 22),
    ("outside", "tcp", 443),
    ("outside", "udp", 161),
    ("inside", "tcp", 443),
    ("inside", "tcp", 830),
    ("inside", "tcp", 179),
    ("inside", "udp", 161),
    ("inside over IPv6", "tcp", 22),
    ("inside over IPv6", "tcp", 179),
)
"""Manager, protocol and port of what must not answer at the management address."""


class Site(NamedTuple):
    """A lab of the backend that stands, with a manager's host on the management port of a leaf."""

    folder: Path
    lab: Lab
    manager: str

    def device(self, name: str) -> Device:
        """A switch."""
        return next(row for row in self.lab.devices if row.name == name)

    def asked(self, rows: list[tuple[str, str, str, int]]) -> list[bool]:
        """Whether each was answered, asked by a server of the lab."""
        words = [sys.executable, probes.__file__, json.dumps(rows)]
        found: list[bool] = json.loads(run(self.folder, HOST, words).stdout)
        return found

    def asked_by_manager(self, rows: list[tuple[str, str, str, int]]) -> list[bool]:
        """Whether each was answered, asked by the manager's host."""
        words = ["ip", "netns", "exec", self.manager, sys.executable, probes.__file__, json.dumps(rows)]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=120)
        found: list[bool] = json.loads(done.stdout)
        return found


def intent() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((INVENTORIES / "frr/intent.yaml").read_text())
    del found["fabrics"]["frontend"], found["tenants"], found["servers"]["store"]
    found["management"]["access"] = {"sources": ["10.0.0.0/28"]}
    return found


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    path = folder.parent / "intent.yaml"
    path.write_text(yaml.safe_dump(intent()))
    try:
        done = lab_verb("up", path, "--subset", SUBSET, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        lab = make_lab(open_workspace(path).plan, parse_subset(SUBSET))
        with managed(folder, lab) as manager:
            found = Site(folder, lab, manager)
            for device in lab.devices:
                # Else Linux answers a host that asks much only now and then (icmp(7), icmp_ratelimit).
                for family in ("ipv4.icmp_ratelimit", "ipv6.icmp.ratelimit"):
                    run(folder, device.name, ["sysctl", "-qw", f"net.{family}=0"])
            yield found
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


@contextmanager
def managed(folder: Path, lab: Lab) -> Iterator[str]:
    """A host on the management port of the leaf, and an sshd in it; the name of the host's namespace."""
    place = place_of(folder)
    device = next(row for row in lab.devices if row.name == LEAF)
    leaf, manager, port = place.space(LEAF), f"{place.prefix}manager", device.management.port
    with ExitStack() as stack, switches.sshd_files() as files:
        _ip("netns", "add", manager)
        stack.callback(_ip, "netns", "delete", manager)
        # A lab may have made the port already, without a cable.
        run(folder, LEAF, ["sh", "-c", f"ip link delete {port} 2>/dev/null; true"])
        _ip("link", "add", port, "netns", leaf.netns, "type", "veth", "peer", "name", "eth0", "netns", manager)
        run(folder, LEAF, ["ip", "address", "add", device.management.address, "dev", port])
        run(folder, LEAF, ["ip", "link", "set", port, "up"])
        _ip("-n", manager, "link", "set", "eth0", "up")
        for own in (INSIDE, OUTSIDE):
            _ip("-n", manager, "address", "add", f"{own}/24", "dev", "eth0")
        # A switch of a lab has a /run of its own, without the folder that Debian's unit makes.
        start = 'mkdir -p -m 755 /run/sshd && exec /usr/sbin/sshd -D -e -f "$0"'
        words = leaf.enter("sh", "-c", start, str(files / "config"))
        with (files / "log").open("wb") as log:
            daemon = subprocess.Popen(words, stdout=log, stderr=log)
        stack.callback(switches.stop, daemon)
        becomes(True, lambda: "Server listening" in (files / "log").read_text())
        yield manager


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, timeout=60)


def close(site: Site) -> None:
    """Run the commands of each switch's rendered file, as ifupdown2 joins their lines (networkinterfaces.py)."""
    for device in site.lab.devices:
        text = (place_of(site.folder).files(device.name) / "interfaces").read_text()
        joined = "".join(part.strip(" \t\n") if at else part for at, part in enumerate(text.split("\\\n")))
        (command,) = [line.strip().removeprefix("pre-up ") for line in joined.splitlines() if "pre-up nft" in line]
        done = run(site.folder, device.name, ["sh", "-c", command])
        assert (done.returncode, done.stderr) == (0, "")


def open_up(site: Site) -> None:
    for device in site.lab.devices:
        run(site.folder, device.name, ["nft", "delete", "table", "inet", "fabricgen"])


def addresses(site: Site) -> dict[str, str]:
    """Target → its IPv4 address."""
    nic = next(nic for row in site.lab.servers if row.name == HOST for nic in row.nics if nic.switch == LEAF)
    uplinks = {name: _ports(site.device(name), far) for name, far in ((LEAF, SPINE), (SPINE, LEAF))}
    return {
        "leaf port": nic.gateway4,
        "leaf loopback": _loopback(site.device(LEAF)),
        "leaf uplink": uplinks[LEAF],
        "spine loopback": _loopback(site.device(SPINE)),
        "spine link": uplinks[SPINE],
        "other leaf": _loopback(site.device(OTHER)),
    }


def _loopback(device: Device) -> str:
    return next(row.ipv4.partition("/")[0] for row in device.interfaces.loopbacks if row.ipv4)


def _ports(device: Device, far: str) -> str:
    return next(row.ipv4.partition("/")[0] for row in device.interfaces.ethernet if row.peer == far and row.ipv4)


def attempts(site: Site) -> dict[str, bool]:
    """Each attempt of the GPU server and of the managers → whether anything answered."""
    own = next(nic for row in site.lab.servers if row.name == HOST for nic in row.nics if nic.switch == LEAF)
    here, there = own.ipv4.partition("/")[0], addresses(site)
    rows = [
        (f"{HOST} to {name}: {kind}/{port}", (kind, here, there[name], port))
        for name in TARGETS
        for kind, port in SERVICES
    ]
    found = dict(zip([name for name, _ in rows], site.asked([row for _, row in rows]), strict=True))
    leaf = site.device(LEAF).management
    link_local = json.loads(run(site.folder, LEAF, ["ip", "-j", "-6", "address", "show", "dev", leaf.port]).stdout)
    six = next(row["local"] for one in link_local for row in one["addr_info"] if row["scope"] == "link")
    ends = {
        "outside": (OUTSIDE, leaf.address.partition("/")[0]),
        "inside": (INSIDE, leaf.address.partition("/")[0]),
        "inside over IPv6": ("", f"{six}%eth0"),
    }
    asked = site.asked_by_manager([(kind, *ends[who], port) for who, kind, port in OF_MANAGERS])
    names = [f"manager {who}: {kind}/{port}" for who, kind, port in OF_MANAGERS]
    return found | dict(zip(names, asked, strict=True))


def sessions(site: Site) -> set[tuple[str, str, int, int]]:
    """Established sessions of all switches, with both TCP ports: one that was set up again has another."""
    return {
        (device.name, peer, row["portLocal"], row["portForeign"])
        for device in site.lab.devices
        for peer, row in json.loads(
            run(site.folder, device.name, ["vtysh", "-c", "show bgp neighbors json"]).stdout
        ).items()
        if row["bgpState"] == "Established"
    }


def reaches(site: Site, target: str) -> bool:
    return run(site.folder, HOST, ["ping", "-n", "-c", "2", "-i", "0.3", "-W", "2", target]).returncode == 0


def test_attempts_are_refused_and_answered_without_the_filter(site: Site) -> None:
    before = sessions(site)
    close(site)
    refused = attempts(site)
    # What the fabric is for goes on: sessions, servers, diagnosis, and the manager whom the intent lists.
    assert sessions(site) == before
    assert len(before) > 3
    far = next(nic for row in site.lab.servers if row.name == PEER for nic in row.nics if nic.switch == OTHER)
    assert reaches(site, far.ipv4.partition("/")[0])
    assert reaches(site, addresses(site)["spine loopback"])
    leaf = site.device(LEAF).management.address.partition("/")[0]
    assert site.asked_by_manager([("tcp", INSIDE, leaf, 22)]) == [True]
    assert "\n".join(name for name, found in refused.items() if found) == ""
    assert len(refused) == 57
    run(site.folder, LEAF, ["vtysh", "-c", "clear bgp *"])
    becomes(len(before), lambda: len(sessions(site)))
    for name in ("spine loopback", "other leaf"):
        becomes(True, reaches, site, addresses(site)[name])

    open_up(site)
    answered = attempts(site)
    assert "\n".join(name for name, found in answered.items() if not found) == ""
