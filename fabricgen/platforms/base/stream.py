"""What a switch can stream by gNMI, as a platform's table lists it."""

from typing import NamedTuple


class Stream(NamedTuple):
    """One path of the switch's state.

    on_change  sent when it changes; else sampled
    lossless   exists only with a lossless class
    shows      its meaning, in words
    command    CLI command that shows the same
    source     where it is documented that the switch has the path
    """

    name: str
    path: str
    on_change: bool
    lossless: bool
    shows: str
    command: str
    source: str
