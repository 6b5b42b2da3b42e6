"""Loss, delay and rate of a cable: what is typed, what the kernel then does, and what is told of it."""

import json
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.host.inventory import RunningLab
from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import LabEnd, LabLink
from fabricgen.lab.operate.impair import HANDLE, Impairment, _queue, cable, impaired, parse
from fabricgen.lab.operate.run import run
from tests.lab.sites import SMALL, available, lab_verb, remains

SUBSET = "leaves=2,spines=1,links=1,servers=2,borders=0"
NEAR, FAR = LabEnd("be-leaf-000", "swp33s0"), LabEnd("be-spine-00", "swp1s0")
CABLE = f"{NEAR.owner}/{NEAR.interface}"
NETEM = "ip link add x0 type veth peer name x1 && tc qdisc add dev x0 root netem delay 1ms"


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        ("loss", "1%", 10_000),
        ("loss", "1 %", 10_000),
        ("loss", "0.01%", 100),
        ("loss", "100%", 1_000_000),
        ("delay", "5ms", 5000),
        ("delay", "250us", 250),
        ("delay", "1.5s", 1_500_000),
        ("rate", "100mbit", 100_000),
        ("rate", "1Gbit", 1_000_000),
        ("rate", "64kbit", 64),
    ],
)
def test_values_have_units(kind: str, words: str, value: int) -> None:
    assert parse(kind, words) == value


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("loss", "1"),
        ("loss", "0%"),
        ("loss", "101%"),
        ("loss", "-1%"),
        ("loss", "0.00001%"),
        ("loss", "1ms"),
        ("loss", "%"),
        ("loss", ""),
        ("delay", "5"),
        ("delay", "11s"),
        ("delay", "5 m"),
        ("rate", "11gbit"),
        ("rate", "1e9kbit"),
        ("rate", "nanmbit"),
    ],
)
def test_other_values_are_refused_with_an_example(kind: str, words: str) -> None:
    with pytest.raises(ValueError, match="for example"):
        parse(kind, words)


def test_a_cable_is_named_by_either_end() -> None:
    link = LabLink(NEAR, FAR)
    standing = RunningLab({}, frozenset({link, LabLink(LabEnd("train-000", "OSFP1"), LabEnd("be-leaf-000", "swp1s0"))}))
    assert cable(standing, "be-leaf-000/swp33s0") == link
    assert cable(standing, "be-spine-00/swp1s0") == link
    with pytest.raises(FabricError) as caught:
        cable(standing, "be-leaf-000/Ethernet33/1")
    assert caught.value.problems[0].fix == "write be-leaf-000/swp33s0"
    with pytest.raises(FabricError) as caught:
        cable(standing, "be-leaf-000/swp33s1")
    assert caught.value.problems[0].code == "unknown-name"
    assert "be-leaf-000/swp33s0" in caught.value.problems[0].fix


# What nft(8) 1.0.6 and tc(8) of iproute2 6.1 print: tables and tbf as seen; netem by its print_opt (tc/q_netem.c).
SAID = """\
table netdev fabricgen_impaired {
	chain on_port_1 {
		type filter hook ingress device "port-1" priority -500; policy accept;
		numgen random mod 1000000 < 2500 counter packets 7 bytes 602 drop
	}

	chain on_swp2 {
		type filter hook ingress device "swp2" priority -500; policy accept;
		numgen random mod 1000000 < 1000000 counter packets 0 bytes 0 drop
	}
}
qdisc noqueue 0: dev lo root refcnt 2
qdisc htb 1: dev swp9 root refcnt 2 r2q 10 default 0x1 direct_packets_stat 0 direct_qlen 1000
qdisc netem fab: dev swp2 root refcnt 2 limit 10000 delay 5ms
qdisc tbf fab: dev swp3 root refcnt 2 rate 10Mbit burst 20000b lat 50ms
"""


def test_what_the_kernel_says_is_told_by_port() -> None:
    assert impaired(SAID) == {
        "port-1": "loss 0.25%, 7 packets dropped",
        "swp2": "loss 100%, 0 packets dropped; netem limit 10000 delay 5ms",
        "swp3": "tbf rate 10Mbit burst 20000b lat 50ms",
    }
    assert impaired("table netdev other {\n}\nqdisc noqueue 0: dev lo root refcnt 2\n") == {}
    assert impaired("") == {}


needs_lab = pytest.mark.skipif(available() is not None, reason=str(available()))


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", SMALL, "--subset", SUBSET, "--dir", folder, "--no-wait")
        assert done.returncode == 0, done.stderr
        yield folder
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def _impair(folder: Path, *words: str, end: str = CABLE) -> subprocess.CompletedProcess[str]:
    return lab_verb("impair", end, *words, "--dir", folder)


def _told(folder: Path) -> dict[str, dict[str, str]]:
    said = json.loads(lab_verb("status", "--dir", folder, "--json").stdout)
    return {row["name"]: row["impaired"] for row in said if row["impaired"]}


def _pings(folder: Path, count: int, size: int) -> tuple[int, float]:
    """Echo requests that were answered over the cable alone, and their mean time in ms."""
    shown = json.loads(run(folder, FAR.owner, ["ip", "-j", "-6", "addr", "show", "dev", FAR.interface]).stdout)
    (far,) = (row["local"] for row in shown[0]["addr_info"] if row["scope"] == "link")
    words = ["ping", "-q", "-i", "0.002", "-c", str(count), "-s", str(size), "-W", "1", f"{far}%{NEAR.interface}"]
    said = run(folder, NEAR.owner, words).stdout
    (received,) = re.findall(r"(\d+) received", said)
    return int(received), float((re.findall(r"= [\d.]+/([\d.]+)/", said) or ["0"])[0])


def _all_answered(folder: Path) -> bool:
    """Whether 200 of 200 are answered, in one of three tries: a busy host loses a few; 10 % loss never passes any."""
    return any(_pings(folder, 200, 56)[0] == 200 for _ in range(3))


@needs_lab
def test_loss_is_what_was_asked_for_each_way_and_goes_again(standing: Path) -> None:
    """10 % each way: 81 % of 1000 are answered, with a deviation of 1.2 % (binomial)."""
    assert _all_answered(standing)
    for words in ("50%", "10%"):
        assert _impair(standing, "--loss", words).returncode == 0
    answered, _ = _pings(standing, 1000, 56)
    assert 740 <= answered <= 880
    told = _told(standing)
    assert set(told) == {NEAR.owner, FAR.owner}
    assert re.fullmatch(r"loss 10%, \d{2,3} packets dropped", told[NEAR.owner][NEAR.interface])
    assert f"  impaired: {CABLE}: loss 10%, " in lab_verb("status", "--dir", standing).stdout
    assert _impair(standing, "--clear", end=f"{FAR.owner}/{FAR.interface}").returncode == 0
    assert _told(standing) == {}
    assert _all_answered(standing)


@needs_lab
def test_a_rate_is_kept(standing: Path) -> None:
    """200 packets of 1,462 octets (IPv6, ICMP, Ethernet) at 1 Mbit/s, of which 20,000 octets pass at once: 2.2 s.

    ping sends again what the queue had no room for.
    """
    assert _impair(standing, "--rate", "1mbit").returncode == 0
    start = time.monotonic()
    _pings(standing, 200, 1400)
    assert 2.0 <= time.monotonic() - start <= 4.5
    assert _told(standing)[NEAR.owner][NEAR.interface].startswith("tbf rate 1Mbit")
    assert _impair(standing, "--clear").returncode == 0
    assert _pings(standing, 200, 1400)[0] == 200
    assert _told(standing) == {}  # how fast they are without a limit is a property of the host


@needs_lab
def test_a_delay_is_kept_or_refused_with_the_reason(standing: Path) -> None:
    assert _told(standing) == {}
    tried = subprocess.run(["unshare", "--net", "sh", "-c", NETEM], check=False, capture_output=True)
    has_netem = tried.returncode == 0
    done = _impair(standing, "--delay", "20ms", "--loss", "10%")
    if has_netem:
        assert done.returncode == 0, done.stderr
        assert 40 <= _pings(standing, 50, 56)[1] <= 80
        assert _impair(standing, "--clear").returncode == 0
    else:
        assert done.returncode == 1
        assert "error[lab-impair]: this host does not support delay on a cable" in done.stderr
        assert "CONFIG_NET_SCH_NETEM" in done.stderr
    assert _told(standing) == {}  # also not the loss that was asked for in the same breath


@needs_lab
def test_loss_is_netem_s_where_nftables_can_not(standing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the program is another: what is refused is refused by this kernel."""
    monkeypatch.setattr("fabricgen.lab.operate.impair.NFT", ("false",))
    tried = subprocess.run(["unshare", "--net", "sh", "-c", NETEM], check=False, capture_output=True)
    done = _impair(standing, "--loss", "10%")
    if tried.returncode:
        assert done.returncode == 1
        assert "error[lab-impair]: this host does not support loss on a cable" in done.stderr
        assert "CONFIG_NFT_NUMGEN) or netem" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert "netem limit 10000 loss 10%" in _told(standing)[NEAR.owner][NEAR.interface]
    assert _impair(standing, "--clear").returncode == 0
    assert _told(standing) == {}


def test_netem_has_its_words_in_the_order_that_tc_takes() -> None:
    """Tried on Linux 7.2 with iproute2 6.1."""
    assert _queue(Impairment(loss=10_000, delay=5000, rate=1000)) == (
        "root handle fab: netem limit 10000 delay 5000us loss 1% rate 1000kbit"
    )


@needs_lab
def test_queues_are_not_taken_away(standing: Path) -> None:
    words = ["tc", "qdisc", "replace", "dev", NEAR.interface, "root", "handle", "1:", "htb"]
    assert run(standing, NEAR.owner, words).returncode == 0
    done = _impair(standing, "--rate", "1mbit")
    assert done.returncode == 1
    assert "error[lab-impair]: be-leaf-000/swp33s0 has queues of its own" in done.stderr
    assert HANDLE not in run(standing, FAR.owner, ["tc", "qdisc", "show"]).stdout
    run(standing, NEAR.owner, ["tc", "qdisc", "delete", "dev", NEAR.interface, "root"])


@needs_lab
def test_a_cable_that_is_several_here_is_refused(standing: Path) -> None:
    """Where the kernel cannot tag, a tagged VLAN has a link of its own, which a fault of the first would spare."""
    facts = json.loads((standing / "lab.json").read_text())
    rows = [(server, nic) for server, row in facts["servers"].items() for nic in row["nics"] if nic["parent"]]
    server, nic = rows[0]
    shown = run(standing, server, ["ip", "-o", "link", "show", "dev", nic["name"], "type", "veth"]).stdout
    done = _impair(standing, "--loss", "1%", end=f"{nic['switch']}/{nic['port']}")
    if shown:
        assert done.returncode == 1
        assert f"error[lab-impair]: {server}/{nic['parent']} has more than one cable in this lab" in done.stderr
        assert _told(standing) == {}
    else:
        assert done.returncode == 0, done.stderr
        assert _impair(standing, "--clear", end=f"{nic['switch']}/{nic['port']}").returncode == 0


@needs_lab
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--loss", "1%", "--clear"], 2, "write --clear, or some of"),
        ([], 2, "write --clear, or some of"),
        (["--loss", "one"], 2, "for example 1%"),
    ],
)
def test_words_that_make_no_sense_are_refused(standing: Path, words: list[str], code: int, said: str) -> None:
    done = _impair(standing, *words)
    assert done.returncode == code
    assert said in done.stderr


@needs_lab
def test_a_cable_that_is_not_there_is_refused(standing: Path) -> None:
    done = _impair(standing, "--loss", "1%", end="be-leaf-000/swp34s0")
    assert done.returncode == 1
    assert "error[unknown-name]" in done.stderr
