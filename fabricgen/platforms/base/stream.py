"""What a switch can stream by gNMI, as a platform's table lists it."""

from typing import NamedTuple

from fabricgen.platforms.base.release import is_at_least


class Stream(NamedTuple):
    """One path of the switch's state.

    on_change  sent when it changes; else sampled
    lossless   exists only with a lossless class
    shows      its meaning, in words
    command    CLI command that shows the same
    source     where it is documented that the switch has the path
    origin     name of the path's model, where a subscription must name it; empty: the server's default
    target     database of the switch that has the path; empty if the server has one tree
    since      first release that has it; empty if all known ones have it
    until      first release that has it no more; empty if the newest has it
    """

    name: str
    path: str
    on_change: bool
    lossless: bool
    shows: str
    command: str
    source: str
    origin: str = ""
    target: str = ""
    since: str = ""
    until: str = ""

    def is_in(self, version: str) -> bool:
        """Whether a release has the path."""
        has_begun = not self.since or is_at_least(version, self.since)
        return has_begun and not (self.until and is_at_least(version, self.until))
