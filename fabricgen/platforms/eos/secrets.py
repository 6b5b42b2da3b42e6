"""Shapes of secrets on Arista EOS."""

from fabricgen.device.references import (
    BGP_PASSWORD,
    FABRIC_PASSWORD,
    SNMP_AUTH,
    SNMP_PRIVACY,
    TACACS_KEY,
    USER_PASSWORD,
)
from fabricgen.platforms.base.secret_shape import FABRIC_KEY, LEAST_SNMP, MOST_MD5, SHA512, SecretShape, alike, clear

SNMP = SecretShape(
    (clear(LEAST_SNMP),),
    "an SNMPv3 password has at least 8 characters",
    "RFC 3414 section 11.2; the maximum on EOS is undocumented",
)

SECRETS = alike(
    {
        USER_PASSWORD: SecretShape(
            (SHA512,),
            "EOS stores the text after `secret sha512` as the hash; with any other text no password is accepted",
            "avd.arista.com, secure_hash: a SHA-512 password hash, with a salt of up to 16 characters; running "
            "configurations of 4.25 to 4.32",
        ),
        TACACS_KEY: SecretShape(
            (clear(),), "`key 0` is followed by clear text", "templates/eos/NOTES.md; the maximum is undocumented"
        ),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_MD5),),
            "`password 0` is followed by clear text, the key of TCP-MD5",
            "RFC 2385, 4.5, and TCP_MD5SIG_MAXKEYLEN of Linux; whether EOS has this limit is undocumented",
        ),
    }
)
"""Field → shape of its value."""
