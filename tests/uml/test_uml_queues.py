"""`lab up --queues` in a second kernel: a lossless backend whose leaf marks under load and loses nothing.

Virtual links cannot send a pause frame, so nothing here is a test of PFC; what the same queues do without marking, and
beyond what senders can be told, is in test_uml_ecn.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.lab.model.queues import NOT_EXERCISED
from fabricgen.policy.marking import MARKINGS
from tests.judges import frr, interfaces
from tests.uml import uml

WHY = frr.available() or interfaces.available()
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(WHY is not None, reason=str(WHY)),
    pytest.mark.usefixtures("second_kernel"),
]

SITE = Path(__file__).parents[2] / "inventories/frr/intent.yaml"
SUBSET = "units=1,leaves=2,spines=1,links=1,servers=3"
RATE_MBPS = 10  # what a busy core still fills
MARKING = next(row for row in MARKINGS if row.name == "nvidia")
ROCE = MARKING.data_dscp << 2  # TOS octet without the ECN field
ECT0, CE = 2, 3  # RFC 3168, section 5
Seen = Mapping[str, Any]


def _intent() -> dict[str, Any]:
    """The FRR site's backend alone, and lossless: its own operating system could not be told of that."""
    intent: dict[str, Any] = yaml.safe_load(SITE.read_text())
    del intent["fabrics"]["frontend"], intent["tenants"], intent["servers"]["store"]
    intent["fabrics"]["backend"] |= {"transport": "roce-lossless", "roce": {"marking": MARKING.name}}
    return intent


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """One lab, its receiver's port loaded by two servers."""
    folder = tmp_path_factory.mktemp("queues")
    (folder / "intent.yaml").write_text(yaml.safe_dump(_intent(), sort_keys=False))
    words = [str(folder), SUBSET, str(RATE_MBPS), str(MARKING.data_dscp)]
    done = uml.run([sys.executable, "-m", "tests.uml.queues_guest", *words], folder)
    assert done.status == 0, done.told()
    found: Seen = json.loads((folder / "seen.json").read_text())
    print(f"marked {_red(found, *_end(found))}, received {found['received']}")  # noqa: T201 (pytest -s)
    return found


def _end(seen: Seen) -> tuple[str, str]:
    """Leaf and port of the receiver."""
    switch, port = seen["port"]
    return switch, port


def _counters(seen: Seen, when: str) -> Iterator[Mapping[str, Any]]:
    for ports in seen[when].values():
        for queues in ports.values():
            yield from queues


def _red(seen: Seen, switch: str, port: str, counter: str = "marked") -> int:
    """What the marking queue of one port counted under load."""
    before, after = (
        next(queue[counter] for queue in seen[when][switch][port] if queue["kind"] == "red")
        for when in ("before", "after")
    )
    return int(after) - int(before)


def test_every_cabled_port_of_every_switch_has_the_queues(seen: Seen) -> None:
    """A leaf has two ports to each of three servers and one to the spine."""
    assert {switch: len(ports) for switch, ports in seen["before"].items()} == {
        "be-leaf-000": 7,
        "be-leaf-001": 7,
        "be-spine-00": 2,
    }
    for ports in seen["before"].values():
        for queues in ports.values():
            assert [row["kind"] for row in queues].count("red") == 1
            assert {"htb", "prio", "drr", "red", "tbf"} <= {row["kind"] for row in queues}


def test_the_receivers_port_marks(seen: Seen) -> None:
    assert _red(seen, *_end(seen)) > 0


def test_nothing_is_lost(seen: Seen) -> None:
    before, after = (sum(row["drops"] for row in _counters(seen, when)) for when in ("before", "after"))
    assert after == before
    assert [sender["retransmits"] for sender in seen["senders"]] == [0, 0]


def test_marks_arrive_at_the_receiver(seen: Seen) -> None:
    """Each packet that the last port marked, and no more than all ports did: one may be marked twice on its way."""
    everywhere = sum(_red(seen, switch, port) for switch, ports in seen["after"].items() for port in ports)
    assert _red(seen, *_end(seen)) <= seen["received"][str(ROCE | CE)] <= everywhere
    assert seen["received"][str(ROCE | ECT0)] > 0
    # All data can be marked. What TCP sends again or to probe a window must not be (RFC 3168, 6.1.5 and 6.1.6): on a
    # busy host there is a packet of it now and then.
    data = seen["received"][str(ROCE | ECT0)] + seen["received"][str(ROCE | CE)]
    assert seen["received"][str(ROCE)] <= data // 100


def test_one_stream_crossed_the_spine_in_the_queue_of_its_code_point(seen: Seen) -> None:
    (port,) = [port for port in seen["after"]["be-spine-00"] if _red(seen, "be-spine-00", port, "packets") > 50]
    assert _red(seen, "be-spine-00", port, "packets") < _red(seen, *_end(seen), "packets")


def test_it_says_what_it_shows_and_what_it_can_not(seen: Seen) -> None:
    rows = {row["feature"]: row["reason"] for row in seen["up"]["skipped"]}
    assert rows["lossless queues"] == NOT_EXERCISED
    assert f"{RATE_MBPS} Mbit/s" in rows["text of queues and marking"]
    assert "queues and marking" not in rows
    assert "ecn" not in rows
