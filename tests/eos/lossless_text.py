"""Arista EOS: the lossless class, read from rendered files by what the system means by its words."""

import re

from tests.platform_case import Files, Lossless


def read(files: Files) -> Lossless:
    text = files["startup-config"]
    ecn = re.findall(
        r"random-detect ecn minimum-threshold (\d+) kbytes maximum-threshold (\d+) kbytes max-mark-probability (\d+)",
        text,
    )
    times = re.search(r"timer timeout ([\d.]+) polling-interval ([\d.]+) recovery-time ([\d.]+)", text)
    assert times is not None
    detect, poll, restore = (round(float(word) * 1000) for word in times.groups())
    pool = re.search(r"headroom-pool limit bytes (\d+)", text)
    return Lossless(
        ecn=frozenset((int(low) * 1000, int(high) * 1000, int(percent)) for low, high, percent in ecn),
        headroom=frozenset(map(int, re.findall(r"ingress headroom (\d+)", text))),
        watchdog=(detect, restore, poll),
        pool=int(pool[1]) if pool else None,
    )
