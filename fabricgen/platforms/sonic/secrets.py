"""What the values of secrets must be on SONiC. Its accounts are in no table: no file has a password of one.

What signs a value has, the form of the file says (`sonic.py`); here is how long it is.
"""

from collections.abc import Mapping
from types import MappingProxyType

from fabricgen.device.references import BGP_PASSWORD, SNMP_AUTH, SNMP_PRIVACY, TACACS_KEY
from fabricgen.platforms.base.secret_shape import LEAST_SNMP, MOST_MD5, SecretShape, Shapes, clear

MODELS = "sonic-buildimage, src/sonic-yang-models"
MOST_SNMP = 64
MOST_TACACS: Mapping[str, int] = MappingProxyType({"202505": 65, "master": 256})
"""Release → characters of a key of TACACS+."""
SNMP = SecretShape(
    (clear(LEAST_SNMP, MOST_SNMP),),
    "its model takes no other password of a user with privacy",
    f"{MODELS}, sonic-snmp.yang of 202505 and of master (2026-08)",
)


def secrets(version: str) -> Shapes:
    """Field → what its value must be in a release."""
    release = version.partition(".")[0]
    return {
        TACACS_KEY: SecretShape(
            (clear(most=MOST_TACACS[release]),),
            "its model takes no longer `passkey`",
            f"{MODELS}, sonic-system-tacacs.yang of {release}",
        ),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_MD5),),
            "its bgpd is FRR's, which refuses a key of TCP-MD5 that is longer",
            "github.com/FRRouting/frr: bgpd/bgpd.h, PEER_PASSWORD_MAXLEN",
        ),
    }
