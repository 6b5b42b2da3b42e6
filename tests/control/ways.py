"""What a rendered switch does with control packets: mark, class, queue, priority group, buffer; from text alone."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import yaml

Files = Mapping[str, str]
DSCPS = range(64)
WHOLE = 100


class Served(NamedTuple):
    """How a queue is served: strict or by weight, and the most percent of the port that it may send."""

    strict: bool
    cap: int


class Way(NamedTuple):
    """One switch.

    classes   DSCP → traffic class; queues: class → egress queue
    served    queue → scheduler, the same for all ports
    unbacked  what a code point reaches and that has no buffer or no scheduler, in words
    told      DSCP that the files give BGP's packets, None where they say nothing of it
    leaves_by queue that the files put the switch's own packets into, None where they say nothing of it
    """

    classes: Mapping[int, int]
    queues: Mapping[int, int]
    served: Mapping[int, Served]
    unbacked: tuple[str, ...] = ()
    told: int | None = None
    leaves_by: int | None = None

    def queue(self, dscp: int) -> int:
        """Egress queue of a code point."""
        return self.queues[self.classes[dscp]]


def eos(files: Files) -> Way:
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
        served[int(number)] = Served("priority strict" in body, int(cap[0]) if cap else WHOLE)
    # A queue that a profile is silent of is strict without a cap.
    return Way(classes, queues, {queue: served.get(queue, Served(True, WHOLE)) for queue in set(queues.values())})


def nxos(files: Files) -> Way:
    text = files["running-config"]
    marked = dict(re.findall(r"^class-map type qos match-any (\S+)\n  match dscp (\S+)$", text, re.MULTILINE))
    groups = re.findall(r"^  class (\S+)\n    set qos-group (\d)$", text, re.MULTILINE)
    classes = dict.fromkeys(DSCPS, int(dict(groups)["class-default"]))
    for name, group in groups:
        classes |= {int(dscp): int(group) for dscp in marked.get(name, "").split(",") if dscp}
    policy = re.findall(r"^policy-map type queuing OUT-ROCE-(\d+)G\n((?:  .*\n)+)", text, re.MULTILINE)
    speed, body = int(policy[0][0]), policy[0][1]
    served = {}
    for number, rows in re.findall(r"^  class type queuing c-out-8q-q(\S+)\n((?:    .*\n)+)", body, re.MULTILINE):
        cap = re.findall(r"shape min 0 mbps max (\d+) (mbps|gbps)", rows)
        percent = int(cap[0][0]) * (1000 if cap[0][1] == "gbps" else 1) // (speed * 10) if cap else WHOLE
        served[int(number.strip("-").replace("default", "0"))] = Served("priority level" in rows, percent)
    return Way(classes, {number: number for number in range(8)}, served)


def junos(files: Files) -> Way:
    text = files["juniper.conf"]
    queue_of = {a: int(b) for a, b in re.findall(r"^        class (\S+) queue-num (\d)", text, re.MULTILINE)}
    rows = re.findall(r"forwarding-class (\S+) \{\n\s+loss-priority low code-points \[ ([01 ]+) \]", text)
    classes = {int(bits, 2): queue_of[name] for name, points in rows for bits in points.split()}
    served = {}
    schedulers = dict(re.findall(r"^        (ROCE-\S+) \{\n((?:            .*\n)+)", text, re.MULTILINE))
    for name, scheduler in re.findall(r"forwarding-class (\S+) scheduler (\S+);", text):
        cap = re.findall(r"shaping-rate percent (\d+)", schedulers[scheduler])
        served[queue_of[name]] = Served("strict-high" in schedulers[scheduler], int(cap[0]) if cap else WHOLE)
    own = re.findall(
        r"^    host-outbound-traffic \{\n        forwarding-class (\S+);\n        dscp-code-point ([01]+);",
        text,
        re.MULTILINE,
    )
    return Way(
        classes,
        {number: number for number in queue_of.values()},
        served,
        told=int(own[0][1], 2) if own else None,
        leaves_by=queue_of[own[0][0]] if own else None,
    )


def srlinux(files: Files) -> Way:
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
    return Way(classes, queues, served)


def cumulus(files: Files) -> Way:
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
            caps[queue]["max-rate"] // (speed * 10_000) if queue in caps else WHOLE,
        )
        for queue, row in qos["egress-scheduler"][profile]["traffic-class"].items()
    }
    own = told["system"].get("config", {}).get("snippet", {}).get("frr.conf", "")
    return Way(classes, queues, served, told=_session_dscp(own))


def sonic(files: Files) -> Way:
    db: Any = json.loads(files["config_db.json"])
    classes = {int(dscp): int(number) for dscp, number in db["DSCP_TO_TC_MAP"]["FABRIC"].items()}
    queues = {int(number): int(queue) for number, queue in db["TC_TO_QUEUE_MAP"]["FABRIC"].items()}
    groups = {int(number): int(group) for number, group in db["TC_TO_PRIORITY_GROUP_MAP"]["FABRIC"].items()}
    ports = [port for port in db["PORT_QOS_MAP"] if port != "global"]
    wanted = [(f"{port}|{groups[number]}", "BUFFER_PG") for port in ports for number in set(classes.values())]
    wanted += [
        (f"{port}|{queues[number]}", table)
        for port in ports
        for number in set(classes.values())
        for table in ("BUFFER_QUEUE", "QUEUE")
    ]
    row = next(iter(ports))
    octets = {port: int(db["PORT"][port]["speed"]) * 125_000 for port in ports}
    served = {}
    for queue in set(queues.values()):
        scheduler = db["QUEUE"].get(f"{row}|{queue}", {}).get("scheduler")
        if scheduler is not None:
            told = db["SCHEDULER"][scheduler]
            cap = int(told["pir"]) * 100 // octets[row] if "pir" in told else WHOLE
            served[queue] = Served(told["type"] == "STRICT", cap)
    return Way(
        classes,
        queues,
        served,
        unbacked=tuple(f"{table}|{key}" for key, table in wanted if key not in db.get(table, {})),
        told=_session_dscp(files.get("frr.conf", "")),
    )


def _session_dscp(text: str) -> int | None:
    found = re.findall(r"^bgp session-dscp (\d+)$", text, re.MULTILINE)
    return int(found[0]) if found else None


READERS: Mapping[str, Callable[[Files], Way]] = {
    "eos": eos,
    "nxos": nxos,
    "junos": junos,
    "srlinux": srlinux,
    "cumulus": cumulus,
    "sonic": sonic,
    "sonic-202505": sonic,
}
