"""Constraints on secret values on Junos. A key may also be in the form in which Junos prints it: `$9$` and so on."""

from fabricgen.device.references import (
    BGP_PASSWORD,
    FABRIC_PASSWORD,
    SNMP_AUTH,
    SNMP_PRIVACY,
    TACACS_KEY,
    USER_PASSWORD,
)
from fabricgen.platforms.base.secret_shape import FABRIC_KEY, LEAST_SNMP, MD5, SHA256, SHA512, SecretShape, alike, clear

YANG = "Juniper's YANG of 23.4R2, 24.2R1 and 24.4R1 for QFX"
MOST_SNMP, MOST_BGP = 1024, 126
SNMP = SecretShape(
    (clear(LEAST_SNMP, MOST_SNMP),),
    "its model takes no other password",
    f"{YANG}, snmp v3 usm: authentication-password, privacy-password",
)

SECRETS = alike(
    {
        USER_PASSWORD: SecretShape(
            (SHA512, SHA256, MD5.doubted("earlier releases had it; the model of 24.4 has only $5$ and $6$")),
            "`encrypted-password` is the hash itself; with any other text no password is accepted",
            f"{YANG}, system login password format: sha256 ($5$), sha512",
        ),
        TACACS_KEY: SecretShape(
            (clear(),),
            "`secret` is the key, in clear text or as Junos shows it",
            f"{YANG}, system tacplus-server secret: no length",
        ),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_BGP),),
            "its model takes no longer `authentication-key`",
            f"{YANG}, protocols bgp authentication-key",
        ),
    }
)
"""Field → constraint on its value."""
