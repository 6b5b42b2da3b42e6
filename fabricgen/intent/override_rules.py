"""Rules for overrides that need only the text of the intent; `plan.overrides` looks up the names."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import REFUSED, OverrideValue, leaves

STATE = {"state"}


def overrides_allowed(intent: Intent) -> Iterator[Problem]:
    """An override sets something, and nothing that only a whole fabric can have."""
    for selector, override in intent.overrides.items():
        if override.model_fields_set == STATE:
            continue  # by far the most common override
        values = tuple(leaves(override))
        yield from _refused(selector, values)
        if not values and "state" not in override.model_fields_set:
            written = ", ".join(sorted(override.model_fields_set))
            yield Problem(
                code="override-empty",
                what=f"the override of {selector} is empty",
                where=("overrides", selector),
                why=f"{written}: has no key" if written else "it has no key",
                fix="write e.g. {state: drained}, or remove it",
            )


def _refused(selector: str, values: tuple[OverrideValue, ...]) -> Iterator[Problem]:
    for leaf in values:
        refusal = REFUSED.get(leaf.path[:1]) or REFUSED.get(leaf.path[:2])
        if refusal is not None:
            yield Problem(
                code="override-refused",
                what=f"{'.'.join(leaf.path)} cannot be overridden",
                where=("overrides", selector, *leaf.path),
                why=refusal.why,
                fix=refusal.fix,
            )
