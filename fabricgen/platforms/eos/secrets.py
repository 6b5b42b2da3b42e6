"""Shapes of secrets on Arista EOS."""

from fabricgen.device.references import BGP_PASSWORD, SNMP_AUTH, SNMP_PRIVACY, TACACS_KEY, USER_PASSWORD
from fabricgen.platforms.base.secret_shape import LEAST_SNMP, MOST_MD5, SHA512, SecretShape, alike, clear

SNMP = SecretShape(
    (clear(LEAST_SNMP),),
    "a key of SNMPv3 is made of a password of 8 characters at least",
    "RFC 3414, 11.2; the most that EOS takes was found nowhere",
)

SECRETS = alike(
    {
        USER_PASSWORD: SecretShape(
            (SHA512,),
            "`secret sha512` is followed by the hash itself; no login matches any other text",
            "avd.arista.com, secure_hash: a SHA-512 password hash, with a salt of up to 16 characters; running "
            "configurations of 4.25 to 4.32",
        ),
        TACACS_KEY: SecretShape(
            (clear(),), "`key 0` is followed by clear text", "templates/eos/NOTES.md; the most was found nowhere"
        ),
        SNMP_AUTH: SNMP,
        SNMP_PRIVACY: SNMP,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_MD5),),
            "`password 0` is followed by clear text, the key of TCP-MD5",
            "RFC 2385, 4.5, and TCP_MD5SIG_MAXKEYLEN of Linux; whether EOS itself counts was found nowhere",
        ),
    }
)
"""Field → shape of its value."""
