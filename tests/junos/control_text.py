"""Junos: the path of control packets, read from rendered files."""

import re

from tests.platform_case import ControlPath, Files, Served


def read(files: Files) -> ControlPath:
    text = files["juniper.conf"]
    queue_of = {a: int(b) for a, b in re.findall(r"^        class (\S+) queue-num (\d)", text, re.MULTILINE)}
    rows = re.findall(r"forwarding-class (\S+) \{\n\s+loss-priority low code-points \[ ([01 ]+) \]", text)
    classes = {int(bits, 2): queue_of[name] for name, points in rows for bits in points.split()}
    served = {}
    schedulers = dict(re.findall(r"^        (ROCE-\S+) \{\n((?:            .*\n)+)", text, re.MULTILINE))
    for name, scheduler in re.findall(r"forwarding-class (\S+) scheduler (\S+);", text):
        cap = re.findall(r"shaping-rate percent (\d+)", schedulers[scheduler])
        served[queue_of[name]] = Served("strict-high" in schedulers[scheduler], int(cap[0]) if cap else 100)
    own = re.findall(
        r"^    host-outbound-traffic \{\n        forwarding-class (\S+);\n        dscp-code-point ([01]+);",
        text,
        re.MULTILINE,
    )
    return ControlPath(
        classes,
        {number: number for number in queue_of.values()},
        served,
        session_dscp=int(own[0][1], 2) if own else None,
        leaves_by=queue_of[own[0][0]] if own else None,
    )
