"""Constraints on secret values on SR Linux.

A user's password could be clear text, which the switch would hash. An intent requires a hash (`intent/site.py`) on
every system: a file with the password itself would be worth more to a thief than one with its hash.
"""

from fabricgen.device.references import (
    BGP_PASSWORD,
    FABRIC_PASSWORD,
    SNMP_AUTH,
    SNMP_PRIVACY,
    TACACS_KEY,
    USER_PASSWORD,
)
from fabricgen.platforms.base.secret_shape import (
    BCRYPT,
    FABRIC_KEY,
    LEAST_SNMP,
    MD5,
    SHA256,
    SHA512,
    YESCRYPT,
    SecretForm,
    SecretShape,
    alike,
    clear,
)

YANG = "Nokia's YANG of 24.10.3 and 25.3.1"
MOST_CLEAR, MOST_SNMP = 20, 255
RADIUS = "its type is cut after 20 characters, but the key of RADIUS, of the same type, may have 64 of clear text"
NO_EXAMPLE = "its type is that of crypt(5) in a common module, and no leaf of a user has it as an example"

ARGON2 = SecretForm(
    "an Argon2 hash of SR Linux ($ar2$)",
    r"\$ar2\$[./+=0-9A-Za-z]+\$[./+=0-9A-Za-z]+",
    "info from state system aaa authentication",
    "$ar2$c2FsdHNhbHQ=$aGFzaGhhc2hoYXNoaGFzaA==",
)
ENCIPHERED = SecretForm(
    "a key as SR Linux shows it ($aes1$…)",
    r"\$(?!(1|5|6|y|2[abxy]|ar2)\$)[^$]+\$[^$]+\$.+",
    "info from running",
    "$aes1$ATc2M2Q1N2Y=$a2V5a2V5a2V5a2V5",
)
LIKE_ENCIPHERED, NOT_LIKE = r"\$[^$]*\$[^$]*\$", ", not with `$` at its start and two more `$`"
SHORT = clear(most=MOST_CLEAR, but=LIKE_ENCIPHERED, suffix=NOT_LIKE)
LONG = clear(MOST_CLEAR + 1, but=LIKE_ENCIPHERED, suffix=NOT_LIKE)
KEY = SecretShape(
    (SHORT, ENCIPHERED),
    "SR Linux cuts clear text after 20 characters, and takes text that starts with `$` and has two more `$` for an "
    "encrypted key: the other end would have another key",
    f"{YANG}, srl_nokia-common: routing-password",
)
SNMP = SecretShape(
    (clear(LEAST_SNMP, MOST_SNMP),),
    "its model takes no other password",
    f"{YANG}, srl_nokia-system-snmp: security-entry",
)

SECRETS = alike(
    {
        USER_PASSWORD: SecretShape(
            (SHA512, YESCRYPT, ARGON2, *(one.doubted(NO_EXAMPLE) for one in (SHA256, BCRYPT, MD5))),
            "an intent has hashes of passwords; SR Linux would take any other text for the password itself",
            f"{YANG}, srl_nokia-common: user-password; srl_nokia-aaa: admin-user, linuxadmin-user",
        ),
        TACACS_KEY: KEY._replace(values=(*KEY.values, LONG.doubted(RADIUS))),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: KEY,
    }
)
"""Field → constraint on its value."""
