"""Arista EOS: the path of control packets, read from rendered files."""

import re

from tests.platform_case import ControlPath, Files, Served


def read(files: Files) -> ControlPath:
    text = files["startup-config"]
    rows = re.findall(r"^qos map dscp ([\d ]+) to traffic-class (\d)$", text, re.MULTILINE)
    classes = {int(dscp): int(number) for dscps, number in rows for dscp in dscps.split()}
    queues = {7: 7} | {
        int(a): int(b) for a, b in re.findall(r"^qos map traffic-class (\d) to tx-queue (\d)$", text, re.MULTILINE)
    }
    profile = re.findall(r"^qos profile \S+\n((?:   .*\n)+)", text, re.MULTILINE)[0]
    served = {}
    for number, body in re.findall(r"^   (?:uc-)?tx-queue (\d)\n((?:      .*\n)+)", profile, re.MULTILINE):
        cap = re.findall(r"shape rate (\d+) percent", body)
        served[int(number)] = Served("priority strict" in body, int(cap[0]) if cap else 100)
    # A queue that a profile is silent of is strict without a cap.
    return ControlPath(classes, queues, {queue: served.get(queue, Served(True, 100)) for queue in set(queues.values())})
