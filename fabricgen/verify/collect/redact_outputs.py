"""Remove the connection's secrets from texts and outputs of a switch."""

import re
from collections.abc import Iterable

from fabricgen.verify.collect.redact_config import REMOVED

_SURE = 8  # characters from which a secret is long enough not to occur in a text by chance


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return a text without these secrets; a short one is only removed as a separate word."""
    # Longest first: one secret may contain another.
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= _SURE:
            text = text.replace(secret, REMOVED)
        else:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    return text


def repeating(value: object, secrets: Iterable[str]) -> object:
    """Return an output, as text or parsed JSON, without these secrets."""
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
