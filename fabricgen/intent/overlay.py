"""An overlay: overrides for one step of a change, in a separate file that the intent does not mention.

    overlay: 1
    floor: 1/2
    overrides:
      be-spine-03: {state: drained}

Its selectors and keys are those of the intent's `overrides`, and follow the same rules: the most specific wins. For a
selector that the intent has, too, the overlay's keys replace the intent's.
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
from fabricgen.source.document import Document, mapping

OVERRIDES = "overrides"

_SHARE = re.compile(r"[0-9]{1,6}(/[1-9][0-9]{0,5}|\.[0-9]{1,6})?")
SHARE = {"type": ["string", "number"], "pattern": f"^{_SHARE.pattern}$", "examples": ["3/4"]}
"""JSON Schema of a share: a string or a number."""


def parse_share(text: object) -> Fraction:
    """Read "3/4" or "0.75". Raises ValueError unless it is more than 0 and at most 1."""
    if isinstance(text, Fraction):
        return text
    written = str(text) if isinstance(text, int | float | str) and not isinstance(text, bool) else ""
    if not _SHARE.fullmatch(written) or not 0 < Fraction(written) <= 1:
        raise ValueError('write a share of more than 0 and at most 1, e.g. "3/4"')
    return Fraction(written)


class Overlay(IntentModel):
    """The overlay file."""

    overlay: Annotated[int, WholeNumber(1, 1), Field(description="version of this schema")]
    floor: Annotated[InstanceOf[Fraction], BeforeValidator(parse_share), WithJsonSchema(SHARE)] | None = Field(
        default=None,
        description="minimum share of its uplinks that a leaf keeps in this step, e.g. 1/2; default: what its servers "
        "need",
    )
    overrides: Overrides = Field(default_factory=dict)


def overlaid(intent: Document, overlay: Document) -> Document:
    """Return the intent's document with the overlay's overrides merged in, each with its place in its own file.

    overlay  already validated. If the intent's `overrides` is not a mapping, the intent is returned unchanged:
             validation refuses it
    """
    value, added = mapping(intent.value), mapping(mapping(overlay.value).get(OVERRIDES))
    intent_overrides = value.get(OVERRIDES, {})
    if not isinstance(intent_overrides, dict) or not added:
        return intent
    others = {selector: override for selector, override in intent_overrides.items() if selector not in added}
    merged = {selector: _over(intent_overrides.get(selector), override) for selector, override in added.items()}
    return intent._replace(
        value={**value, OVERRIDES: {**merged, **others}},
        places=_joined(intent.places, overlay.places, added),
        keys=_joined(intent.keys, overlay.keys, added),
    )


def _over(override: object, added: object) -> object:
    """Return an override with an overlay's keys merged in; validation later refuses values that are no mapping."""
    return {**override, **added} if isinstance(override, dict) and isinstance(added, dict) else added


def _joined(
    intent_places: Mapping[IntentPath, Source], overlay_places: Mapping[IntentPath, Source], added: Mapping[str, object]
) -> dict[IntentPath, Source]:
    """Return the intent's places, with those of the overlay's selectors and keys taken from the overlay."""
    kept = {path: at for path, at in intent_places.items() if not _is_replaced(path, added)}
    return {**{path: at for path, at in overlay_places.items() if path[:1] == (OVERRIDES,)}, **kept}


def _is_replaced(path: IntentPath, added: Mapping[str, object]) -> bool:
    """Return whether the overlay replaces the value at a path of the intent."""
    if path[:1] != (OVERRIDES,) or not path[1:2] or path[1] not in added:
        return False
    return not path[2:3] or path[2] in mapping(added[str(path[1])])
