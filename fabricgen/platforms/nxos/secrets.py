"""Constraints on secret values on NX-OS."""

from fabricgen.device.references import (
    BGP_PASSWORD,
    FABRIC_PASSWORD,
    SNMP_AUTH,
    SNMP_PRIVACY,
    TACACS_KEY,
    USER_PASSWORD,
)
from fabricgen.platforms.base.secret_shape import FABRIC_KEY, LEAST_SNMP, MD5, SHA256, SecretShape, alike, clear

MOST_TACACS, MOST_SNMP = 63, 64
SNMP = SecretShape(
    (clear(LEAST_SNMP, MOST_SNMP), clear(MOST_SNMP + 1).doubted("more than other Nexus switches take")),
    "an SNMPv3 password has at least 8 characters",
    "RFC 3414, 11.2; Nexus 5000 CLI Software Configuration Guide, NX-OS 4.0(1a)N1, and Nexus 3548 System Management "
    "7.x, both Configuring SNMP: the privacy password has 8 to 64 characters in clear text",
)

SECRETS = alike(
    {
        USER_PASSWORD: SecretShape(
            (SHA256, MD5.doubted("running configurations of releases up to 7 have it; none of 10 was found")),
            "`password 5` is followed by the hash itself; with any other text no password is accepted",
            "templates/nxos/NOTES.md: recorded and public running configurations",
        ),
        TACACS_KEY: SecretShape(
            (clear(most=MOST_TACACS),),
            "`key 0` is followed by clear text of 63 characters at most",
            "Nexus 9000 NX-OS Security Configuration Guide, Default TACACS+ Server Encryption Type and Secret Key",
        ),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: SecretShape(
            (clear(but="[0-9]$", suffix=", not a single digit"),),
            "a single digit after `password` is the type of the text that follows",
            "github.com/ansible-collections/cisco.nxos, nxos_bgp_global (`password 3 …`); the maximum is undocumented",
        ),
    }
)
"""Field → constraint on its value."""
