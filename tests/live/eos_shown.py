"""What the EOS driver makes of outputs."""

from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.eos.live.reader import EOS
from fabricgen.state.state import State

REFUSED = Output(None, "{'show x': 'Invalid command: \"show x\"'}")
"""What NAPALM's `cli` makes of eAPI's error 1002."""


def shown(outputs: Outputs) -> State:
    """State of a switch that shows these outputs."""
    return EOS.state(outputs, {})


def of(command: str, value: object) -> State:
    """State of a switch that answered one command."""
    return shown({command: Output(value)})
