"""What the value of a secret must look like in a field of a system: forms of hashes and keys, and tables of them.

Nothing here names a platform. Forms of hashes are those of crypt(5), libxcrypt 4.4; `push/switch/secrets.py` has
checked before that all values are printable ASCII without blanks.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple


class SecretForm(NamedTuple):
    """A form that a secret may have.

    title    its name in messages
    pattern  regular expression of the whole value
    make     a command that prints one
    example  one that it printed
    unsure   what no source says about it: it is accepted all the same; empty if a source has it
    """

    title: str
    pattern: str
    make: str
    example: str
    unsure: str = ""

    def takes(self, value: str) -> bool:
        """Whether a value has this form."""
        return re.fullmatch(self.pattern, value) is not None

    def doubted(self, unsure: str) -> "SecretForm":
        """The same form, for a system of which no source says that it accepts it."""
        return self._replace(unsure=unsure)


class SecretShape(NamedTuple):
    """What the value of a field must look like on a system.

    values  accepted forms; a remedy offers the first
    rule    where the value is written, and what becomes of one of another form
    source  where this is documented
    """

    values: tuple[SecretForm, ...]
    rule: str
    source: str

    @property
    def title(self) -> str:
        """The names of its forms, as a list in prose."""
        *rest, last = (form.title for form in self.values)
        return f"{', '.join(rest)} or {last}" if rest else last

    def takes(self, value: str) -> bool:
        """Whether the field accepts a value."""
        return any(form.takes(value) for form in self.values)


Shapes = Mapping[str, SecretShape]
"""Field of a Device (`device/references.py`) → its shape; fields that the system never writes are missing."""


def alike(shapes: Shapes) -> Callable[[str], Shapes]:
    """The table of a system whose releases all accept the same forms."""

    def table(version: str) -> Shapes:
        del version
        return shapes

    return table


SHA512 = SecretForm(
    "a SHA-512 hash ($6$)",
    r"\$6\$(rounds=[1-9][0-9]+\$)?[^$:]{1,16}\$[./0-9A-Za-z]{86}",
    "openssl passwd -6",
    "$6$example$qxJKSNBLbKQxqLCb2dCNvU0LpRrryL8zvttVk4XH1qOw.BvcOrtYJlSQpel8dWNpl7xWL93RYfWHbD5Vj4AGU/",
)
SHA256 = SecretForm(
    "a SHA-256 hash ($5$)",
    r"\$5\$(rounds=[1-9][0-9]+\$)?[^$:]{1,16}\$[./0-9A-Za-z]{43}",
    "openssl passwd -5",
    "$5$example$1hZnQUwDdT66BvmsTC03JIhrKEzAutYDOw0l7rh467/",
)
MD5 = SecretForm(
    "an MD5 hash ($1$)",
    r"\$1\$[^$:]{1,8}\$[./0-9A-Za-z]{22}",
    "openssl passwd -1",
    "$1$example$KfDnbLTzhJglS5aEzlH3U/",
)
BCRYPT = SecretForm(
    "a bcrypt hash ($2a$, $2b$, $2y$)",
    r"\$2[aby]\$[0-9]{2}\$[./A-Za-z0-9]{53}",
    "mkpasswd -m bcrypt",
    "$2b$12$wp.QFZn/YHooF20mBQcK7u9jqqRoW7LXfMZqrVspioXxG95301i7y",
)
YESCRYPT = SecretForm(
    "a yescrypt hash ($y$)",
    r"\$y\$[./A-Za-z0-9]+\$[./A-Za-z0-9]{0,86}\$[./A-Za-z0-9]{43}",
    "mkpasswd -m yescrypt",
    "$y$j9T$F5Jx5fExrKuPp53xLKQ..1$3jqFjmCn6lvxu/JOlErX8yUWJcQPO4fBiat3GkMiKrD",
)

SESSION_KEY = SecretForm(
    "8 to 20 letters and digits", r"[A-Za-z0-9]{8,20}", "openssl rand -hex 10", "1f0c4bd3a9e872561f0c"
)
FABRIC_KEY = SecretShape(
    (SESSION_KEY,),
    "it is the key of TCP-MD5 of all switches: what one system reads in another way is refused on all of them",
    "SR Linux cuts clear text after 20 characters (srl_nokia-common: routing-password); letters and digits need no "
    "quotes in any of the files; RFC 2385, 4.5",
)
"""The password of a fabric's sessions, the same for every system."""
LEAST_SNMP = 8
"""RFC 3414, 11.2, for passwords that SNMPv3 keys are derived from."""
MOST_MD5 = 80
"""Octets of a key of TCP-MD5: RFC 2385, 4.5, and TCP_MD5SIG_MAXKEYLEN of Linux (include/uapi/linux/tcp.h)."""


def _count(least: int, most: int) -> str:
    if least > 1:
        return f" of {least} to {most} characters" if most else f" of at least {least} characters"
    return f" of at most {most} characters" if most else ""


def clear(least: int = 1, most: int = 0, *, but: str = "", suffix: str = "") -> SecretForm:
    """Clear text. most: 0 for no known limit; but: pattern that the value must not begin with."""
    # The command prints two hex digits per octet.
    octets = max(8, (least + 1) // 2)
    return SecretForm(
        f"clear text{_count(least, most)}{suffix}",
        (f"(?!{but})" if but else "") + f".{{{least},{most or ''}}}",
        f"openssl rand -hex {octets}",
        ("1f0c4bd3a9e87256" * octets)[: 2 * octets],
    )
