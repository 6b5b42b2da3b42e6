"""Every line that the driver takes for a default of FRR's: real daemons accept it, and print nothing of it.

A candidate may hold such lines: its difference stays empty, and a commit of it comes through.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from napalm_frr.paths import DEFAULTS, PROFILES, is_default
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr import switches

BARE = """frr defaults {}
hostname box
no zebra nexthop kernel enable
!
router bgp 65000
 bgp router-id 10.0.0.1
 neighbor 192.0.2.1 remote-as 65001
exit
!
bfd
 profile mine
 exit
exit
"""
LINES = (
    ((), "ip forwarding"),
    ((), "ipv6 forwarding"),
    (("interface swp1",), "no shutdown"),
    (("interface swp1",), "no description"),
    (("interface swp1",), "ipv6 nd suppress-ra"),
    (("router bgp 65000",), "bgp default ipv4-unicast"),
    (("router bgp 65000",), "no bgp default ipv6-unicast"),
    (("router bgp 65000",), "bgp network import-check"),
    (("router bgp 65000",), "bgp suppress-duplicates"),
    (("router bgp 65000",), "bgp client-to-client reflection"),
    (("router bgp 65000",), "bgp fast-external-failover"),
    (("router bgp 65000",), "bgp default local-preference 100"),
    (("router bgp 65000", "address-family ipv4 unicast"), "neighbor 192.0.2.1 send-community"),
    (("router bgp 65000", "address-family ipv4 unicast"), "neighbor 192.0.2.1 send-community both"),
    (("router bgp 65000", "address-family ipv4 unicast"), "neighbor 192.0.2.1 activate"),
    (("bfd", "profile mine"), "detect-multiplier 3"),
    (("bfd", "profile mine"), "receive-interval 300"),
    (("bfd", "profile mine"), "transmit-interval 300"),
    (("bfd", "profile mine"), "no shutdown"),
    (("bfd", "profile mine"), "no passive-mode"),
    (("bfd", "profile mine"), "minimum-ttl 254"),
)
OF_PROFILE = {
    "datacenter": (
        "no bgp ebgp-requires-policy",
        "bgp log-neighbor-changes",
        "bgp deterministic-med",
        "bgp default show-hostname",
        "bgp default show-nexthop-hostname",
        "timers bgp 3 9",
    ),
    "traditional": (
        "bgp ebgp-requires-policy",
        "no bgp log-neighbor-changes",
        "no bgp deterministic-med",
        "no bgp default show-hostname",
        "no bgp default show-nexthop-hostname",
        "timers bgp 60 180",
    ),
}


def _text(profile: str) -> str:
    found = BARE.format(profile)
    for line in OF_PROFILE[profile]:
        found += f"router bgp 65000\n {line}\nexit\n"
    for blocks, line in LINES:
        found += "".join(f"{' ' * depth}{block}\n" for depth, block in enumerate((*blocks, line)))
    return found


@pytest.fixture(scope="module", params=list(OF_PROFILE))
def box(request: pytest.FixtureRequest) -> Iterator[Loaded]:
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    with frr.load(_text(request.param)) as found:
        yield found


def test_frr_prints_none_of_them(box: Loaded, tmp_path: Path) -> None:
    assert box.complaints == ()
    profile = next(name for name in OF_PROFILE if f"frr defaults {name}" in box.running)
    present = frr.paths(box.running)
    lines = [*LINES, *((("router bgp 65000",), line) for line in OF_PROFILE[profile])]
    assert [line for blocks, line in lines if (*blocks, line) in present] == []
    with switches.opened(box, tmp_path) as driver:
        driver.load_replace_candidate(config=_text(profile))
        assert driver.compare_config() == ""
        driver.load_replace_candidate(config=_text(profile).replace("remote-as 65001", "remote-as 65002"))
        driver.commit_config()
        assert driver.compare_config() == ""


def test_no_default_of_the_tables_is_left_out_above() -> None:
    """Each pattern of the driver's tables is met by a line above, but those of a VRF and of the kernel's next hops."""
    met = [(*blocks, line) for blocks, line in LINES]
    for where, patterns in DEFAULTS:
        for pattern in patterns:
            if pattern in (r"netns \S+", r"zebra nexthop kernel enable"):
                continue
            alone = [path for path in met if is_default(path, ())]
            assert any(re.fullmatch(pattern, path[-1]) for path in alone), (where, pattern)
    for profile, patterns in PROFILES.items():
        for line in OF_PROFILE[profile]:
            assert is_default(("router bgp 1", line), patterns), line
            assert not is_default(("router bgp 1", line), ())
            assert not is_default((line,), patterns)
