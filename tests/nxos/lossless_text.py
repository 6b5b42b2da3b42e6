"""NX-OS: the lossless class, read from rendered files by what the system means by its words."""

import re

from tests.platform_case import Files, Lossless


def read(files: Files) -> Lossless:
    (text,) = files.values()
    found = re.findall(
        r"random-detect minimum-threshold (\d+) kbytes maximum-threshold (\d+) kbytes drop-probability (\d+)", text
    )
    return Lossless(ecn=frozenset((int(low) * 1000, int(high) * 1000, int(percent)) for low, high, percent in found))
