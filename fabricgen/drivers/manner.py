"""How one NAPALM driver commits: what it can, and what a push must do in its stead. Data; see `manners.py`."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.drivers.reader import Outputs, Read


class Closing(StrEnum):
    """What becomes of a timed commit when the driver is closed."""

    KEEPS = "keeps"
    ABORTS = "aborts"


class Manner(NamedTuple):
    """One driver.

    driver    its NAPALM name
    timed     a commit reverts by itself unless it is confirmed
    step      of the time to revert in, seconds: a driver may take whole minutes only
    replaces  a whole configuration can be replaced by rendered text
    says      a commit carries a message
    closing   see Closing
    comment   first characters of a line of remark in its running configuration
    files     name of an artifact → its path on the switch, of those that are pushed beside the main one
    proven    by what a push was proven on the real thing; "" where only doubles have seen it
    limits    what an operator must know, a sentence each, with its source
    drain     (drained Device, running text) → lines to merge that drain the sessions which stand there; "" where none
              of them can be
    signs     what to ask a switch for routes that carry the graceful-shutdown community (RFC 8326)
    seen      their outputs → addresses of BGP peers from which such routes came
    """

    driver: str
    timed: bool
    step: int
    replaces: bool
    says: bool
    closing: Closing
    comment: str
    files: Mapping[str, str]
    proven: str
    limits: tuple[str, ...]
    drain: Callable[[Device, str], str]
    signs: tuple[Read, ...]
    seen: Callable[[Outputs], frozenset[str]]
