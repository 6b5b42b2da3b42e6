"""SONiC: the path of control packets, read from rendered files."""

import json
import re
from typing import Any

from tests.platform_case import ControlPath, Files, Served


def read(files: Files) -> ControlPath:
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
            cap = int(told["pir"]) * 100 // octets[row] if "pir" in told else 100
            served[queue] = Served(told["type"] == "STRICT", cap)
    return ControlPath(
        classes,
        queues,
        served,
        unbacked=tuple(f"{table}|{key}" for key, table in wanted if key not in db.get(table, {})),
        session_dscp=session_dscp(files.get("frr.conf", "")),
    )


def session_dscp(text: str) -> int | None:
    """DSCP of BGP in a frr.conf."""
    found = re.findall(r"^bgp session-dscp (\d+)$", text, re.MULTILINE)
    return int(found[0]) if found else None
