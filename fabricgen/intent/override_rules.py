"""What the text of an intent alone shows to be wrong with its overrides; names are looked up in `plan.overrides`."""

from collections.abc import Iterator

from fabricgen.errors import Problem
from fabricgen.intent.overrides import REFUSED, Overrides, OverrideValue, leaves

STATE = {"state"}


def override_rules(overrides: Overrides) -> Iterator[Problem]:
    """An override says something, and nothing that cannot be said of a part."""
    for selector, override in overrides.items():
        if override.model_fields_set == STATE:
            continue  # most overrides by far
        found = tuple(leaves(override))
        yield from _refused(selector, found)
        if not found and "state" not in override.model_fields_set:
            written = ", ".join(sorted(override.model_fields_set))
            yield Problem(
                code="override-empty",
                what=f"the override of {selector} is empty",
                where=("overrides", selector),
                why=f"{written} has no key" if written else "it has no key",
                fix="write e.g. {state: drained}, or remove it",
            )


def _refused(selector: str, found: tuple[OverrideValue, ...]) -> Iterator[Problem]:
    for leaf in found:
        no = REFUSED.get(leaf.path[:1]) or REFUSED.get(leaf.path[:2])
        if no is not None:
            yield Problem(
                code="override-refused",
                what=f"{'.'.join(leaf.path)} cannot be overridden",
                where=("overrides", selector, *leaf.path),
                why=no.why,
                fix=no.fix,
            )
