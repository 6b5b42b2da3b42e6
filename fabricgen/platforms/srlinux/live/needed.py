"""The TLS profile that SR Linux's gRPC server uses. A push keeps those that a switch has, and brings none."""

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.needed import GNMI, Needed, certificates
from fabricgen.platforms.base.live.reader import JSON, ReadCommand

PROFILES = ReadCommand("needed", "running /system/tls", JSON)
"""`server-profile` by name (Nokia's YANG of 25.3.1, srl_nokia-tls). `tls-profile` of a server is a leafref with
`require-instance false` there, so the switch takes the name of a missing one."""


def needed(device: Device) -> tuple[Needed, ...]:
    """The profile that `grpc-server` names (templates/srlinux/grpc-server.j2)."""
    return tuple(
        Needed(
            what=f"the TLS server profile {name}",
            setting=setting,
            names=(name,),
            read=PROFILES,
            make=f"set `/ system tls server-profile {name}` with its key and certificate there, and commit",
        )
        for name, setting in certificates(device).items()
        if setting == GNMI
    )
