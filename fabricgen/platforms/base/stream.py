"""What a switch can stream by gNMI, as a platform's table says it."""

from typing import NamedTuple


class Stream(NamedTuple):
    """One path of the switch's state.

    on_change  sent when it changes; else sampled
    lossless   there only where a lossless class is
    shows      what it tells, in words
    command    what shows the same on the switch
    source     who says that the switch has the path
    """

    name: str
    path: str
    on_change: bool
    lossless: bool
    shows: str
    command: str
    source: str
