"""NX-OS: the path of control packets, read from rendered files."""

import re

from tests.platform_case import ControlPath, Files, Served


def read(files: Files) -> ControlPath:
    text = files["running-config"]
    marked = dict(re.findall(r"^class-map type qos match-any (\S+)\n  match dscp (\S+)$", text, re.MULTILINE))
    groups = re.findall(r"^  class (\S+)\n    set qos-group (\d)$", text, re.MULTILINE)
    classes = dict.fromkeys(range(64), int(dict(groups)["class-default"]))
    for name, group in groups:
        classes |= {int(dscp): int(group) for dscp in marked.get(name, "").split(",") if dscp}
    policy = re.findall(r"^policy-map type queuing OUT-ROCE-(\d+)G\n((?:  .*\n)+)", text, re.MULTILINE)
    speed, body = int(policy[0][0]), policy[0][1]
    served = {}
    for number, rows in re.findall(r"^  class type queuing c-out-8q-q(\S+)\n((?:    .*\n)+)", body, re.MULTILINE):
        cap = re.findall(r"shape min 0 mbps max (\d+) (mbps|gbps)", rows)
        percent = int(cap[0][0]) * (1000 if cap[0][1] == "gbps" else 1) // (speed * 10) if cap else 100
        served[int(number.strip("-").replace("default", "0"))] = Served("priority level" in rows, percent)
    return ControlPath(classes, {number: number for number in range(8)}, served)
