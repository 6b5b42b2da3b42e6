"""The driver of a switch of a lab, as the lab's inventory has it."""

from pathlib import Path

import yaml
from napalm import get_network_driver

from napalm_frr import FRRDriver


def driver(folder: Path, switch: str) -> FRRDriver:
    """A driver that is not open yet."""
    row = yaml.safe_load((folder / "inventory/hosts.yaml").read_text())[switch]
    arguments = row["connection_options"]["napalm"]["extras"]["optional_args"]
    found: FRRDriver = get_network_driver(row["platform"])(switch, "", "", optional_args=arguments)
    return found
