"""Pings as large as the servers' links take, which nothing on the way may fragment."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fabricgen.lab.operate import run
from fabricgen.verify.probe.pings import Ping, ServerInterface, pings


def host(
    server: str, leaf: str, tenant: str, mtu: int, *addresses: str, imports: tuple[str, ...] = ()
) -> ServerInterface:
    return ServerInterface(server, "fe", leaf, "port 0", addresses, tenant, imports, "fe-leaf-000", mtu)


A1 = host("a1", "l0", "red", 9164, "172.16.0.2/24", "fd00:16::2/64", imports=("blue",))
A2 = host("a2", "l1", "red", 9164, "172.16.0.3/24", "fd00:16::3/64", imports=("blue",))
B1 = host("b1", "l0", "blue", 1500, "172.20.0.2/24", imports=("red",))
C1 = host("c1", "l0", "green", 9164, "172.21.0.2/24")


def full(*nics: ServerInterface) -> list[Ping]:
    return [ping for ping in pings(nics) if ping.size]


def test_one_for_each_pair_of_leaves_and_of_tenants_that_reach_each_other() -> None:
    assert [(ping.source, ping.address, ping.size, ping.must_pass) for ping in full(A1, A2, B1, C1)] == [
        ("172.16.0.2", "172.16.0.3", 9164, True),
        ("172.20.0.2", "172.16.0.2", 1500, True),  # no more than both take
        ("172.16.0.2", "172.20.0.2", 1500, True),
    ]
    assert {ping.about for ping in full(A1, A2)} == {"tenant red between l0 and l1, 9164 octets unfragmented"}


def test_none_that_must_not_pass_and_none_within_a_leaf() -> None:
    assert full(A1, C1) == []
    assert full(A1, A2._replace(leaf="l0")) == []


def test_none_where_a_link_s_size_is_not_known() -> None:
    assert full(A1, A2._replace(mtu=0)) == []
    assert not [ping for ping in pings((A1, A2._replace(mtu=0))) if "octets" in ping.about]


def test_backend_leaves_too() -> None:
    near, far = (
        ServerInterface(f"g{n}", "be", f"r{n}", "nic 0", (f"10.0.{n}.1/31",), part="r0", mtu=9214) for n in (0, 1)
    )
    assert [(ping.address, ping.size) for ping in full(near, far)] == [("10.0.1.1", 9214)]


@pytest.mark.parametrize(("address", "data"), [("10.0.0.1", "8972"), ("fd00::1", "8952")])
def test_ping_counts_what_follows_the_headers(address: str, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 9000 octets: 20 or 40 of IP and 8 of ICMP."""
    asked: list[list[str]] = []

    def double(_: Path, __: str, words: list[str]) -> CompletedProcess[str]:
        asked.append(words)
        return CompletedProcess(words, 0, "2 packets transmitted, 1 received, 50% packet loss\n", "")

    monkeypatch.setattr(run, "run", double)
    assert run.ping_full(Path("lab"), "a1", address, 9000) == 1
    assert asked[0][-5:] == ["-M", "do", "-s", data, address]
