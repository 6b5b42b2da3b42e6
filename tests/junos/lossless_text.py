"""Junos: the lossless class, read from rendered files by what the system means by its words."""

import re

from tests.platform_case import Files, Lossless


def read(files: Files) -> Lossless:
    (text,) = files.values()
    found = re.findall(r"fill-level \[ (\d+) (\d+) \];\s*drop-probability \[ 0 (\d+) \]", text)
    times = re.search(r"poll-interval (\d+);\s*detection (\d+);\s*recovery (\d+);", text)
    assert times is not None
    poll, periods, restore = map(int, times.groups())
    pool = re.search(r"buffer-partition lossless-headroom \{\s*percent (\d+);", text)
    resume = re.search(r"xon (\d+);", text)
    return Lossless(
        ecn=frozenset((int(low), int(high), int(percent)) for low, high, percent in found),
        cables=frozenset(map(int, re.findall(r"cable-length (\d+);", text))),
        watchdog=(poll * periods, restore, poll),
        pool=int(pool[1]) if pool else None,
        resume=int(resume[1]) if resume else None,
    )
