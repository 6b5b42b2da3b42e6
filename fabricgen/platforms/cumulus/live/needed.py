"""Certificates that NVUE's API and gNMI server use: they are imported, and no part of the configuration."""

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.needed import Needed, certificates
from fabricgen.platforms.base.live.reader import JSON, ReadCommand

CERTIFICATES = ReadCommand("needed", "nv show system security certificate -o json", JSON)
"""All entity certificates, since 5.7 (github.com/CumulusNetworks/docs, NVUE reference, Security). The form of its JSON
is not shown there: the name is looked for."""


def needed(device: Device) -> tuple[Needed, ...]:
    """The certificates of `system api` and of `gnmi-server` (the same docs: NVUE reference, API; gNMI Streaming)."""
    return tuple(
        Needed(
            what=f"the certificate {name}",
            setting=setting,
            names=(name,),
            read=CERTIFICATES,
            make=f"type `nv action import system security certificate {name} passphrase PASSPHRASE uri-bundle URI` "
            "there",
        )
        for name, setting in certificates(device).items()
    )
