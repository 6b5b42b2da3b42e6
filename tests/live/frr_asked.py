"""A running switch of tests/judges/frr.py, asked by our reader through the driver of napalm_frr."""

import subprocess
from typing import Any

import pytest
from napalm import get_network_driver
from napalm.base.exceptions import CommandErrorException

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, ReadCommand
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.state.state import State
from tests.judges import frr
from tests.judges.frr import Loaded

LIVE = pytest.mark.skipif(frr.available() is not None, reason=f"judge: {frr.available()}")


def ask(switch: Loaded, device: Device, lldp_socket: str = "", part: str = "") -> State:
    """State of a switch, read as `verify` reads it; or one part alone."""
    options = {"transport": "local", "namespace": switch.namespace, "pathspace": switch.namespace}
    driver = get_network_driver(FRR.driver)(device.name, "", "", optional_args=options | {"lldp_socket": lldp_socket})
    names = FRR.vrf_names(device)
    driver.open()
    try:
        reads = tuple(read for read in FRR.reads(names) if part in ("", read.part))
        return FRR.state(outputs(driver, reads), names)
    finally:
        driver.close()


def outputs(driver: Any, reads: tuple[ReadCommand, ...]) -> dict[str, Output]:  # noqa: ANN401 - NAPALM has no types
    """What a switch says, all that can be asked together, as `verify` asks."""
    said = driver.answers({read.command: read.encoding for read in reads})
    found = {command: Output(answer.value, answer.error) for command, answer in said.items()}
    for read in reads:
        if read.command not in found:
            found[read.command] = _output(driver, read)
    return found


def _output(driver: Any, read: ReadCommand) -> Output:  # noqa: ANN401
    try:
        return Output(driver.cli([read.command], encoding=read.encoding)[read.command])
    except CommandErrorException as error:
        return Output(None, str(error))


def run(switch: Loaded, *command: str) -> str:
    """Output of a program on a switch."""
    words = ["nsenter", f"--net=/run/netns/{switch.namespace}", *command]
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=120).stdout
