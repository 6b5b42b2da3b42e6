"""Queues of a demo leaf under load in a second kernel: ECN marks are counted and nothing is lost.

Virtual links cannot send a pause frame, so nothing here is a test of PFC: the senders' answer to the marks is what
keeps the queue from overflowing.
"""

import json
import re
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fabricgen.lab.model import queues
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import Subset
from fabricgen.policy.marking import MARKINGS
from fabricgen.site.workspace import open_workspace
from tests.uml import uml

pytestmark = pytest.mark.usefixtures("second_kernel")

DEMO = Path(__file__).parents[2] / "inventories/demo/intent.yaml"
GUEST = Path(__file__).with_name("ecn_guest.py")
PORT = "swp3"  # as the guest calls the port of its receiver
RATE_MBPS = 30  # what a busy core still fills
SLOW_MBPS = 3  # UDP has to overfill it all the while, and costs more than TCP
FLOOD_MBPS = 4 * SLOW_MBPS
MARKING = next(row for row in MARKINGS if row.name == "nvidia")  # the demo's
CNP = MARKING.cnp_dscp << 2  # TOS octet without the ECN field
ROCE = MARKING.data_dscp << 2
ROCE_LEAF, CNP_LEAF, OTHERS_LEAF = (f"{queues.LEAF + number:x}:" for number in (MARKING.queue, MARKING.cnp_queue, 0))
ECT0, CE = 2, 3  # RFC 3168, section 5
Figures = Mapping[str, Any]


def _lines(rate_mbps: int) -> list[str]:
    """What a demo leaf's first port towards a server is given in the lab."""
    lab = make_lab(open_workspace(DEMO).plan, Subset(units=1, leaves=1, spines=1, links=1, servers=1))
    leaf = next(device for device in lab.devices if device.role == "leaf" and device.kind == "backend")
    port = next(row.name for row in leaf.interfaces.ethernet if row.profile.role == "host")
    lines = [line.replace(f"dev {port} ", f"dev {PORT} ") for line in queues.commands(leaf, [port], rate_mbps)]
    assert lines
    return lines


def _without_ecn(lines: list[str]) -> list[str]:
    found = [line.replace(" ecn nodrop", "") for line in lines]
    assert found != lines
    return found


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Figures]:
    """Three loads of one port, each with what it counted. A stream: sender, DSCP, Mbit/s of UDP or 0 for TCP."""
    lines = _lines(RATE_MBPS)
    data = MARKING.data_dscp
    incast = [[1, data, 0], [2, data, 0]]
    flood = [[1, data, FLOOD_MBPS], [2, 0, FLOOD_MBPS]]
    cases = {
        "marks": {"queues": lines, "full": [], "streams": incast},
        "no ecn in red": {"queues": _without_ecn(lines), "full": [], "streams": incast},
        "overload": {"queues": _lines(SLOW_MBPS), "full": [ROCE_LEAF, OTHERS_LEAF], "streams": flood},
    }
    folder = tmp_path_factory.mktemp("ecn")
    (folder / "cases.json").write_text(json.dumps(cases))
    done = uml.run([sys.executable, str(GUEST), str(folder)], folder)
    assert done.status == 0, done.told()
    found: dict[str, Figures] = json.loads((folder / "figures.json").read_text())
    for name, row in found.items():
        red = _red(row)
        print(f"{name}: marked {red['marked']}, dropped {_drops(row)}, of {red['packets']}")  # noqa: T201 (pytest -s)
    return found


def _red(row: Figures) -> Mapping[str, Any]:
    (found,) = [queue for queue in row["queues"] if queue["kind"] == "red"]
    return dict(found)


def _drops(row: Figures) -> int:
    """Packets that the port lost under load, in any queue."""
    before, after = (next(queue["drops"] for queue in row[when] if queue.get("root")) for when in ("idle", "queues"))
    return int(after) - int(before)


def _received(row: Figures, octet: int) -> int:
    return int(row["received"][str(octet)])


def test_the_queue_marks_and_loses_nothing(figures: Mapping[str, Figures]) -> None:
    row = figures["marks"]
    assert _red(row)["marked"] > 0
    assert _drops(row) == 0
    assert [sender["retransmits"] for sender in row["senders"]] == [0, 0]


def test_the_receiver_counts_every_mark(figures: Mapping[str, Figures]) -> None:
    """What arrives as CE is what the queue marked, and the rest can still be marked."""
    row = figures["marks"]
    assert _received(row, ROCE | CE) == _red(row)["marked"]
    assert _received(row, ROCE | ECT0) > _received(row, ROCE | CE)
    assert _received(row, CE) == 0  # best effort


def test_all_data_meets_the_queue_that_marks(figures: Mapping[str, Figures]) -> None:
    row = figures["marks"]
    assert _red(row)["packets"] == sum(_received(row, ROCE | ecn) for ecn in range(4))


@pytest.mark.parametrize("case", ["marks", "no ecn in red", "overload"])
def test_notifications_pass_unmarked(figures: Mapping[str, Figures], case: str) -> None:
    """They could be marked and stand in no queue that marks, but in their own; a full port loses none of them."""
    row = figures[case]
    sent, back = re.search(r"(\d+) packets transmitted, (\d+) received", row["ping"]).groups()  # type: ignore[union-attr]
    assert sent == back
    assert next(queue["packets"] for queue in row["queues"] if queue["handle"] == CNP_LEAF) == int(sent)
    assert _received(row, CNP | ECT0) == int(sent)
    assert _received(row, CNP | CE) == 0


def test_without_ecn_the_same_load_loses_packets(figures: Mapping[str, Figures]) -> None:
    row = figures["no ecn in red"]
    assert _red(row)["marked"] == 0
    assert _drops(row) > 0
    assert _received(row, ROCE | CE) == 0


def test_senders_that_heed_no_mark_fill_the_queue(figures: Mapping[str, Figures]) -> None:
    """The queue ends somewhere: here a switch would have sent pause frames, which virtual links have not."""
    red = _red(figures["overload"])
    assert red["marked"] > 0
    assert red["drops"] > 0


def test_an_overload_is_shared_by_weight(figures: Mapping[str, Figures]) -> None:
    """While both queues hold packets: 95 and 5 percent of the octets, as the Device has it."""
    leaves = [
        [next(queue for queue in sample if queue["handle"] == handle) for handle in (ROCE_LEAF, OTHERS_LEAF)]
        for sample in figures["overload"]["samples"]
    ]
    held = [
        (start, end)
        for start, end in pairwise(leaves)
        if all(queue["backlog"] for sample in (start, end) for queue in sample)
    ]
    assert len(held) > 5  # a second
    data, others = (sum(end[at]["bytes"] - start[at]["bytes"] for start, end in held) for at in (0, 1))
    assert data / (data + others) == pytest.approx(0.95, abs=0.02)
