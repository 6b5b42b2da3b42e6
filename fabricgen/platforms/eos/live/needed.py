"""Certificates that EOS's APIs use: files on the switch, outside of its configuration."""

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.needed import Needed, certificates
from fabricgen.platforms.base.live.reader import JSON, ReadCommand

CERTIFICATES = ReadCommand("needed", "show management security ssl certificate", JSON)
"""`certificates` by file name, such as ARISTA_ROOT_CA.crt (github.com/aristanetworks/anta, anta/tests/security.py,
VerifyAPISSLCertificate). No command was found that lists the keys."""


def needed(device: Device) -> tuple[Needed, ...]:
    """Certificate files of a switch's TLS profiles, `NAME.crt` (templates/eos/management-security.j2).

    The exec line is that of public configurations (aristanetworks' openmgmt, RESTCONF; AVD's labs); it also makes the
    key.
    """
    return tuple(
        Needed(
            what=f"the certificate {name}.crt",
            setting=setting,
            names=(f"{name}.crt",),
            read=CERTIFICATES,
            make=f"type `security pki certificate generate self-signed {name}.crt key {name}.key generate rsa 2048 "
            f"parameters common-name HOSTNAME` there, or copy {name}.crt and {name}.key to it",
        )
        for name, setting in certificates(device).items()
    )
