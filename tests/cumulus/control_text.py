"""Cumulus Linux: the path of control packets, read from rendered files."""

import re
from typing import Any

import yaml

from tests.platform_case import ControlPath, Files, Served
from tests.sonic.control_text import session_dscp


def read(files: Files) -> ControlPath:
    (name,) = files
    told: Any = yaml.safe_load(files[name])[0]["set"]
    qos = told["qos"]
    rows = qos["mapping"]["default-global"]["dscp"]
    classes = {int(dscp): int(row["switch-priority"]) for dscp, row in rows.items()}
    mapped = qos["egress-queue-mapping"]["default-global"]["switch-priority"]
    queues = {int(number): int(row["traffic-class"]) for number, row in mapped.items()}
    (profile,) = {row["qos"]["egress-scheduler"]["profile"] for row in told["interface"].values() if "qos" in row}
    caps = qos["egress-shaper"][profile]["traffic-class"]
    speed = int(re.findall(r"\d+", profile)[0])
    served = {
        int(queue): Served(
            row["mode"] == "strict",
            caps[queue]["max-rate"] // (speed * 10_000) if queue in caps else 100,
        )
        for queue, row in qos["egress-scheduler"][profile]["traffic-class"].items()
    }
    own = told["system"].get("config", {}).get("snippet", {}).get("frr.conf", "")
    return ControlPath(classes, queues, served, session_dscp=session_dscp(own))
