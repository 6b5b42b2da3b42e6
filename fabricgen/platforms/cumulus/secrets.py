"""Shapes of secrets on Cumulus Linux. SNMP is refused: see the capabilities."""

from fabricgen.device.references import BGP_PASSWORD, FABRIC_PASSWORD, TACACS_KEY, USER_PASSWORD
from fabricgen.platforms.base.secret_shape import (
    BCRYPT,
    FABRIC_KEY,
    MD5,
    MOST_MD5,
    SHA256,
    SHA512,
    YESCRYPT,
    SecretShape,
    alike,
    clear,
)

ACCOUNTS = "github.com/CumulusNetworks/docs, cumulus-linux-511 to 516 User Accounts (4ec8c90a), Hashed Passwords"

SECRETS = alike(
    {
        USER_PASSWORD: SecretShape(
            (SHA512, SHA256, BCRYPT, MD5, YESCRYPT.doubted("the manual's list of hashes does not have it")),
            "`hashed-password` is a hash in the format of crypt; with any other text no password is accepted",
            ACCOUNTS,
        ),
        TACACS_KEY: SecretShape(
            (clear(),),
            "`secret` is the key in clear text",
            "cumulus-linux-511 TACACS (0da900a5), 515 TACACS (01cd42cf); the maximum is undocumented",
        ),
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_MD5),),
            "its bgpd is FRR's, which refuses a key of TCP-MD5 that is longer",
            "github.com/FRRouting/frr: bgpd/bgpd.h, PEER_PASSWORD_MAXLEN; whether NVUE has this limit is undocumented",
        ),
    }
)
"""Field → shape of its value."""
