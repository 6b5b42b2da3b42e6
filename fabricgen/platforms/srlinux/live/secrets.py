"""Where secrets stand in SR Linux's configuration and state: by the name of the leaf, and by how a hash begins.

Source: leaves of the models of 25.3.1 whose type is a password or a key (srl_nokia-aaa, -aaa-tacacs, -aaa-radius, -bgp,
-keychains, -system-snmp, -tls), and recorded configurations, in which hashes begin with `$y$` or `$6$` and what the
switch encrypts with `$aes1$`.
"""

import re
from collections.abc import Iterator

from fabricgen.platforms.srlinux.live.values import local

LEAVES = frozenset(
    {
        "password",
        "secret-key",
        "auth-password",
        "authentication-key",
        "cak",
        "shared-secret",
        "private-key",
        "community",
    }
)
KEY, KEY_HOLDER = "key", "server-profile"
"""A private key of TLS; `key` is no secret elsewhere."""
ENCRYPTED = ("$aes", "$y$", "$6$", "$5$", "$2", "$1$")
MADE = re.compile(r"\$(?:aes\d*|y|5|6|1|2[abxy]?)\$[^\s\"']+")
"""The same inside a text."""
HIDDEN = "<removed>"


def is_secret(above: str, name: str, value: object) -> bool:
    """Whether a leaf holds a secret. above: the member that its object stands under."""
    plain = local(name)
    return isinstance(value, str) and (
        plain in LEAVES or (plain == KEY and local(above) == KEY_HOLDER) or value.startswith(ENCRYPTED)
    )


def masked(value: object, above: str = "") -> object:
    """The same value of JSON with HIDDEN in the place of secrets."""
    if isinstance(value, dict):
        return {
            name: HIDDEN if is_secret(above, str(name), held) else masked(held, str(name))
            for name, held in value.items()
        }
    if isinstance(value, list):
        return [HIDDEN if is_secret("", "", held) else masked(held, above) for held in value]
    return value


def secrets_in(value: object, above: str = "") -> Iterator[str]:
    """Every secret of a value of JSON."""
    if isinstance(value, dict):
        for name, held in value.items():
            if is_secret(above, str(name), held):
                yield str(held)
            else:
                yield from secrets_in(held, str(name))
    elif isinstance(value, list):
        for held in value:
            yield from (held,) if is_secret("", "", held) else secrets_in(held, above)
