"""SR Linux: the lossless class, read from rendered files by what the system means by its words."""

import json
import re

from tests.platform_case import Files, Lossless


def read(files: Files) -> Lossless:
    (text,) = files.values()
    words = json.dumps(json.loads(text))
    marks = re.findall(
        r'"min-threshold": "?(\d+)"?, "max-threshold": "?(\d+)"?, "max-drop-probability-percent": (\d+)', words
    )
    detect = re.search(r'"detection-timer": (\d+)', words)
    restore = re.search(r'"recovery-timer": (\d+)', words)
    pool = re.search(r'pfc-buffer-reservation": "?(\d+)', words)
    limits = set(map(int, re.findall(r'"unicast-\d", "maximum-burst-size": (\d+)', words)))
    pauses = set(map(int, re.findall(r'"pfc\d", "maximum-burst-size": (\d+)', words)))
    assert len(limits) == len(pauses) == 1
    return Lossless(
        ecn=frozenset((int(low), int(high), int(percent)) for low, high, percent in marks),
        headroom=frozenset(int(word) for word in re.findall(r'maximum-pfc-reserved-share-bytes": "?(\d+)', words)),
        watchdog=(int(detect[1]) if detect else None, int(restore[1]) if restore else None, None),
        pool=int(pool[1]) if pool else None,
        limit=limits.pop(),
        pause=pauses.pop(),
    )
