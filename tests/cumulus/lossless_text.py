"""Cumulus Linux: the lossless class, read from rendered files by what the system means by its words."""

import yaml

from tests.platform_case import Files, Lossless


def read(files: Files) -> Lossless:
    (text,) = files.values()
    parts = yaml.safe_load(text)
    qos = next(part["set"]["qos"] for part in parts if "qos" in part.get("set", {}))
    marks = [row for profile in qos["congestion-control"].values() for row in profile["traffic-class"].values()]
    watchdog = qos["pfc-watchdog"]
    return Lossless(
        ecn=frozenset((row["min-threshold"], row["max-threshold"], row["probability"]) for row in marks),
        cables=frozenset(row["cable-length"] for row in qos["pfc"].values() if "cable-length" in row),
        watchdog=(watchdog["polling-interval"] * watchdog["robustness"], None, watchdog["polling-interval"]),
    )
