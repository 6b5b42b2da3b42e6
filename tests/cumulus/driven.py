"""A switch with NVUE behind SSH, as tests of the driver and of a push need it: doubles, and small configurations."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fabricgen.platforms.cumulus.napalm_driver import CumulusDriver
from tests.doubles.cumulus_nvue import Switch
from tests.doubles.ssh_server import Server, serving
from tests.push.boxed import CANARY, LOGIN, USER

SECRET = "c4n4ry-bgp-77ab1"  # noqa: S105 - of doubles
BEFORE = """- set:
    interface:
      lo:
        ip:
          address:
            10.0.0.1/32: {}
        type: loopback
    system:
      aaa:
        user:
          cumulus:
            hashed-password: $6$c4n4ry$0a1b2c3d4e5f6071
            role: system-admin
      hostname: leaf
"""
AFTER = BEFORE.replace("            10.0.0.1/32: {}\n", "            10.0.0.1/32: {}\n            10.77.0.1/32: {}\n")
ADDED = "10.77.0.1/32"
HIDDEN = (
    AFTER
    + f"""- set:
    vrf:
      RED:
        router:
          bgp:
            neighbor:
              172.31.0.1:
                password: {SECRET}
                remote-as: 64601
"""
)
PATCH = "- set:\n    interface:\n      lo:\n        ip:\n          address:\n            10.77.0.1/32: {}\n"
SHOWN = {
    "nv show system -o json": {"hostname": "leaf", "product-release": "5.11.0", "uptime": 12},
    "nv show system maintenance -o json": {"mode": "disabled", "ports": "enabled"},
    "show version": "FRRouting 8.4.3 (leaf) on Linux\n",
    "show daemons": " zebra bgpd watchfrr staticd\n",
    "show bgp vrf all neighbors json": {"default": {"vrfName": "default"}},
    "ip -j link show": [{"ifname": "lo"}, {"ifname": "swp1"}],
    "ip -j -s link show": [
        {"ifname": "swp1", "stats64": {"rx": {"bytes": 7, "errors": 0}, "tx": {"bytes": 9, "errors": 1}}},
    ],
    "decode-syseeprom -j": {"tlv": {"Product Name": {"value": "SN5600"}, "Serial Number": {"value": "MT1"}}},
}  # fmt: skip


class Stand(NamedTuple):
    """A double, the server in front of it, and its known_hosts."""

    switch: Switch
    server: Server
    known: Path

    def driver(self, **more: object) -> CumulusDriver:
        """A driver of it, not open."""
        user, password = str(more.pop("user", USER)), str(more.pop("password", CANARY))
        options = {"port": self.server.port, "known_hosts": str(self.known), "settle_seconds": 2, **more}
        return CumulusDriver("127.0.0.1", user, password, timeout=5, optional_args=options)


@contextmanager
def standing(folder: Path, applied: str = BEFORE) -> Iterator[Stand]:
    """A switch that runs this."""
    folder.mkdir(parents=True, exist_ok=True)
    switch = Switch(applied, shows=SHOWN.get)
    with serving(LOGIN, switch.run) as server:
        yield Stand(switch, server, server.known(folder / "known_hosts"))
