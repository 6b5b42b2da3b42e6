"""A Nexus 9000v as a node: its text has a form in every line, nothing of a chip, and its ports are whole."""

import pytest

from fabricgen.errors import FabricError
from fabricgen.platforms.nxos.containerlab import KINDS, STARTUP
from tests.nxos.fleet import made, render, samples
from tests.nxos.lines import unknown
from tests.nxos.references import loose

(KIND,) = KINDS
WHOLE = ("demo backend leaf", "demo backend spine", "drained backend leaf", "shared backend leaf", "wide backend leaf")
CHIP = ("qos", "pause", "priority-flow", "random-detect", "speed", "dlb", "universal-id", "storm", "sflow", "tacacs")


@pytest.mark.parametrize("name", WHOLE)
def test_the_node_of_a_switch(name: str) -> None:
    device = KIND.fit(samples()[name])
    node = KIND.make(device, {STARTUP: render(device)})
    text = node.files[node.startup]
    assert [line for line in unknown(text) if line != "ip source-route"] == []
    assert [row for row in loose(text) if row.kind != "vrf"] == []
    assert [word for word in CHIP if f" {word}" in text or f"\n{word}" in text] == []
    assert "\ninterface mgmt0" not in text
    assert "10.0.0.1\n" not in text
    assert node.ports["Ethernet1/1"] == "eth1"
    assert len(set(node.ports.values())) == len(device.interfaces.ethernet)
    assert KIND.options == {}


def test_divided_cages_are_refused() -> None:
    with pytest.raises(FabricError, match="Nexus 9000v"):
        KIND.fit(made("divided"))


def test_everything_left_out_is_said() -> None:
    concerned = {row.feature for row in KIND.omissions if row.concerns(samples()["demo backend leaf"])}
    assert len(concerned) > 5
    everywhere = [samples()["demo frontend leaf"], samples()["wide backend leaf"], samples()["demo backend spine"]]
    assert {row.feature for row in KIND.omissions} == concerned | {
        row.feature for row in KIND.omissions for device in everywhere if row.concerns(device)
    }
