"""The certificate that Junos' gRPC server uses: it lies in the key store, outside of the configuration."""

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.needed import GNMI, Needed, certificates
from fabricgen.platforms.base.live.reader import TEXT, ReadCommand

CERTIFICATES = ReadCommand("needed", "show security pki local-certificate", TEXT)
"""Juniper's PKI user guide, and public automation over NAPALM. Its form was not seen: the name is looked for."""


def needed(device: Device) -> tuple[Needed, ...]:
    """The certificate of `grpc ssl`, with `use-pki` (templates/junos/system.j2). eAPI is no system of Junos."""
    return tuple(
        Needed(
            what=f"the certificate {name}",
            setting=setting,
            names=(name,),
            read=CERTIFICATES,
            make=f"type `request security pki local-certificate load certificate-id {name} filename "
            f"{name}.crt key {name}.key` there, after copying these files to it",
        )
        for name, setting in certificates(device).items()
        if setting == GNMI
    )
