"""Constraints on secret values on SONiC. Its accounts are in no table, so no file has a password of an account.

Allowed characters are part of the file's form (`platform.py`); lengths are here.
"""

from fabricgen.device.references import BGP_PASSWORD, FABRIC_PASSWORD, SNMP_AUTH, SNMP_PRIVACY, TACACS_KEY
from fabricgen.platforms.base.release import is_at_least
from fabricgen.platforms.base.secret_shape import FABRIC_KEY, LEAST_SNMP, MOST_MD5, SecretShape, Shapes, clear

MODELS = "sonic-buildimage, src/sonic-yang-models"
MOST_SNMP = 64
LONG_KEYS = "202511"
"""First release with the longer TACACS+ keys: 256 characters instead of 65."""
SNMP = SecretShape(
    (clear(LEAST_SNMP, MOST_SNMP),),
    "its model takes no other password of a user with privacy",
    f"{MODELS}, sonic-snmp.yang of 202505 to master (2026-08)",
)


def secrets(version: str) -> Shapes:
    """Return field → constraint on its value in a release."""
    return {
        TACACS_KEY: SecretShape(
            (clear(most=256 if is_at_least(version, LONG_KEYS) else 65),),
            "its model takes no longer `passkey`",
            f"{MODELS}, sonic-system-tacacs.yang of 202505, and of 202511 to master",
        ),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_MD5),),
            "its bgpd is FRR's, which refuses a key of TCP-MD5 that is longer",
            "github.com/FRRouting/frr: bgpd/bgpd.h, PEER_PASSWORD_MAXLEN",
        ),
    }
