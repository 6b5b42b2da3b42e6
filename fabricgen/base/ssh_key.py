"""Public keys of SSH in one line, as `ssh-keygen` writes them (RFC 4253 section 6.6, RFC 5656, RFC 8709)."""

import base64
import binascii
import re
from typing import NamedTuple

ED25519, RSA = "ssh-ed25519", "ssh-rsa"
ECDSA = ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521")
TYPES = (ED25519, *ECDSA, RSA)
LEAST_RSA = 2048
"""Bits: shorter keys are refused by current servers (RFC 8332 section 3 recommends 2048 or more)."""
COMMENT = re.compile(r"[A-Za-z0-9@._+-]{1,64}")
"""Comments that need no quotation on any system."""


class SshKey(NamedTuple):
    """A public key: its type, the key itself in base64, and a comment, which may be empty."""

    type: str
    key: str
    comment: str = ""

    @property
    def line(self) -> str:
        """The key as a line of `authorized_keys`."""
        return " ".join(filter(None, self))


def parse_ssh_key(text: object) -> SshKey:
    """Read a public key. Raises ValueError with what is wrong and what to write."""
    if isinstance(text, SshKey):
        return text
    words = text.split() if isinstance(text, str) else []
    if isinstance(text, str) and "PRIVATE KEY" in text:
        raise ValueError("it is a private key: write the line of the file that ends in .pub")
    if len(words) not in (2, 3) or words[0] not in TYPES:
        raise ValueError(
            f"it is not a public key of SSH: write a line such as {ED25519} AAAA… admin ({', '.join(TYPES)})"
        )
    kind, key, comment = (*words, "")[:3]
    if comment and not COMMENT.fullmatch(comment):
        raise ValueError("its comment has other characters than A-Z, a-z, 0-9, @ . _ + -: leave the comment out")
    fields = _fields(key)
    if not fields or fields[0] != kind.encode():
        raise ValueError(f"its text is not a whole key of type {kind}: copy the line of the .pub file again")
    if kind == RSA and _bits(fields[-1]) < LEAST_RSA:
        raise ValueError(f"RSA keys need at least {LEAST_RSA} bits: make one with ssh-keygen -t ed25519")
    return SshKey(kind, key, comment)


_FIELDS = {ED25519: 2, RSA: 3, **dict.fromkeys(ECDSA, 3)}


def _fields(key: str) -> list[bytes]:
    """The fields of a key, each with its length in front (RFC 4251 section 5); empty if the text is not whole."""
    try:
        rest = base64.b64decode(key, validate=True)
    except (binascii.Error, ValueError):
        return []
    found: list[bytes] = []
    while rest:
        length = int.from_bytes(rest[:4])
        if len(rest) < 4 + length:
            return []
        found.append(rest[4 : 4 + length])
        rest = rest[4 + length :]
    is_whole = found and len(found) == _FIELDS.get(found[0].decode("ascii", "replace"), 0)
    return found if is_whole else []


def _bits(number: bytes) -> int:
    return int.from_bytes(number).bit_length()
