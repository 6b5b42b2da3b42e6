"""A running switch of tests/judges/frr.py, asked by our reader through the driver of napalm_frr."""

import subprocess
from collections.abc import Callable, Iterable

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import CommandErrorException

from fabricgen.device.device import Device
from fabricgen.drivers.frr import FRR
from fabricgen.drivers.reader import Output, Read
from fabricgen.state.state import State
from tests.judges import frr
from tests.judges.frr import Loaded

LIVE = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")


def ask(switch: Loaded, device: Device, lldp_socket: str = "") -> State:
    """State of a switch, read as `verify` reads it."""
    options = {"transport": "local", "namespace": switch.namespace, "pathspace": switch.namespace}
    driver = get_network_driver(FRR.driver)(device.name, "", "", optional_args=options | {"lldp_socket": lldp_socket})
    names = FRR.vrf_names(device)
    driver.open()
    try:
        return FRR.state(_outputs(driver.cli, FRR.reads(names)), names)
    finally:
        driver.close()


def _outputs(cli: Callable[..., dict[str, object]], reads: Iterable[Read]) -> dict[str, Output]:
    found = {}
    for read in reads:
        try:
            found[read.command] = Output(cli([read.command], encoding=read.encoding)[read.command])
        except CommandErrorException as error:
            found[read.command] = Output(None, str(error))
    return found


def run(switch: Loaded, *command: str) -> str:
    """Output of a program on a switch."""
    words = ["nsenter", f"--net=/run/netns/{switch.namespace}", *command]
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=30).stdout
