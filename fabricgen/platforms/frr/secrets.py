"""Shapes of secrets on FRR, which has no accounts, no TACACS+ and no SNMP agent."""

from fabricgen.device.references import BGP_PASSWORD, FABRIC_PASSWORD
from fabricgen.platforms.base.secret_shape import FABRIC_KEY, MOST_MD5, SecretShape, alike, clear

SECRETS = alike(
    {
        FABRIC_PASSWORD: FABRIC_KEY,
        BGP_PASSWORD: SecretShape(
            (clear(most=MOST_MD5),),
            "bgpd refuses a key of TCP-MD5 that is longer, and the session goes on without one",
            "github.com/FRRouting/frr, frr-8.4: bgpd/bgpd.h, PEER_PASSWORD_MAXLEN; seen on 8.4.4: Invalid value",
        ),
    }
)
"""Field → shape of its value."""
