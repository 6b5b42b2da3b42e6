"""The lossless class as it stands in rendered files, read by what each system means by its words.

No code of fabricgen is used: a reader knows the text alone. Octets and milliseconds; None: the files do not say it.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import yaml

Files = Mapping[str, str]


class Read(NamedTuple):
    """What the files of one switch say.

    ecn       of each profile of ports: (minimum, maximum, percent); on Junos in percent of the queue's limit
    headroom  octets of each kind of lossless port
    cables    metres that are said of lossless ports, where the switch computes headroom
    watchdog  detect, restore, poll
    pool      octets; on Junos and SR Linux percent of the memory
    counted   what a box that computes headroom counts with: its largest lossless packet, percent of small packets
    limit     octets that the lossless queue may grow to; pause: that a port fills before it pauses its peer
    """

    ecn: frozenset[tuple[int, int, int]]
    headroom: frozenset[int] = frozenset()
    cables: frozenset[int] = frozenset()
    watchdog: tuple[int | None, int | None, int | None] = (None, None, None)
    pool: int | None = None
    resume: int | None = None
    limit: int | None = None
    pause: int | None = None
    counted: tuple[int, int] | None = None


def eos(files: Files) -> Read:
    text = files["startup-config"]
    ecn = re.findall(
        r"random-detect ecn minimum-threshold (\d+) kbytes maximum-threshold (\d+) kbytes max-mark-probability (\d+)",
        text,
    )
    times = re.search(r"timer timeout ([\d.]+) polling-interval ([\d.]+) recovery-time ([\d.]+)", text)
    assert times is not None
    detect, poll, restore = (round(float(word) * 1000) for word in times.groups())
    pool = re.search(r"headroom-pool limit bytes (\d+)", text)
    return Read(
        ecn=frozenset((int(low) * 1000, int(high) * 1000, int(percent)) for low, high, percent in ecn),
        headroom=frozenset(map(int, re.findall(r"ingress headroom (\d+)", text))),
        watchdog=(detect, restore, poll),
        pool=int(pool[1]) if pool else None,
    )


def nxos(files: Files) -> Read:
    (text,) = files.values()
    found = re.findall(
        r"random-detect minimum-threshold (\d+) kbytes maximum-threshold (\d+) kbytes drop-probability (\d+)", text
    )
    return Read(ecn=frozenset((int(low) * 1000, int(high) * 1000, int(percent)) for low, high, percent in found))


def junos(files: Files) -> Read:
    (text,) = files.values()
    found = re.findall(r"fill-level \[ (\d+) (\d+) \];\s*drop-probability \[ 0 (\d+) \]", text)
    times = re.search(r"poll-interval (\d+);\s*detection (\d+);\s*recovery (\d+);", text)
    assert times is not None
    poll, periods, restore = map(int, times.groups())
    pool = re.search(r"buffer-partition lossless-headroom \{\s*percent (\d+);", text)
    resume = re.search(r"xon (\d+);", text)
    return Read(
        ecn=frozenset((int(low), int(high), int(percent)) for low, high, percent in found),
        cables=frozenset(map(int, re.findall(r"cable-length (\d+);", text))),
        watchdog=(poll * periods, restore, poll),
        pool=int(pool[1]) if pool else None,
        resume=int(resume[1]) if resume else None,
    )


def sonic(files: Files) -> Read:
    tables = json.loads(files["config_db.json"])
    wreds = tables["WRED_PROFILE"].values()
    profiles = tables["BUFFER_PROFILE"]
    used = {row["profile"] for row in tables["BUFFER_PG"].values()} & profiles.keys()
    lossless = [profiles[name] for name in used if "xoff" in profiles[name]]
    port = next(row for name, row in tables["PFC_WD"].items() if name != "GLOBAL")
    pool = tables["BUFFER_POOL"]["ingress_lossless_pool"].get("xoff")
    return Read(
        ecn=frozenset(
            (int(row["green_min_threshold"]), int(row["green_max_threshold"]), int(row["green_drop_probability"]))
            for row in wreds
        ),
        headroom=frozenset(int(row["xoff"]) for row in lossless),
        cables=frozenset(
            int(metres[:-1]) for row in tables.get("CABLE_LENGTH", {}).values() for metres in row.values()
        ),
        watchdog=(
            int(port["detection_time"]),
            int(port["restoration_time"]),
            int(tables["PFC_WD"]["GLOBAL"]["POLL_INTERVAL"]),
        ),
        pool=int(pool) if pool else None,
        resume=next((int(row["xon_offset"]) for row in lossless), None),
        counted=next(
            (
                (int(row["mtu"]), int(row["small_packet_percentage"]))
                for row in tables.get("LOSSLESS_TRAFFIC_PATTERN", {}).values()
            ),
            None,
        ),
    )


def cumulus(files: Files) -> Read:
    (text,) = files.values()
    parts = yaml.safe_load(text)
    qos = next(part["set"]["qos"] for part in parts if "qos" in part.get("set", {}))
    marks = [row for profile in qos["congestion-control"].values() for row in profile["traffic-class"].values()]
    watchdog = qos["pfc-watchdog"]
    return Read(
        ecn=frozenset((row["min-threshold"], row["max-threshold"], row["probability"]) for row in marks),
        cables=frozenset(row["cable-length"] for row in qos["pfc"].values() if "cable-length" in row),
        watchdog=(watchdog["polling-interval"] * watchdog["robustness"], None, watchdog["polling-interval"]),
    )


def srlinux(files: Files) -> Read:
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
    return Read(
        ecn=frozenset((int(low), int(high), int(percent)) for low, high, percent in marks),
        headroom=frozenset(int(word) for word in re.findall(r'maximum-pfc-reserved-share-bytes": "?(\d+)', words)),
        watchdog=(int(detect[1]) if detect else None, int(restore[1]) if restore else None, None),
        pool=int(pool[1]) if pool else None,
        limit=limits.pop(),
        pause=pauses.pop(),
    )


READERS: dict[str, Callable[[Files], Read]] = {
    "eos": eos,
    "nxos": nxos,
    "junos": junos,
    "sonic": sonic,
    "cumulus": cumulus,
    "srlinux": srlinux,
}
