"""SR Linux: the path of control packets, read from rendered files."""

import json

from tests.platform_case import ControlPath, Files, Served


def read(files: Files) -> ControlPath:
    qos = json.loads(files["config.json"])["srl_nokia-qos:qos"]
    index = {row["name"]: int(row["queue-index"]) for row in qos["queues"]["queue"]}
    rows = qos["forwarding-classes"]["forwarding-class"]
    number = {row["name"]: int(row["forwarding-class-index"]) for row in rows}
    queues = {number[row["name"]]: index[row["output"]["unicast-queue"]] for row in rows}
    (policy,) = qos["classifiers"]["dscp-policy"]
    classes = {int(row["value"]): number[row["forwarding-class"]] for row in policy["dscp"]}
    served = {
        index[row["queue-name"]]: Served(scheduler.get("priority") == "strict", int(row["peak-rate-percent"]))
        for scheduler in qos["scheduler-policies"]["scheduler-policy"][0]["scheduler"]
        for row in scheduler["input"]
    }
    return ControlPath(classes, queues, served)
