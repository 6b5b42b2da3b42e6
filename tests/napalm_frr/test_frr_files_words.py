"""What is made of the words of ifupdown2 and sysctl, as both say them: ifupdown2 3.0.0, procps 4.0.2."""

import pytest

from napalm_frr import files
from napalm_frr.difference import Candidate
from napalm_frr.files import INTERFACES, SETTINGS

BRCTL = "warning: /sbin/brctl: missing - bridge operation may not work as expected. Please check if 'bridge-utils'"
ABSENT = "warning: swp9: interface not recognized - please check interface configuration"
NETLINK = "error: netlink: swp1: cannot add address 10.1.0.1/33 dev swp1: operation failed with 'Invalid argument' (22)"
RECEIVED = "error: recv() error: [Errno 22] Invalid argument"
STAT = "sysctl: cannot stat /proc/sys/net/ipv4/no_such_thing: No such file or directory"
ATTRIBUTE = "error: {}: line{}: iface swp1: unsupported keyword (bogus-attr)"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", ()),
        ("new: " + ABSENT, ()),
        ("new: " + BRCTL, ()),
        ("new: " + RECEIVED, ()),
        ('new: warning: br7: bridge-ports: invalid value "none": valid attribute values', ()),
        (
            'new: warning: br7: bridge-ports: invalid value "nine"',
            ('warning: br7: bridge-ports: invalid value "nine"',),
        ),
        ("new: " + ATTRIBUTE.format(INTERFACES, 7), (ATTRIBUTE.format(INTERFACES, 7),)),
        ("\n".join((f"old: {ATTRIBUTE.format(INTERFACES, 5)}", f"new: {ATTRIBUTE.format(INTERFACES, 7)}")), ()),
    ],
)
def test_syntax_is_what_the_new_file_alone_draws(said: str, told: tuple[str, ...]) -> None:
    assert files.syntax(said) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("", ()),
        ("ifreload: " + BRCTL + "\nifreload-status: 1", ()),
        ("ifreload: " + RECEIVED, ()),
        ("ifreload: " + RECEIVED + "\nfails: swp1 mtu 1500", ("not as the file says: swp1 mtu 1500",)),
        ("ifreload: " + NETLINK + "\nifreload-status: 1", (NETLINK,)),
        ("ifreload: " + ABSENT, (ABSENT,)),
        ("remark: " + ABSENT + "\nifreload: " + ABSENT + "\nifquery: " + ABSENT, ()),
        ("ifreload-status: 1", ("ifreload ended with 1 and said nothing",)),
        ("fails: swp1 mtu 1500", ("not as the file says: swp1 mtu 1500",)),
        ("failed: swp1 mtu 1500\nfails: swp1 mtu 1500", ()),
        ("failed: swp1 mtu 1500\nfails: swp1 mtu 9000", ("not as the file says: swp1 mtu 9000",)),
        ("sysctl: " + STAT + "\nsysctl-status: 1", (STAT,)),
        ("sysctl-status: 1", ("sysctl ended with 1 and said nothing",)),
    ],
)
def test_faults_are_what_was_not_there_before(said: str, told: tuple[str, ...]) -> None:
    assert files.faults(said, {INTERFACES: "", SETTINGS: "net.ipv4.ip_forward = 1\n"}) == told


@pytest.mark.parametrize("name", ["net.ipv4.no_such_thing", "net/ipv4/no_such_thing"])
def test_a_setting_that_the_old_file_asks_for_in_vain_too_is_no_fault(name: str) -> None:
    assert files.faults("sysctl: " + STAT, {SETTINGS: f"# x\n-{name}=1\n"}) == ()
    assert files.faults("sysctl: " + STAT, {SETTINGS: f"{name}_more = 1\n"}) == (STAT,)


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (SETTINGS, "# remark\n; remark\n\n-net.ipv4.conf.*.rp_filter = 0\nnet/ipv4/conf/eth0.7/x=1\n", ()),
        (SETTINGS, "", ()),
        (SETTINGS, "net.ipv4.ip_forward =\n", ("line 1",)),
        (SETTINGS, "x\n$(touch y) = 1\n", ("line 1", "line 2")),
        (SETTINGS, "net/../../etc/passwd = 1\n", ("line 1",)),
        (INTERFACES, " \n", ("empty",)),
        (INTERFACES, "auto lo\0\n", ("NUL",)),
        ("/etc/frr/frr.conf", "x\n", ("only /etc/network/interfaces and /etc/sysctl.d/90-fabric.conf",)),
    ],
)
def test_a_file_is_looked_at_before_a_switch_is_asked(path: str, text: str, told: tuple[str, ...]) -> None:
    found = tuple(files.refused(path, text))
    assert len(found) == len(told)
    assert all(word in line for word, line in zip(told, found, strict=True))


def test_a_difference_tells_no_secret() -> None:
    have, want = "auto swp1\niface swp1\n    x-password a1b2\n", "auto swp1\niface swp1\n    x-password c3d4\n"
    assert files.difference(INTERFACES, have, want).splitlines() == [
        f" {INTERFACES}",
        "@@ -1,3 +1,3 @@",
        " auto swp1",
        " iface swp1",
        "-    x-password <removed>",
        "+    x-password <removed>",
    ]
    assert files.difference(INTERFACES, have, have) == ""
    assert Candidate("x", merge=False).files == {}
