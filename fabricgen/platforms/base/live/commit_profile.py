"""How one NAPALM driver commits: what it supports, and what a push must do instead. Data; see `commit_profiles.py`."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.marks import ByHop, unread
from fabricgen.platforms.base.live.needed import Needed, nothing
from fabricgen.platforms.base.live.reader import Outputs, ReadCommand


def as_it_is(difference: str) -> str:
    """Return the difference unchanged, for drivers that set signs themselves."""
    return difference


class Respelled(NamedTuple):
    """A secret that a switch stores in its own form, so that it always differs from what was committed.

    line    regular expression that is searched in the line, its secret masked
    source  where this is documented
    """

    line: str
    source: str


class Interruption(NamedTuple):
    """How long a change of one risk may interrupt traffic and sessions. unsure: no source has measured it there."""

    seconds: float
    source: str
    unsure: bool = False


NO_LOSS = Interruption(0, "what is hitless loses nothing: platforms/base/cost.py, Risk")
HARMLESS = {Risk.NONE: NO_LOSS, Risk.HITLESS: NO_LOSS}
"""Interruptions by changes that every system makes without a loss."""


ASSUMED = "assumed"


class Pace(NamedTuple):
    """Durations on one switch, in seconds.

    answer  of one question; commit: from its order to its end
    quiet   from the drain of a switch until its ports are quiet
    source  where the figures are from; no source measures those of our platforms
    """

    answer: float
    commit: float
    quiet: float = 45
    """The middle of the 30 to 60 s of the lab, see docs/push.md, "One link"."""
    source: str = ASSUMED


class CommitProfile(NamedTuple):
    """One driver.

    driver           its NAPALM name
    timed            a commit reverts by itself unless it is confirmed
    pace             how fast a switch is, until a push has measured it
    step             unit of the time to revert in, seconds: a driver may accept whole minutes only
    replaces         a whole configuration can be replaced by rendered text
    carries_message  a commit carries a message
    comment          first characters of a remark in its running configuration
    files            name of an artifact → its path on the switch, of those that are pushed in addition to the main one
    heads            name of one of those → regular expression of a line that begins a section there; for others indents
                     do
    proven           by what a push was proven on the real system; "" if only doubles were tested
    limits           what an operator must know, one sentence each, with its source
    drain            (drained Device, running text) → lines to merge that drain those sessions that the running text
                     has; "" if none of them can be drained
    signs            commands that show routes with the graceful-shutdown community (RFC 8326)
    draining_peers   their outputs → addresses of BGP peers from which such routes came
    overlay          commands that show EVPN routes and which of them carry the community; () if none is known
    marks            their outputs → counts by next hop; None if they cannot be read
    interrupts       risk of a change → how long it may interrupt; unknown for a risk that is not listed
    signed           a difference in the driver's format → with - and + before the lines that go and come
    respelled        differences by a secret alone that a switch shows though it runs what was committed; no other is
                     normal
    api_line         regular expression of the line that turns on the HTTP API by which the driver comes; "" where no
                     pushed configuration turns it off
    needed           Device → what its configuration names and a push does not bring
    """

    driver: str
    timed: bool
    pace: Pace
    step: int
    replaces: bool
    carries_message: bool
    comment: str
    files: Mapping[str, str]
    proven: str
    limits: tuple[str, ...]
    drain: Callable[[Device, str], str]
    signs: tuple[ReadCommand, ...]
    draining_peers: Callable[[Outputs], frozenset[str]]
    overlay: tuple[ReadCommand, ...] = ()
    marks: Callable[[Outputs], ByHop | None] = unread
    respelled: tuple[Respelled, ...] = ()
    signed: Callable[[str], str] = as_it_is
    interrupts: Mapping[Risk, Interruption] = MappingProxyType(HARMLESS)
    heads: Mapping[str, str] = MappingProxyType({})
    api_line: str = ""
    needed: Callable[[Device], tuple[Needed, ...]] = nothing

    @property
    def heads_by_path(self) -> Mapping[str, str]:
        """`heads` by the path of the file."""
        return {self.files[name]: head for name, head in self.heads.items()}
