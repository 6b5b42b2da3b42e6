"""Secrets in SR Linux's configuration and state, recognized by the leaf's name or the first characters of a hash.

Source: leaves of the models of 25.3.1 whose type is a password or a key (srl_nokia-aaa, -aaa-tacacs, -aaa-radius, -bgp,
-keychains, -system-snmp, -tls), and recorded configurations, in which hashes begin with `$y$` or `$6$` and values that
the switch encrypted with `$aes1$`.
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
    """Return whether a leaf holds a secret. above: the member that contains its object."""
    plain = local(name)
    return isinstance(value, str) and (
        plain in LEAVES or (plain == KEY and local(above) == KEY_HOLDER) or value.startswith(ENCRYPTED)
    )


def masked(value: object, above: str = "") -> object:
    """Return the same JSON value with HIDDEN in place of secrets."""
    if isinstance(value, dict):
        return {
            name: HIDDEN if is_secret(above, str(name), member) else masked(member, str(name))
            for name, member in value.items()
        }
    if isinstance(value, list):
        return [HIDDEN if is_secret("", "", member) else masked(member, above) for member in value]
    return value


def secrets_in(value: object, above: str = "") -> Iterator[str]:
    """Yield every secret of a JSON value."""
    if isinstance(value, dict):
        for name, member in value.items():
            if is_secret(above, str(name), member):
                yield str(member)
            else:
                yield from secrets_in(member, str(name))
    elif isinstance(value, list):
        for member in value:
            yield from (member,) if is_secret("", "", member) else secrets_in(member, above)
