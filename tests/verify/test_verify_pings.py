"""Which servers are pinged, few of them, and what answers and silence mean."""

from fabricgen.verify.finding import Unchecked
from fabricgen.verify.probe.pings import PAIRS, Ping, PingResult, ServerInterface, judge_pings, parts, pings
from tests.verify.sites import healthy


def host(server: str, leaf: str, tenant: str, *addresses: str, imports: tuple[str, ...] = ()) -> ServerInterface:
    return ServerInterface(server, "fe", leaf, "port 0", addresses, tenant, imports, "fe-leaf-000")


def rail(server: str, leaf: str, label: str, address: str, part: str = "be-leaf-000") -> ServerInterface:
    return ServerInterface(server, "be", leaf, label, (address,), part=part)


HOSTS = (
    host("a1", "l0", "red", "172.16.0.2/24", "fd00:16::2/64", imports=("shared",)),
    host("a2", "l1", "red", "172.16.0.3/24", "fd00:16::3/64", imports=("shared",)),
    host("b1", "l0", "blue", "172.20.0.2/24", imports=("shared",)),
    host("b2", "l0", "blue", "172.20.0.3/24", imports=("shared",)),
    host("s1", "l1", "shared", "172.30.0.2/24", imports=("blue", "red")),
    host("s1", "l0", "shared"),  # its second port stands by
)
RAILS = (
    rail("a1", "r0", "nic 0", "10.0.0.1/31"),
    rail("a1", "r1", "nic 1", "10.0.1.1/31"),
    rail("a2", "r0", "nic 0", "10.0.0.3/31"),
    rail("a2", "r1", "nic 1", "10.0.1.3/31"),
)


def ways(found: tuple[Ping, ...]) -> set[tuple[str, str, bool]]:
    return {(ping.source, ping.address, ping.must_pass) for ping in found}


def test_tenants() -> None:
    found = pings(HOSTS)
    assert ("172.16.0.2", "172.16.0.3", True) in ways(found)  # between leaves
    assert ("fd00:16::2", "fd00:16::3", True) in ways(found)
    assert ("172.20.0.2", "172.20.0.3", True) in ways(found)  # within a leaf
    assert ("172.16.0.2", "172.30.0.2", True) in ways(found)
    assert ("172.30.0.2", "172.16.0.2", True) in ways(found)  # an import holds both ways
    assert ("172.16.0.2", "172.20.0.2", False) in ways(found)
    assert ("172.20.0.2", "172.16.0.2", False) in ways(found)
    assert {ping.about for ping in found if not ping.must_pass} == {
        "tenant blue is isolated from red",
        "tenant red is isolated from blue",
    }
    assert len(found) == len(set(found)) == 9  # red 2 families; blue; six ordered pairs of tenants


def test_tenants_that_share_addresses_tell_nothing_about_each_other() -> None:
    same = (HOSTS[0], host("b9", "l1", "blue", "172.16.0.9/24"))
    assert pings(same) == ()
    mixed = (*same, host("b8", "l1", "blue", "172.20.0.8/24"))
    assert ("172.16.0.2", "172.20.0.8", False) in ways(pings(mixed))
    assert not [ping for ping in pings(mixed) if ping.address == "172.16.0.9" and not ping.must_pass]


def test_two_frontends_have_tenants_of_their_own() -> None:
    there = host("z1", "l0", "red", "172.16.0.9/24")._replace(fabric="fe2")
    assert pings((HOSTS[0], there)) == ()
    assert pings((HOSTS[2], there)) == ()


def test_an_import_on_one_side_is_enough() -> None:
    found = pings((host("a", "l0", "red", "172.16.0.2/24"), host("s", "l0", "x", "172.30.0.2/24", imports=("red",))))
    assert {ping.must_pass for ping in found} == {True}
    assert len(found) == 2


def test_rails() -> None:
    found = pings(RAILS)
    assert ways(found) == {
        ("10.0.0.1", "10.0.0.3", True),  # along rail 0, on its leaf
        ("10.0.1.1", "10.0.1.3", True),
        ("10.0.0.1", "10.0.1.3", True),  # between leaves, from rail to rail
    }


def test_no_server_pings_itself() -> None:
    assert all(ping.server != ping.target for ping in pings((*HOSTS, *RAILS)))
    assert pings((RAILS[0], RAILS[1])) == ()


def test_planes_are_apart() -> None:
    other = tuple(nic._replace(part="be-leaf-002", addresses=(f"10.9.{at}.1/31",)) for at, nic in enumerate(RAILS))
    found = pings((*RAILS, *other))
    assert [ping for ping in found if not ping.must_pass] == [
        Ping(
            "a1",
            "10.0.0.1",
            "a2",
            "10.9.2.1",
            False,
            ("be: the parts of be-leaf-000 and be-leaf-002 are isolated from each other"),
        )
    ]


def test_tenants_are_kept_from_the_backend() -> None:
    found = {ping for ping in pings((*HOSTS, *RAILS)) if ping.address.startswith("10.")}
    kept = {(ping.source, ping.target, ping.about) for ping in found if not ping.must_pass}
    assert kept == {
        ("172.16.0.2", "a2", "tenant red is isolated from be"),
        ("172.20.0.2", "a1", "tenant blue is isolated from be"),
        ("172.30.0.2", "a1", "tenant shared is isolated from be"),
    }


def test_their_number_does_not_grow_with_pairs() -> None:
    """A hundred leaves with eight servers each: 800 servers are 640,000 pairs."""
    many = [
        host(f"h{leaf}-{at}", f"l{leaf:03d}", "red", f"172.16.{leaf}.{at + 2}/16")
        for leaf in range(100)
        for at in range(8)
    ]
    found = pings(many)
    assert len(found) == 100 + 100  # each leaf with the next, and within each
    assert {ping.source.rpartition(".")[0] for ping in found} == {f"172.16.{leaf}" for leaf in range(100)}
    few = [nic for nic in many if nic.leaf < "l016"]
    assert len(pings(few)) == PAIRS + 16


def test_parts_of_a_site() -> None:
    assert parts(healthy()) == {
        **{f"be-leaf-{at:03d}": "be-leaf-000" for at in range(4)},
        **{f"fe-leaf-{at:03d}": "fe-border-00" for at in range(4)},
        **{f"fe-border-{at:02d}": "fe-border-00" for at in range(2)},
    }


def test_parts_without_a_common_spine_are_apart() -> None:
    """Half of the leaves on each spine: two planes."""
    some = tuple(
        device
        for device in healthy()
        if device.name in ("be-leaf-000", "be-leaf-001", "be-spine-00", "fe-leaf-000", "fe-spine-00")
    )
    assert set(parts(some).values()) == {"be-leaf-000", "fe-leaf-000"}


PASS = Ping("a1", "172.16.0.2", "a2", "172.16.0.3", True, "tenant red between l0 and l1")
ALIVE = Ping("b1", "172.20.0.2", "b2", "172.20.0.3", True, "tenant blue within l0")
KEPT = Ping("a1", "172.16.0.2", "b1", "172.20.0.2", False, "tenant red is isolated from blue")
GOOD = {PASS: PingResult(3, 3), ALIVE: PingResult(3, 3), KEPT: PingResult(3, 0)}


def test_all_as_planned() -> None:
    found = judge_pings(GOOD)
    assert [(verdict.device, verdict.passed) for verdict in found] == [("a1", (("pings", 2),)), ("b1", (("pings", 1),))]
    assert all(not verdict.findings and not verdict.unchecked for verdict in found)


def test_each_fault_is_found() -> None:
    cases = {
        PASS: (PingResult(3, 0), "ping-lost", "does not pass", "3 answers", "0 of 3 answers"),
        ALIVE: (PingResult(3, 2), "ping-loss", "loses packets", "3 answers", "2 of 3 answers"),
        KEPT: (PingResult(3, 1), "ping-leak", "passes, but must not", "no answer", "1 of 3 answers"),
    }
    for ping, (answer, code, problem, expected, actual) in cases.items():
        (finding,) = (f for verdict in judge_pings({**GOOD, ping: answer}) for f in verdict.findings)
        assert (finding.code, finding.problem, finding.expected, finding.actual) == (code, problem, expected, actual)
        assert finding.device == ping.server
        assert finding.check == "pings"
        assert "" not in finding[:7]
        assert finding.subject == f"ping {ping.source} to {ping.address} of {ping.target} ({ping.about})"


def test_silence_of_the_dead_shows_no_isolation() -> None:
    (verdict,) = judge_pings({PASS: PingResult(3, 3), KEPT: PingResult(3, 0)})
    assert verdict.passed == (("pings", 1),)
    assert verdict.unchecked == (
        Unchecked(
            "a1",
            "pings",
            ("172.16.0.2 or 172.20.0.2 does not respond to any ping, so a missing answer between them proves nothing"),
        ),
    )


def test_a_server_that_lost_its_pings_is_not_shown_to_live() -> None:
    found = {verdict.device: verdict for verdict in judge_pings({**GOOD, ALIVE: PingResult(3, 0)})}
    assert [one.code for one in found["b1"].findings] == ["ping-lost"]
    assert len(found["a1"].unchecked) == 1
    assert found["a1"].passed == (("pings", 1),)


def test_a_ping_that_was_not_tried_passes_nothing() -> None:
    (verdict,) = judge_pings({PASS: PingResult(0, 0, "no such namespace")})
    assert verdict.passed == ()
    assert verdict.findings == ()
    assert verdict.unchecked[0].reason == "172.16.0.2 to 172.16.0.3 was not tried: no such namespace"


def test_every_address_that_must_be_kept_away_is_shown_to_live() -> None:
    """Each ping that must not pass goes to and from an address that another ping shows to answer."""
    found = pings((*HOSTS, *RAILS))
    alive = {address for ping in found if ping.must_pass for address in (ping.source, ping.address)}
    assert {address for ping in found if not ping.must_pass for address in (ping.source, ping.address)} <= alive
