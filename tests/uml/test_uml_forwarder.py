"""Who forwards a server's broadcast while a leaf is drained, on real FRR with bonds, in a second kernel.

The lines are those that the platform `frr` renders; what asks for a bond over two leaves is refused for other reasons.
"""

import json
import re
import sys
from pathlib import Path

import pytest

from fabricgen.device.device import Device
from fabricgen.render.render import Renderer
from tests.frr.site import site
from tests.judges import frr
from tests.uml import uml

WHY = frr.available()
pytestmark = [pytest.mark.skipif(WHY is not None, reason=str(WHY)), pytest.mark.usefixtures("second_kernel")]

SEGMENT = re.compile(r"interface bond\d+\n evpn mh es-id \S+\n.*?exit\n", re.DOTALL)


def _lines(device: Device) -> str:
    """What a leaf's file says of its first segment, on the bond of the guest."""
    files = {Path(file.path).name: file.text for file in Renderer().render(device)}
    found = SEGMENT.search(files["frr.conf"])
    assert found is not None
    return re.sub(r"bond\d+", "bond1", found[0])


@pytest.mark.long
def test_the_mate_of_a_drained_leaf_forwards_before_its_ports_fall(tmp_path: Path) -> None:
    """And goes on until the leaf is back whole: RFC 9785, the highest preference is elected; equal ones by address."""
    found = next(row.device for row in site().values() if row.device.interfaces.lags and row.device.state == "active")
    lags = tuple(lag._replace(df_preference=0) for lag in found.interfaces.lags)
    leaf = found._replace(interfaces=found.interfaces._replace(lags=lags))  # df_election: platform, both at 32767
    lines = {"healthy": _lines(leaf), "drained": _lines(leaf._replace(state="drained"))}
    assert lines["healthy"] != lines["drained"]
    (tmp_path / "lines.json").write_text(json.dumps(lines))
    done = uml.run([sys.executable, "-m", "tests.uml.forwarder_guest", str(tmp_path)], tmp_path)
    assert done.status == 0, done.told()
    ours, mates = {"leaf0": "df", "leaf1": "non-df"}, {"leaf0": "non-df", "leaf1": "df"}
    assert json.loads((tmp_path / "seen.json").read_text()) == {
        "healthy": ours,
        "lowered": mates,
        "ports down": {"leaf0": "", "leaf1": "df"},
        "ports up": mates,
        "returned": ours,
    }
