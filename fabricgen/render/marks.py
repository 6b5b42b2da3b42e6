"""Check a finished file: every secret mark in it must belong to a secret of its switch.

A mark can be forged: by a template that computes it, or by an escape that the last step of a JSON file resolves. A mark
that is not before a secret of the switch itself is refused, so that nothing but these secrets is ever filled in.
"""

import re
from collections.abc import Iterator

from fabricgen.base.secret import MARK, REFERENCE, shown
from fabricgen.device.device import Device
from fabricgen.device.references import references
from fabricgen.errors import FabricError, Problem
from fabricgen.source.yaml_events import REFUSED_TEXT, is_plain


def check_marks(device: Device, path: str, text: str) -> None:
    """Raise FabricError for a mark in a file that is not before a secret of its switch."""
    allowed = references(device)
    for position in _marks(text):
        match = REFERENCE.match(text, position)
        if match is None or shown(match.group()) not in allowed:
            raise FabricError([_forged(device, path, shown(match.group()) if match else "")])


def check_signs(path: str, text: str) -> None:
    """Raise FabricError for an invisible character in a file; the marks of its secrets are allowed."""
    text = REFERENCE.sub("", text)
    match = None if is_plain(text.replace("\n", "")) else re.search(REFUSED_TEXT, text)
    if match is not None:
        raise FabricError([_invisible(path, text.count("\n", 0, match.start()) + 1, ord(match[0]))])


def _marks(text: str) -> Iterator[int]:
    position = text.find(MARK)
    while position >= 0:
        yield position
        position = text.find(MARK, position + 1)


def _forged(device: Device, path: str, written: str) -> Problem:
    return Problem(
        code="secret-forged",
        what=f"{path} marks {written or 'what is no reference'} as a secret",
        why=f"only secrets of {device.name} may be filled into its files; this is not one of them",
        fix=f"remove the source of U+{ord(MARK):04X}: text of raw lines, or of a user template",
    )


def _invisible(path: str, line: int, sign: int) -> Problem:
    return Problem(
        code="template-fault",
        what=f"{path} would have an invisible character U+{sign:04X} on line {line}",
        why="such a character could change the configuration without being seen",
        fix=f"remove the source of U+{sign:04X}: text of raw lines, or of a user template",
    )
