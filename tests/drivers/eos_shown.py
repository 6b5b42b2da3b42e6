"""What the EOS driver makes of outputs."""

from fabricgen.drivers.eos import EOS
from fabricgen.drivers.reader import Output, Outputs
from fabricgen.state.state import State

REFUSED = Output(None, "{'show x': 'Invalid command: \"show x\"'}")
"""What NAPALM's `cli` makes of eAPI's error 1002."""


def shown(outputs: Outputs) -> State:
    """State of a switch that shows these outputs."""
    return EOS.state(outputs, {})


def of(command: str, value: object) -> State:
    """State of a switch that answered one command."""
    return shown({command: Output(value)})
