"""The lines of a drain in a lab with traffic: leaves see the community, ports fall quiet, and no packet is lost."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event

import pytest
import yaml
from napalm import get_network_driver

from fabricgen.device.device import Device
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.push.prove.idle_ports import LIMIT_BPS, POLLS, Bounds, QuietResult, drained_ports, peers_of, wait_quiet
from fabricgen.push.switch.switch import Octets
from fabricgen.site.workspace import open_workspace
from napalm_frr import FRRDriver
from tests.frr.waiting import becomes
from tests.lab.sites import available
from tests.lab.test_drain_live import LEAVES, SPINES, SUBSET, Site, _over, _replace, _sessions, _texts, _traffic, site

__all__ = ("site",)

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SPINE, OTHER = SPINES
WATCHED = Bounds(interval=1.0, seconds=40)
BUSY = Bounds(interval=1.0, seconds=8)
"""Long enough for POLLS intervals to be quiet, twice over."""


@contextmanager
def _driver(site: Site, switch: str) -> Iterator[FRRDriver]:
    hosts = yaml.safe_load((site.folder / "inventory/hosts.yaml").read_text())
    arguments = hosts[switch]["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver(hosts[switch]["platform"])(switch, "", "", optional_args=arguments) as driver:
        yield driver


def _drained(site: Site, switch: str) -> Device:
    """A switch, drained; its text is _texts' of the same intent."""
    path = site.intent.with_name("drained.yaml")
    overrides = {"overrides": {switch: {"state": "drained"}}}
    path.write_text(yaml.safe_dump(yaml.safe_load(site.intent.read_text()) | overrides))
    lab = make_lab(open_workspace(path).plan, parse_subset(SUBSET))
    return next(device for device in lab.devices if device.name == switch)


def _merge(site: Site, device: Device) -> None:
    """Drain what runs, as a push does."""
    with _driver(site, device.name) as driver:
        driver.load_merge_candidate(config=frr_drain.drain(device, driver.get_config("running")["running"]))
        assert driver.compare_config()
        driver.commit_config()


def _seen(site: Site, switches: Iterable[str] = LEAVES) -> dict[str, frozenset[str]]:
    """From whom each switch has routes with the community, asked as a push asks."""
    found = {}
    for name in switches:
        with _driver(site, name) as driver:
            said = driver.cli([read.command for read in frr_drain.SIGNS], encoding="json")
        found[name] = frr_drain.draining_peers({command: Output(value) for command, value in said.items()})
    return found


def _waited(site: Site, switch: str, ports: Mapping[str, str], bounds: Bounds) -> QuietResult:
    with _driver(site, switch) as driver:

        def read() -> Mapping[str, Octets]:
            counters = driver.get_interfaces_counters().items()
            return {name: Octets(row["rx_octets"], row["tx_octets"]) for name, row in counters}

        return wait_quiet(read, ports, Event(), bounds)


def _is_loud(found: QuietResult) -> None:
    """Never quiet, and by what passes: each rate is known."""
    assert not found.quiet
    assert found.polls > POLLS
    assert all(rate is not None and rate > LIMIT_BPS for rate in found.rates.values()), found.rates


def _is_quiet(found: QuietResult) -> None:
    assert found.quiet, found
    assert all(rate is not None and rate < LIMIT_BPS for rate in found.rates.values()), found.rates


def test_a_drain_is_seen_empties_the_ports_and_loses_nothing(site: Site) -> None:
    device, healthy = _drained(site, SPINE), _texts(site, {})[SPINE]
    ports = drained_ports(device)
    assert sorted(ports.values()) == sorted(LEAVES)
    before = _sessions(site)
    with _traffic(site):
        _is_loud(_waited(site, SPINE, ports, BUSY))
        assert _seen(site) == dict.fromkeys(LEAVES, frozenset())
        _merge(site, device)
        assert not _replace(site, SPINE, _texts(site, {SPINE: "drained"})[SPINE])
        becomes(dict(peers_of(device)), _seen, site)
        _is_quiet(_waited(site, SPINE, ports, WATCHED))
        _over(site, OTHER)
        _is_loud(_waited(site, OTHER, ports, BUSY))  # laid out as the first: the same ports
        assert _replace(site, SPINE, healthy)
        _over(site, *SPINES)
        becomes(dict.fromkeys(LEAVES, frozenset()), _seen, site)
        _is_loud(_waited(site, SPINE, ports, BUSY))
    assert _sessions(site) == before


def test_a_drained_leaf_is_seen_by_its_spines(site: Site) -> None:
    """Nothing else leads to what is behind it, so its ports stay as they are, and nothing is lost."""
    device, healthy = _drained(site, LEAVES[0]), _texts(site, {})[LEAVES[0]]
    before = _sessions(site)
    with _traffic(site):
        assert _seen(site, SPINES) == dict.fromkeys(SPINES, frozenset())
        _merge(site, device)
        assert peers_of(device).keys() == set(SPINES)
        becomes(dict(peers_of(device)), _seen, site, SPINES)
        _is_loud(_waited(site, LEAVES[0], drained_ports(device), BUSY))
        assert _replace(site, LEAVES[0], healthy)
        becomes(dict.fromkeys(SPINES, frozenset()), _seen, site, SPINES)
    assert _sessions(site) == before
