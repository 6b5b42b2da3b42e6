"""Counters of a port that a change of the fabric may make worse, and where each platform's reader gets them."""

from enum import StrEnum
from typing import NamedTuple


class PortCounter(StrEnum):
    """A counter of one port.

    DROPS     packets dropped of a lossless class
    WATCHDOG  times that the PFC watchdog found a queue that did not drain
    CRC       frames received with a wrong check sequence
    FEC       code words that forward error correction could not correct
    FLAPS     changes of the link's state
    PFC       pause frames, received and sent
    ECN       packets marked
    """

    DROPS = "lossless-drops"
    WATCHDOG = "watchdog"
    CRC = "crc"
    FEC = "fec"
    FLAPS = "flaps"
    PFC = "pfc"
    ECN = "ecn"


class CounterSource(NamedTuple):
    """Where a reader gets a counter, and what is known of it; if is_read is False, why it has none."""

    is_read: bool
    words: str


def read_by(words: str) -> CounterSource:
    """A counter that is read."""
    return CounterSource(is_read=True, words=words)


def not_read(words: str) -> CounterSource:
    """A counter that is not."""
    return CounterSource(is_read=False, words=words)
