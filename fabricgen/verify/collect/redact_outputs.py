"""Remove the connection's secrets from texts and outputs of a switch."""

import re
from collections.abc import Iterable

from fabricgen.platforms.base.live.reader import Output, ReadCommand
from fabricgen.verify.collect.redact_config import REMOVED, without_secrets

SURE = 8
"""Characters from which a secret is long enough not to occur in a text by chance."""

CONFIGURED = frozenset({"running", "startup", "files"})
"""Parts whose outputs are configurations: their secrets are not stored."""

_LONGEST = 300  # characters of a driver's error


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return a text without these secrets; a short one is only removed as a separate word."""
    # Longest first: one secret may contain another.
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= SURE:
            text = text.replace(secret, REMOVED)
        else:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    return text


def repeating(value: object, secrets: Iterable[str]) -> object:
    """Return an output, as text or parsed JSON, without these secrets."""
    sure = tuple(secret for secret in secrets if len(secret) >= SURE)
    match value:
        case str():
            return redacted(value, sure)
        case dict():
            return {redacted(str(key), sure): repeating(item, sure) for key, item in value.items()}
        case list():
            return [repeating(item, sure) for item in value]
        case _:
            return value


def output_of(read: ReadCommand, value: object, secrets: tuple[str, ...]) -> Output:
    """What a driver returned for a command, without these secrets, nor those of a configuration."""
    if not isinstance(value, str | dict | list):
        return Output(None, f"the driver gave {type(value).__name__} instead of {read.encoding}")
    kept = repeating(value, secrets)
    return Output(without_secrets(kept) if read.part in CONFIGURED else kept)


def message_of(text: str, secrets: Iterable[str]) -> str:
    """A message of a driver: on one line, at most 300 characters, without these secrets."""
    line = re.sub(r"\s+", " ", redacted(text, secrets)).strip()
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
