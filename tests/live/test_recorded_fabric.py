"""Recorded EOS switches, read by NAPALM's own driver and judged against what their own configurations say."""

from collections.abc import Mapping

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live.reader import EOS, INTERFACES, RUNNING
from fabricgen.state.state import State
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.device import judge
from tests.live.recorded import FABRIC, PAIR, UNNUMBERED, Recording, collected, recordings, sanitized
from tests.live.recorded_expected import expected
from tests.live.running_config import read

STARTUP = ("drift", "the startup configuration of EOS is not read: a push saves what it confirms")
DEVIATIONS = {
    "DC1-LEAF2A": ("Port-Channel6", "Port-Channel7", "Port-Channel10", "Port-Channel11"),
    "DC1-LEAF2B": ("Port-Channel6", "Port-Channel7", "Port-Channel10", "Port-Channel11"),
    "DC1-SVC3A": ("Port-Channel5", "Port-Channel10", "Port-Channel11"),
    "DC1-SVC3B": ("Port-Channel5", "Port-Channel10", "Port-Channel11"),
}
"""Where a recorded switch is not what its configuration says: bundles towards servers that the lab had not.

`show interfaces` has them as `notconnect` and `lowerLayerDown`, without members, though their ports are connected.
"""


def states(site: str) -> dict[str, State]:
    return {name: EOS.state(collected(one, EOS.reads(())), {}) for name, one in recordings(site).items()}


def verdicts(found: Mapping[str, Recording], shown: Mapping[str, State]) -> dict[str, SwitchVerdict]:
    wanted = expected({name: one.running for name, one in found.items()})
    return {name: judge(wanted[name], shown[name], EOS.drift) for name in found}


@pytest.fixture(scope="module")
def fabric() -> dict[str, SwitchVerdict]:
    return verdicts(recordings(FABRIC), states(FABRIC))


def test_nine_switches_are_what_their_configurations_say(fabric: dict[str, SwitchVerdict]) -> None:
    assert len(fabric) == 9
    assert {
        name: tuple(found.subject for found in verdict.findings) for name, verdict in fabric.items() if verdict.findings
    } == DEVIATIONS
    assert {found.code for verdict in fabric.values() for found in verdict.findings} == {"interface-down"}


def test_nothing_but_bfd_is_left_unjudged(fabric: dict[str, SwitchVerdict]) -> None:
    """`show bfd peers` was not recorded: not checkable, and told so."""
    for verdict in fabric.values():
        assert [(one.check, one.reason) for one in verdict.unchecked] == [
            ("bfd", "show bfd peers: the switch refused it"),
            STARTUP,
        ]


@pytest.mark.parametrize(
    ("name", "passed"),
    [
        # neighbors counted in the configurations by hand, and every prefix of the recorded tables
        ("DC1-LEAF2A", {"sessions": 9 + 2, "routes": 73}),
        ("DC1-SPINE1", {"sessions": 14 + 2, "routes": 40}),
    ],
)
def test_as_much_is_compared_as_there_is(
    fabric: dict[str, SwitchVerdict], name: str, passed: Mapping[str, int]
) -> None:
    """Sessions: each neighbor, router id and AS number."""
    found = dict(fabric[name].passed)
    assert {check: found[check] for check in passed} == passed
    recorded = recordings(FABRIC)[name].objects["show ip route vrf all"]
    assert isinstance(recorded, dict)
    assert passed["routes"] == sum(len(row["routes"]) for row in recorded["vrfs"].values())
    assert all(found[check] for check in ("interfaces", "mtu", "addresses", "evpn", "drift"))


def test_a_pair_with_sessions_over_addresses_is_clean() -> None:
    for verdict in verdicts(recordings(PAIR), states(PAIR)).values():
        assert not verdict.findings
        assert [(one.check, one.reason) for one in verdict.unchecked] == [STARTUP]


def test_capabilities_of_the_newer_release_are_read() -> None:
    """4.36 lists capabilities, 4.23 does not; of a session, IPv4 is negotiated and one prefix received."""
    bgp = states(PAIR)["r1"].bgp
    assert bgp is not None
    assert (bgp.asn, bgp.router_id) == (65001, "1.1.1.1")
    assert [(one.peer, one.remote_as, one.state, one.families) for one in bgp.sessions] == [
        ("10.0.0.1", 65002, "Established", (("ipv4", 1),))
    ]


def test_sessions_over_link_local_addresses_are_not_said_to_be_missing() -> None:
    """The recorded list of IPv4 peers is empty though two sessions are up: not checkable, and no finding.

    The routes over both links are in the forwarding table.
    """
    shown = states(UNNUMBERED)
    assert {state.bgp for state in shown.values()} == {None}
    found = verdicts(recordings(UNNUMBERED), shown)
    for verdict in found.values():
        assert not verdict.findings
        assert [one.check for one in verdict.unchecked] == ["sessions", "drift"]
    leaf = {route.prefix: route for route in shown["leaf"].routes or ()}
    assert {hop.interface for hop in leaf["10.0.0.1/32"].hops} == {"Ethernet1", "Ethernet2"}


def test_ipv6_addresses_of_the_newer_release() -> None:
    """`show interfaces` of 4.36 has them; `show ipv6 interface` was not recorded."""
    interfaces = {one.name: one for one in states(PAIR)["r1"].interfaces or ()}
    assert interfaces["Management0"].addresses == ("172.20.20.3/24", "3fff:172:20:20::3/64")


def test_only_routed_interfaces_say_an_ip_mtu() -> None:
    """A bridged port says 9214, the size of its frames; so do the members of a bundle."""
    interfaces = {one.name: one.mtu for one in states(FABRIC)["DC1-LEAF2A"].interfaces or ()}
    recorded = recordings(FABRIC)["DC1-LEAF2A"].objects[INTERFACES]
    assert isinstance(recorded, dict)
    shown = recorded["interfaces"]
    assert [shown[name]["mtu"] for name in ("Ethernet1", "Ethernet3", "Ethernet5")] == [1500, 9214, 9214]
    assert [interfaces[name] for name in ("Ethernet1", "Ethernet3", "Ethernet5")] == [1500, 0, 0]


@pytest.mark.parametrize("site", [FABRIC, PAIR, UNNUMBERED])
def test_facts(site: str) -> None:
    """The name comes from the configuration, since `show hostname` was not recorded."""
    release = "4.23.0.1F" if site == FABRIC else "4.36.0.1F"
    for name, state in states(site).items():
        assert state.facts is not None
        assert (state.facts.hostname, state.facts.version[:9]) == (name, release)


def test_vnis_are_those_of_the_configurations() -> None:
    """And the same whether EOS is asked for the VXLAN interface alone or for all interfaces, as the driver does."""
    for name, one in recordings(FABRIC).items():
        config = read(one.running)
        outputs = collected(one, EOS.reads(()))
        vnis = EOS.state(outputs, {}).vnis
        assert vnis is not None
        assert {vni.vni: vni.vlan_id for vni in vnis if vni.kind == "l2"} == {v: k for k, v in config.vlans.items()}
        assert {vni.vrf: vni.vni for vni in vnis if vni.kind == "l3"} == config.vnis
        assert all(config.vtep not in vni.vteps for vni in vnis), name
        alone = one.objects.get("show interfaces vxlan 1")
        assert (alone is None) == (not config.vtep)
        if alone is not None:
            assert EOS.state({**outputs, INTERFACES: Output(alone)}, {}).vnis == vnis


def test_no_secret_is_asked_for() -> None:
    """The configuration is asked for without its secrets, and the recorded one has some."""
    one = recordings(FABRIC)["DC1-LEAF2A"]
    assert "password 7 AQQ" in one.running
    outputs = collected(one, EOS.reads(()))
    assert "password 7 AQQ" not in str(outputs)
    assert outputs[RUNNING].value == sanitized(one.running)
