"""Which ports a drain empties and who sees it, rates of counters, and when ports are quiet."""

from collections.abc import Callable, Iterable, Mapping
from ipaddress import ip_interface
from threading import Event

import pytest

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.push.prove import idle_ports as quiet
from fabricgen.push.prove.idle_ports import (
    Bounds,
    IdleMeter,
    QuietResult,
    drained_ports,
    drained_sessions,
    peers_of,
    rates,
    wait_quiet,
)
from fabricgen.push.switch.switch import Octets, SwitchError
from fabricgen.resolve.device import devices
from tests.frr.site import single_homed

SPINE, LEAF, OVERLAID = "be-spine-00", "be-leaf-000", "fe-spine-00"
LINK = PortKey(SPINE, "swp1s0")
"""To the first leaf; at the leaf's end it has another name."""


@pytest.fixture(scope="module")
def fleet() -> Callable[[Exceptions], Mapping[str, Device]]:
    """Devices of the small site with such exceptions."""

    def made(exceptions: Exceptions) -> Mapping[str, Device]:
        intent, catalog = single_homed(), load_catalog(None)
        plan: Plan = make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), exceptions)
        return {device.name: device for device in devices(plan)}

    return made


Fleet = Callable[[Exceptions], Mapping[str, Device]]


@pytest.fixture(scope="module")
def drained(fleet: Fleet) -> Mapping[str, Device]:
    """A spine of each fabric drained."""
    return fleet(Exceptions(devices={SPINE: "drained", OVERLAID: "drained"}))


@pytest.mark.parametrize("name", [SPINE, OVERLAID])
def test_a_drained_spine_empties_each_port_to_a_leaf(drained: Mapping[str, Device], name: str) -> None:
    device = drained[name]
    wanted = {row.name: row.peer for row in device.interfaces.ethernet if row.profile.role == "downlink" and row.peer}
    assert wanted
    assert drained_ports(device) == wanted


def test_what_a_peer_calls_the_session_is_its_neighbor(drained: Mapping[str, Device]) -> None:
    """Both ends of each session, each by its own Device; those of the overlay, between loopbacks, are none of them."""
    spine = drained[OVERLAID]
    found = drained_sessions(spine)
    assert {row.own for row in found}.isdisjoint(
        loopback.ipv4.partition("/")[0] for loopback in spine.interfaces.loopbacks
    )
    assert {(row.peer, row.far) for row in found} == {
        (leaf.name, address)
        for leaf in drained.values()
        for port in leaf.interfaces.ethernet
        if port.peer == OVERLAID
        for text in (port.ipv4, port.ipv6)
        if text and (address := str(ip_interface(text).ip))
    }
    for row in found:
        neighbor = next(one for one in drained[row.peer].routing.bgp.neighbors if one.address == row.own)
        assert neighbor.description == f"{OVERLAID} {row.port}"


def test_each_peer_must_see_both_families(drained: Mapping[str, Device]) -> None:
    found = peers_of(drained[SPINE])
    assert found.keys() == set(drained_ports(drained[SPINE]).values())
    for peer, addresses in found.items():
        assert {":" in address for address in addresses} == {True, False}
        assert addresses <= {row.address for row in drained[peer].routing.bgp.neighbors}


def test_a_switch_that_is_not_drained_empties_nothing(drained: Mapping[str, Device]) -> None:
    assert drained_sessions(drained[LEAF]) == ()
    assert peers_of(drained[LEAF]) == {}


def test_a_session_that_does_not_stand_is_left_out(drained: Mapping[str, Device]) -> None:
    spine = drained[SPINE]
    first, *others = drained_sessions(spine)
    up = {row.far for row in others if row.port != first.port}
    assert first.port not in drained_ports(spine, up)
    assert first.own not in {address for addresses in peers_of(spine, up).values() for address in addresses}
    assert drained_ports(spine, ()) == {}
    assert peers_of(spine, up).keys() == set(drained_ports(spine, up).values())


def test_a_family_without_a_prefix_of_its_own_tells_nothing(drained: Mapping[str, Device]) -> None:
    """A switch that originates nothing in a family may send no route there, so no peer need ever show one."""
    spine = drained[SPINE]
    bgp = spine.routing.bgp._replace(networks_ipv6=())
    mute = spine._replace(routing=spine.routing._replace(bgp=bgp))
    assert drained_ports(mute) == drained_ports(spine)
    assert not any(":" in address for addresses in peers_of(mute).values() for address in addresses)


def test_a_drained_link_is_one_port(fleet: Fleet) -> None:
    """Both ends drain it."""
    found = fleet(Exceptions(ports={LINK: "drained"}))
    (port,) = (row for row in found[SPINE].interfaces.ethernet if row.name == LINK.port)
    assert drained_ports(found[SPINE]) == {LINK.port: port.peer}
    assert drained_ports(found[port.peer]) == {port.peer_port: SPINE}
    assert drained_ports(found[OVERLAID]) == {}


def test_rates_are_bits_of_the_busier_direction() -> None:
    before = {"swp1": Octets(1000, 5000), "swp2": Octets(0, 0)}
    after = {"swp1": Octets(2000, 5500), "swp2": Octets(0, 250)}
    assert rates(before, after, 2) == {"swp1": 4000, "swp2": 1000}


@pytest.mark.parametrize(
    ("before", "after", "seconds"),
    [
        (Octets(1000, 1000), Octets(999, 2000), 2.0),  # received was cleared
        (Octets(1000, 1000), Octets(2000, 0), 2.0),  # sent was cleared
        (Octets(1000, 1000), None, 2.0),  # the port is gone
        (None, Octets(1000, 1000), 2.0),  # it has just come
        (Octets(-1, -1), Octets(-1, -1), 2.0),  # NAPALM: unknown
        (Octets(-1, 5), Octets(10, 5), 2.0),
        (Octets(1000, 1000), Octets(1000, 1000), 0.0),  # no time has gone by
        (Octets(1000, 1000), Octets(1000, 1000), -1.0),
    ],
)
def test_what_is_not_known_is_no_rate(before: Octets | None, after: Octets | None, seconds: float) -> None:
    found = rates({"swp1": before} if before else {}, {"swp1": after} if after else {}, seconds)
    assert found == {"swp1": None}


def _fed(samples: Iterable[tuple[int, int] | None], polls: int = 2, refresh: float = 0) -> IdleMeter:
    """Two ports, a sample each second: octets received by both; None: the second is missing. Limit 1000 bit/s."""
    state = IdleMeter(ports=frozenset({"swp1", "swp2"}), bounds=Bounds(1000, polls, refresh=refresh))
    for at, sample in enumerate(samples):
        first, second = sample or (0, -1)
        counters = {"swp1": Octets(first, 0), "swp2": Octets(second, 0), "swp3": Octets(at * 10**9, 0)}
        if sample is None:
            del counters["swp2"]
        state = state.fed(float(at), counters)
    return state


def test_quiet_when_each_port_is_below_the_limit_so_often_in_a_row() -> None:
    assert not _fed([(0, 0)]).quiet
    assert not _fed([(0, 0), (124, 124)]).quiet
    state = _fed([(0, 0), (124, 124), (248, 248)])  # 992 bit/s; swp3, full, is not watched
    assert (state.quiet, state.row, state.polls) == (True, 2, 2)
    assert state.rates == {"swp1": 992, "swp2": 992}


def test_the_limit_itself_is_not_below_it() -> None:
    assert not _fed([(0, 0), (125, 0), (250, 0)]).quiet


def test_one_busy_interval_or_port_begins_the_row_anew() -> None:
    assert not _fed([(0, 0), (0, 0), (0, 9999), (0, 9999)]).quiet
    assert _fed([(0, 0), (0, 0), (0, 9999), (0, 9999), (0, 9999)]).quiet
    assert not _fed([(0, 0), (0, 10**6), (0, 2 * 10**6)]).quiet


def test_what_is_unknown_is_not_quiet() -> None:
    assert not _fed([(0, 0), None, None, None]).quiet
    assert not _fed([(9999, 0), (9999, 0), (0, 0), (0, 0)]).quiet  # cleared in between
    assert not IdleMeter(ports=frozenset(), bounds=Bounds(1000, 0)).fed(0, {}).quiet


def test_counters_that_stand_still_are_not_quiet_before_they_must_have_moved() -> None:
    """Software that fills them every 4 s: three intervals of nothing, on ports that carry 8 Mbit/s."""
    slow = [(0, 0)] * 4 + [(4 * 10**6, 4 * 10**6)] * 4 + [(8 * 10**6, 8 * 10**6)]
    for length in range(2, len(slow) + 1):
        assert not _fed(slow[:length], polls=3, refresh=5).quiet
    still = [(7, 7)] * 6
    assert not _fed(still[:5], polls=3, refresh=5).quiet
    assert _fed(still, polls=3, refresh=5).quiet


def test_counters_that_move_a_little_are_quiet_at_once() -> None:
    """Each port's own; what moved before the row began counts no more."""
    assert _fed([(0, 0), (9, 0), (9, 9), (9, 9)], polls=3, refresh=99).quiet
    assert not _fed([(0, 0), (9, 0), (9, 0), (9, 0)], polls=3, refresh=99).quiet
    assert not _fed([(0, 0), (9, 9), (9999, 9), (9999, 9), (9999, 9), (9999, 9)], polls=3, refresh=99).quiet


class Clock:
    """Time that goes by while somebody sleeps, and counters that grow by it."""

    def __init__(self, *bits: int, stop_at: float | None = None) -> None:
        self.now, self.total, self.bits, self.stop_at = 100.0, 0, list(bits), stop_at
        self.stop = Event()

    def sleep(self, seconds: float) -> None:
        """Let it go by; the rate of the next interval is the next, the last one stays."""
        rate = self.bits.pop(0) if len(self.bits) > 1 else self.bits[0]
        self.now += seconds
        self.total += round(rate * seconds / 8)
        if self.stop_at is not None and self.now >= self.stop_at:
            self.stop.set()

    def read(self) -> Mapping[str, Octets]:
        """Counters of the one port, which are alive."""
        return {"swp1": Octets(self.total, 7)}

    def wait(self, ports: Iterable[str] = ("swp1",), bounds: Bounds = Bounds(1000, 3, 2, 60)) -> QuietResult:  # noqa: B008
        """Wait with this clock."""
        return wait_quiet(self.read, tuple(ports), self.stop, bounds, lambda: self.now, self.sleep)


def test_waiting_ends_when_it_is_quiet() -> None:
    found = Clock(80_000, 80_000, 800).wait()
    assert found == QuietResult(quiet=True, rates={"swp1": 800}, polls=5, seconds=10)


def test_waiting_ends_with_its_time() -> None:
    found = Clock(80_000).wait()
    assert found == QuietResult(quiet=False, rates={"swp1": 80_000}, polls=30, seconds=60)


def test_waiting_ends_when_it_is_told_to() -> None:
    found = Clock(80_000, stop_at=105).wait()
    assert (found.quiet, found.polls) == (False, 3)


def test_no_ports_are_not_quiet_and_not_waited_for() -> None:
    assert Clock(0).wait(()) == QuietResult(quiet=False, rates={}, polls=0, seconds=0)


def test_a_switch_that_is_lost_is_its_callers() -> None:
    def lost() -> Mapping[str, Octets]:
        raise SwitchError("lost", "it went away")

    with pytest.raises(SwitchError, match="went away"):
        wait_quiet(lost, ("swp1",), Event())


class Stop(Event):
    """Set by somebody while it is waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        """Note it, and be set."""
        self.waited.append(timeout)
        self.set()
        return True


def test_a_stop_ends_the_pause_itself() -> None:
    stop = Stop()
    found = wait_quiet(lambda: {"swp1": Octets(0, 0)}, ("swp1",), stop, Bounds(1000, 3, 0.2, 0.5))
    assert (found.quiet, found.polls, stop.waited) == (False, 1, [0.2])


def test_the_limit_leaves_room_for_what_stays() -> None:
    """RFC 5880 section 6.8.7 and 300 ms; RFC 4271 keepalives each 3 s; octets on Ethernet without its checksum."""
    bfd = sum(octets * 8 / (0.3 * 0.75) for octets in (14 + 20 + 8 + 24, 14 + 40 + 8 + 24))
    segment = 20 + 12  # TCP and its time stamps
    bgp = sum((2 * (14 + ip + segment) + 19) * 8 / 3 for ip in (20, 40))
    overlay = (14 + 20 + 8 + 24) * 8 / 0.225 + (2 * (14 + 20 + segment) + 19) * 8 / 3
    assert bfd + bgp + overlay < 10_000
    assert 10 * (bfd + bgp + overlay) <= quiet.LIMIT_BPS
    assert quiet.POLLS * quiet.INTERVAL < quiet.SECONDS
