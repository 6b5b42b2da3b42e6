"""What a switch starts with, files beside its configuration, settings of its kernel, what holds its ports back."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from fabricgen.platforms.frr.live.drift import drift
from fabricgen.state.state import Shaper, SideFile, State
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding, SwitchVerdict, Unchecked
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, RIGHT, VLAN20, changed

CONFIGURATION = "hostname leaf1\nrouter bgp 65001\n neighbor 10.1.0.1 remote-as 65100\nexit\n"
INTERFACES = "# leaf1\nauto p1\niface p1\n    mtu 9214\n    address 10.1.0.0/31\n"
SETTINGS = "# first\nnet.ipv4.conf.default.rp_filter = 0\n-net.ipv4.fib_multipath_hash_policy=1\n"
WANTED: Expected = replace(LEAF, configuration=CONFIGURATION, files={"interfaces": INTERFACES, "sysctl.conf": SETTINGS})
FORCE = {
    "net.ipv4.conf.default.rp_filter": "0",
    "net.ipv4.conf.p1.rp_filter": "0",
    "net.ipv4.conf.p2/900.rp_filter": "0",
    "net.ipv4.conf.eth7.rp_filter": "1",  # in no plan
    "net.ipv4.fib_multipath_hash_policy": "1",
}
SHOWN: State = replace(
    RIGHT,
    running=CONFIGURATION,
    startup=CONFIGURATION,
    files=(SideFile("interfaces", INTERFACES), SideFile("sysctl.conf", SETTINGS)),
    settings=FORCE,
    shapers=(),
)


def verdict(expected: Expected = WANTED, **parts: object) -> SwitchVerdict:
    return judge(expected, replace(SHOWN, **parts), drift)  # type: ignore[arg-type]


def told(found: SwitchVerdict) -> list[tuple[str, str, str, str, str]]:
    return [(one.check, one.code, one.subject, one.expected, one.actual) for one in found.findings]


def test_a_switch_with_all_its_files_is_right() -> None:
    found = verdict()
    assert (found.findings, found.unchecked) == ((), ())
    passed = dict(found.passed)
    assert passed["drift"] == 2 + 2 + 4  # running and startup; two files; settings, of two ports too
    assert passed["qos"] > dict(judge(LEAF, RIGHT, drift).passed)["qos"]


@pytest.mark.parametrize(
    ("startup", "problem", "actual"),
    [
        ("", "is empty", "3 lines fewer: hostname leaf1, router bgp 65001, router bgp 65001 / neighbor 10.1.0.1"),
        (
            CONFIGURATION.replace("65100", "65111"),
            "differs from the running configuration",
            ("1 line fewer and 1 line more"),
        ),
        (
            (f"{CONFIGURATION}ip route 0.0.0.0/0 Null0\n"),
            "differs from the running configuration",
            "1 line more: ip route 0.0.0.0/0 Null0",
        ),
    ],
)
def test_a_startup_configuration_that_is_not_what_runs(startup: str, problem: str, actual: str) -> None:
    (found,) = verdict(startup=startup).findings
    assert (found.code, found.subject, found.problem) == ("startup-differs", "startup configuration", problem)
    assert found.actual.startswith(actual)


def test_a_line_that_runs_against_the_plan_is_drift_and_nothing_else() -> None:
    """Saved or not: the drift is its one finding."""
    typed = f"{CONFIGURATION}ip route 0.0.0.0/0 Null0\n"
    assert [one.code for one in verdict(running=typed).findings] == ["drift-extra"]
    assert [one.code for one in verdict(running=typed, startup=typed).findings] == ["drift-extra"]
    assert [one.code for one in verdict(running=typed, startup=f"!\n{typed}").findings] == ["drift-extra"]


def test_a_startup_configuration_that_was_not_read_is_told() -> None:
    found = judge(WANTED, replace(SHOWN, startup=None, unread={"startup": "refused"}), drift)
    assert found.unchecked == (Unchecked("leaf1", "drift", "refused"),)


def test_a_file_that_was_edited() -> None:
    edited = INTERFACES.replace("9214", "1500")
    assert told(verdict(files=(SideFile("interfaces", edited), SHOWN.files[1]))) == [  # type: ignore[index]
        ("drift", "file-differs", "file interfaces", "iface p1 / mtu 9214", "iface p1 / mtu 1500")
    ]
    (found,) = verdict(files=(SideFile("interfaces", edited), SHOWN.files[1])).findings  # type: ignore[index]
    assert found.lines == ("iface p1 / mtu 1500", "iface p1 / mtu 9214")


def test_a_line_is_of_its_section() -> None:
    moved = INTERFACES + "iface p2\n    mtu 9214\n"
    (found,) = verdict(files=(SideFile("interfaces", moved),)).findings
    assert (found.expected, found.actual) == ("no more", "iface p2, iface p2 / mtu 9214")
    remarked = "; by hand\n\n" + INTERFACES.replace("    ", "\t")
    assert verdict(files=(SideFile("interfaces", remarked),)).findings == ()


def test_a_file_that_is_gone_and_one_that_nobody_rendered() -> None:
    assert told(verdict(files=(SideFile("sysctl.conf", None), SideFile("other", None)))) == [
        ("drift", "file-differs", "file sysctl.conf", "the file as rendered", "no such file")
    ]


def test_a_setting_of_the_whole_switch() -> None:
    assert told(verdict(settings=FORCE | {"net.ipv4.fib_multipath_hash_policy": "0"})) == [
        ("drift", "setting-wrong", "setting net.ipv4.fib_multipath_hash_policy", "1", "0")
    ]


def test_a_setting_of_one_port_and_of_several() -> None:
    """What `default` has is given to each interface once; a port that the plan does not know is nobody's."""
    assert told(verdict(settings=FORCE | {"net.ipv4.conf.p1.rp_filter": "1"})) == [
        ("drift", "setting-wrong", "setting net.ipv4.conf.p1.rp_filter", "0", "1")
    ]
    every = {name: "1" if name.endswith("rp_filter") else value for name, value in FORCE.items()}
    (found,) = verdict(settings=every).findings
    assert found.subject.startswith("3 settings (net.ipv4.conf.default.rp_filter, net.ipv4.conf.p1.rp_filter, ")


def test_a_setting_that_the_kernel_does_not_have_is_not_checkable() -> None:
    found = verdict(settings={"net.ipv4.conf.default.rp_filter": "0"})
    assert found.findings == ()
    reason = "the kernel of the switch does not show net.ipv4.fib_multipath_hash_policy"
    assert found.unchecked == (Unchecked("leaf1", "drift", reason),)


def test_of_a_setting_that_stands_twice_the_last_counts() -> None:
    twice = {"sysctl.conf": f"{SETTINGS}net.ipv4.fib_multipath_hash_policy = 0\n"}
    (found,) = judge(replace(WANTED, files=twice), replace(SHOWN, files=None), drift).findings
    assert (found.code, found.expected, found.actual) == ("setting-wrong", "0", "1")


def test_a_port_that_is_held_back() -> None:
    shapers = (Shaper("p1", "tbf", "tbf at 10"), Shaper("p8", "netem", "netem loss 1", "red"))
    assert told(verdict(shapers=shapers)) == [
        ("qos", "qos-shaped", "port p1", "no such queueing discipline", "tbf at 10"),
        ("qos", "qos-shaped", "port p8 in red", "no such queueing discipline", "netem loss 1"),
    ]


@pytest.mark.parametrize(("part", "check"), [("files", "drift"), ("settings", "drift"), ("shapers", "qos")])
def test_what_was_not_read_is_told(part: str, check: str) -> None:
    found = judge(WANTED, replace(SHOWN, **{part: None}, unread={part: "refused"}), drift)
    assert found.unchecked == (Unchecked("leaf1", check, "refused"),)


MAC: Callable[[str], State] = lambda mac: changed("interfaces", VLAN20, mac=mac)(RIGHT)  # noqa: E731


def test_a_gateway_with_another_mac() -> None:
    found: tuple[Finding, ...] = judge(LEAF, MAC("02:00:00:00:00:99"), lambda _, __: ()).findings
    assert [(one.check, one.code, one.subject, one.expected, one.actual) for one in found] == [
        ("addresses", "gateway-mac-wrong", "vlan 20", "02:fa:b0:00:00:01", "02:00:00:00:00:99")
    ]
    assert judge(LEAF, MAC(""), lambda _, __: ()).findings == ()
