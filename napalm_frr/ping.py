"""Ping from a switch, by its own ping(8) of iputils."""

import re
from dataclasses import dataclass
from typing import Any

from napalm_frr.shell import Shell

SENT = re.compile(r"(\d+) packets transmitted, (\d+) received")
REPLY = re.compile(r"bytes from (\S+?)(?: \((\S+)\))?: .*time=([\d.]+) ms")
TIMES = re.compile(r"= ([\d.]+)/([\d.]+)/([\d.]+)/([\d.]+) ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class PingRequest:
    """Parameters of NAPALM's ping. seconds: wait after the last one. source and port: "" for the kernel's choice."""

    destination: str
    source: str
    ttl: int
    seconds: int
    size: int
    count: int
    vrf: str
    port: str


def ping(shell: Shell, probe: PingRequest) -> dict[str, Any]:
    """Return NAPALM's answer: `success` when ping could run, even without replies; otherwise `error`."""
    if probe.destination.startswith("-") or not probe.destination:
        return {"error": f"no destination: {probe.destination!r}"}
    result = shell.run(_words(probe), seconds=probe.count * 0.2 + probe.seconds + shell.seconds)
    sent = SENT.search(result.output)
    if sent is None:
        return {"error": (result.errors or result.output).strip().partition("\n")[0] or f"exit status {result.status}"}
    times = TIMES.search(result.output)
    low, mean, high, spread = (float(value) for value in times.groups()) if times else (0.0, 0.0, 0.0, 0.0)
    return {
        "success": {
            "probes_sent": int(sent[1]),
            "packet_loss": int(sent[1]) - int(sent[2]),
            "rtt_min": low,
            "rtt_max": high,
            "rtt_avg": mean,
            "rtt_stddev": spread,
            "results": [
                {"ip_address": reply[2] or reply[1], "rtt": float(reply[3])} for reply in REPLY.finditer(result.output)
            ],
        }
    }


def _words(probe: PingRequest) -> list[str]:
    """Command line of ping. `-I` takes a source and an interface separately; `ip vrf exec` enters a VRF device."""
    argv = ["ip", "vrf", "exec", probe.vrf] if probe.vrf not in ("", "global", "default") else []
    argv += ["ping", "-n", "-i", "0.2", "-c", str(probe.count), "-t", str(probe.ttl), "-W", str(probe.seconds)]
    argv += ["-s", str(probe.size)]
    for origin in (probe.source, probe.port):
        argv += ["-I", origin] if origin else []
    return [*argv, "--", probe.destination]
