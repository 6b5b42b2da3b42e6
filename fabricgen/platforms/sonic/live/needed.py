"""Files of SONiC's gNMI server: certificate, key, and the authority of its clients."""

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.needed import GNMI, Needed, certificates
from fabricgen.platforms.base.live.reader import TEXT, ReadCommand

FOLDER = "/etc/sonic/telemetry"
FILES = ReadCommand("needed", "find /etc/sonic -path '*/telemetry/*'", TEXT)
"""Files in that folder; none, and no error, where there is no folder (find(1))."""


def needed(device: Device) -> tuple[Needed, ...]:
    """The files that `GNMI certs` names (templates/sonic/gnmi.j2; its NOTES.md)."""
    return tuple(
        Needed(
            what=f"a file of the certificate {name}",
            setting=setting,
            names=tuple(f"{FOLDER}/{file}" for file in (f"{name}.cer", f"{name}.key", f"{name}-ca.cer")),
            read=FILES,
            make=f"copy {name}.cer, {name}.key and {name}-ca.cer to {FOLDER} there",
        )
        for name, setting in certificates(device).items()
        if setting == GNMI
    )
