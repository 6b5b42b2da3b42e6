"""SONiC: the lossless class, read from rendered files by what the system means by its words."""

import json

from tests.platform_case import Files, Lossless


def read(files: Files) -> Lossless:
    tables = json.loads(files["config_db.json"])
    wreds = tables["WRED_PROFILE"].values()
    profiles = tables["BUFFER_PROFILE"]
    used = {row["profile"] for row in tables["BUFFER_PG"].values()} & profiles.keys()
    lossless = [profiles[name] for name in used if "xoff" in profiles[name]]
    port = next(row for name, row in tables["PFC_WD"].items() if name != "GLOBAL")
    pool = tables["BUFFER_POOL"]["ingress_lossless_pool"].get("xoff")
    return Lossless(
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
