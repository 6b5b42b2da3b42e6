"""A finished file is looked at once more: what is marked in it must be a secret of its switch.

A mark can be made: by a template that computes it, or by an escape that the last step of a JSON file resolves. A mark
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
    own = references(device)
    for at in _marks(text):
        found = REFERENCE.match(text, at)
        if found is None or shown(found.group()) not in own:
            raise FabricError([_forged(device, path, shown(found.group()) if found else "")])


def check_signs(path: str, text: str) -> None:
    """Raise FabricError for a character in a file that nobody sees; its secrets have their marks."""
    text = REFERENCE.sub("", text)
    found = None if is_plain(text.replace("\n", "")) else re.search(REFUSED_TEXT, text)
    if found is not None:
        raise FabricError([_invisible(path, text.count("\n", 0, found.start()) + 1, ord(found[0]))])


def _marks(text: str) -> Iterator[int]:
    at = text.find(MARK)
    while at >= 0:
        yield at
        at = text.find(MARK, at + 1)


def _forged(device: Device, path: str, written: str) -> Problem:
    return Problem(
        code="secret-forged",
        what=f"{path} marks {written or 'what is no reference'} as a secret",
        why=f"only secrets of {device.name} may be filled into its files; this one is none of them",
        fix=f"remove what becomes U+{ord(MARK):04X}: text of raw lines, or of a user template",
    )


def _invisible(path: str, line: int, sign: int) -> Problem:
    return Problem(
        code="template-fault",
        what=f"{path} would have an invisible character U+{sign:04X} on line {line}",
        why="such a character could change the configuration unseen",
        fix=f"remove what becomes U+{sign:04X}: text of raw lines, or of a user template",
    )
