"""An overlay: exceptions for one step of a change, in a file of their own that the intent knows nothing of.

    overlay: 1
    floor: 1/2
    overrides:
      be-spine-03: {state: drained}

Its selectors and keys are those of the intent's `overrides`, and follow the same rules: the most specific wins. Of one
that the intent has too, the keys that the overlay gives take the place of the intent's.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field, InstanceOf, WithJsonSchema

from fabricgen.errors import IntentPath, Source
from fabricgen.intent.overrides import Overrides
from fabricgen.intent.scalars import IntentModel
from fabricgen.source.annotations import WholeNumber
from fabricgen.source.document import Document

OVERRIDES = "overrides"

_SHARE = re.compile(r"[0-9]{1,6}(/[1-9][0-9]{0,5}|\.[0-9]{1,6})?")
SHARE = {"type": ["string", "number"], "pattern": f"^{_SHARE.pattern}$", "examples": ["3/4"]}
"""Of a share, for JSON Schema: a number is taken, too."""


def parse_share(text: object) -> Fraction:
    """Read "3/4" or "0.75". Raises ValueError unless it is more than 0 and at most 1."""
    if isinstance(text, Fraction):
        return text
    written = str(text) if isinstance(text, int | float | str) and not isinstance(text, bool) else ""
    if not _SHARE.fullmatch(written) or not 0 < Fraction(written) <= 1:
        raise ValueError('write a share of more than 0 and at most 1, e.g. "3/4"')
    return Fraction(written)


class Overlay(IntentModel):
    """The file."""

    overlay: Annotated[int, WholeNumber(1, 1), Field(description="the version of this schema")]
    floor: Annotated[InstanceOf[Fraction], BeforeValidator(parse_share), WithJsonSchema(SHARE)] | None = Field(
        default=None,
        description="share of its uplinks that links declared absent may leave a leaf for this step, e.g. 1/2; where "
        "left out, all that its servers need",
    )
    overrides: Overrides = Field(default_factory=dict)


def overlaid(intent: Document, overlay: Document) -> Document:
    """The intent's document with the overrides of an overlay in front of its own, each at the place in its own file.

    overlay  whose shape was found right. An intent whose overrides are no mapping is left to be refused as it is.
    """
    value, front = _mapping(intent.value), _mapping(_mapping(overlay.value).get(OVERRIDES))
    own = value.get(OVERRIDES, {})
    if not isinstance(own, dict) or not front:
        return intent
    rest = {selector: override for selector, override in own.items() if selector not in front}
    both = {selector: _over(own.get(selector), override) for selector, override in front.items()}
    return intent._replace(
        value={**value, OVERRIDES: {**both, **rest}},
        places=_joined(intent.places, overlay.places, front),
        keys=_joined(intent.keys, overlay.keys, front),
    )


def _over(own: object, front: object) -> object:
    """One override with the keys of an overlay's in front of its own. What is no mapping is left to be refused."""
    return {**own, **front} if isinstance(own, dict) and isinstance(front, dict) else front


def _joined(
    own: Mapping[IntentPath, Source], other: Mapping[IntentPath, Source], front: Mapping[str, object]
) -> dict[IntentPath, Source]:
    """Places of the intent, but those of the overlay's selectors and of the keys that it gives, in the overlay."""
    kept = {path: at for path, at in own.items() if not _is_taken(path, front)}
    return {**{path: at for path, at in other.items() if path[:1] == (OVERRIDES,)}, **kept}


def _is_taken(path: IntentPath, front: Mapping[str, object]) -> bool:
    """Whether an overlay says what stands at a place of the intent."""
    if path[:1] != (OVERRIDES,) or not path[1:2] or path[1] not in front:
        return False
    return not path[2:3] or path[2] in _mapping(front[str(path[1])])


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
