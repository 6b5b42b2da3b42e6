"""Texts and outputs in which a switch does not repeat the secrets that it was opened with."""

import re
from collections.abc import Iterable

from fabricgen.verify.collect.redact_config import REMOVED

_SURE = 8  # characters of a secret from which it is no word that a text says by chance


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return a text without these secrets; a short one goes where it stands as a word of its own."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= _SURE:
            text = text.replace(secret, REMOVED)
        else:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    return text


def repeating(value: object, secrets: Iterable[str]) -> object:
    """Return an output, text or what JSON made of it, in which the switch repeats none of these secrets."""
    sure = tuple(secret for secret in secrets if len(secret) >= _SURE)
    match value:
        case str():
            return redacted(value, sure)
        case dict():
            return {redacted(str(key), sure): repeating(item, sure) for key, item in value.items()}
        case list():
            return [repeating(item, sure) for item in value]
        case _:
            return value
