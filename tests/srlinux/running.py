"""What a double of an SR Linux switch runs and shows in tests of the driver, and a configuration to put there."""

import json
from typing import Any

from fabricgen.platforms.srlinux.napalm_driver import SRLinuxDriver
from tests.doubles.srlinux_switch import Switch

SECONDS = 20
HASH, KEY, WORD = "$y$j9T$c4n4ry0a1b", "$aes1$c4n4rykey", "c4n4ry-clear-7"
SYSTEM, NI = "srl_nokia-system:system", "srl_nokia-network-instance:network-instance"
OWNED = {
    "srl_nokia-json-rpc:json-rpc-server": {"admin-state": "enable"},
    "srl_nokia-tls:tls": {"server-profile": [{"name": "own", "key": KEY}]},
}
USER = {"authentication": {"admin-user": {"password": HASH}}}
BEFORE: dict[str, Any] = {
    "_annotate": "a remark",
    SYSTEM: {"srl_nokia-system-name:name": {"host-name": "leaf"}, "srl_nokia-aaa:aaa": USER, **OWNED},
    "srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "description": "to spine", "mtu": 9232}],
    NI: [{"name": "default", "protocols": {"srl_nokia-bgp:bgp": {"neighbor": [
        {"peer-address": "10.0.0.1", "peer-group": "UP"}]}}}],
}  # fmt: skip
WANTED: dict[str, Any] = {
    SYSTEM: {"srl_nokia-system-name:name": {"host-name": "leaf"}, "srl_nokia-aaa:aaa": USER},
    "srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "description": "to the spine"}],
    NI: BEFORE[NI],
}
AFTER = {**WANTED, SYSTEM: {**WANTED[SYSTEM], **OWNED}}
WHOLE = json.dumps(WANTED)


def shown(path: str) -> object:
    """What the double has of its state."""
    counters = {"in-octets": "48049", "out-octets": "50229", "in-error-packets": "2"}
    return {
        "/system/name/host-name": "leaf",
        "/system/information": {"version": "v25.3.1-149-gd8b9bc97eb"},
        "/platform/chassis": {"type": "7220 IXR-D5", "serial-number": "NS7"},
        "/interface[name=*]": {"srl_nokia-interfaces:interface": [{"name": "ethernet-1/1", "statistics": counters}]},
        "/system/aaa": USER,
    }.get(path)


def opened(box: Switch, seconds: int = 5) -> SRLinuxDriver:
    """A driver of it, open."""
    found = SRLinuxDriver("127.0.0.1", "push", WORD, seconds, {"transport": "http", "port": box.port})
    found.open()
    return found
