"""A switch as a container of containerlab: names of ports, the type, and a file that Nokia's models take."""

import json

import pytest

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.platforms.srlinux.containerlab import KINDS, STARTUP, artifact
from tests.judges import srlinux
from tests.srlinux import xgs
from tests.srlinux.references import faults
from tests.srlinux.sites import render, samples

(KIND,) = KINDS
NAMES = ("bare backend leaf", "demo backend leaf", "demo frontend leaf", "pairs frontend border-leaf")


def text_in_lab(device: Device) -> str:
    fitted = KIND.fit(device)
    return KIND.make(fitted, {STARTUP: render(fitted)}).files[STARTUP]


def test_ports_and_type_are_the_containers() -> None:
    device = samples()["demo backend leaf"]
    node = KIND.make(device, {STARTUP: render(device)})
    assert node.ports["ethernet-1/1/1"] == "e1-1-1"
    assert node.ports["ethernet-1/33/1"] == "e1-33-1"
    assert KIND.make(samples()["demo frontend spine"], {STARTUP: render(device)}).ports["ethernet-1/2"] == "e1-2"
    assert node.keys == {"type": "ixr-h5-64d"}
    assert node.startup == STARTUP


@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_whole_in_itself(name: str) -> None:
    text = text_in_lab(samples()[name])
    assert list(faults(text)) == []
    for gone in ("srl_nokia-qos", "sflow", "snmp", "tacacs", "remote-server", "hash-seed", "storm-", '10.0.0.1"'):
        assert gone not in text
    assert text.lstrip().startswith("{")


def test_gnmi_has_the_profile_that_containerlab_makes() -> None:
    """nodes/srl/version_configs/tls_pre26_3.cfg and grpc.cfg of containerlab 39ff2b7."""
    device = samples()["demo backend leaf"]
    found = json.loads(text_in_lab(device))["srl_nokia-system:system"]
    assert [row["tls-profile"] for row in found["srl_nokia-grpc:grpc-server"]] == ["clab-profile"]
    assert "TLS profile of gNMI" in {row.feature for row in KIND.omissions if row.concerns(device)}


@pytest.mark.skipif(srlinux.available() is not None, reason=str(srlinux.available()))
@pytest.mark.parametrize("name", NAMES)
def test_the_models_take_it(name: str) -> None:
    assert xgs.faults(text_in_lab(samples()[name])) == []


def test_mgmt0_asks_for_its_address() -> None:
    found = json.loads(artifact(render(samples()["demo backend leaf"])))
    (port,) = [row for row in found["srl_nokia-interfaces:interface"] if row["name"] == "mgmt0"]
    assert "address" not in port["subinterface"][0]["ipv4"]
    (vrf,) = [row for row in found["srl_nokia-network-instance:network-instance"] if row["name"] == "mgmt"]
    assert not [key for key in vrf if "static-routes" in key or "next-hop-groups" in key]


def test_what_is_taken_off_is_told() -> None:
    told = {row.feature for row in KIND.omissions if row.concerns(samples()["demo backend leaf"])}
    assert "priority flow control, queues, ECN, watchdog" in told
    assert "storm control" in {row.feature for row in KIND.omissions if row.concerns(samples()["demo frontend leaf"])}
    assert "syslog, TACACS+, SNMP" not in {
        row.feature for row in KIND.omissions if row.concerns(samples()["pairs backend leaf"])
    }


def test_another_model_is_a_problem() -> None:
    device = samples()["demo backend leaf"]
    other = device._replace(hardware=device.hardware._replace(model="nokia-7220-ixr-z9"))
    with pytest.raises(FabricError) as told:
        KIND.fit(other)
    assert [problem.code for problem in told.value.problems] == ["platform-cannot"]
