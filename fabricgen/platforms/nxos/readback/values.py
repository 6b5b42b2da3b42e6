"""Values that lines of NX-OS share."""

from fabricgen.readback.forms import Reader, Said


def named(name: str, value: str | None) -> tuple[str, str] | None:
    """A name and a value, where the value was understood."""
    return None if value is None else (name, value)


def in_all(reader: Reader, key: tuple[str, str, str], found: dict[str, list[Said]]) -> None:
    """A set that every family must have: what some families lack is named with those that have it."""
    rows = [(text, line) for said in found.values() for text, line in said]
    if not rows:
        return
    members: set[str] = set()
    odd: list[int] = []
    for text, line in rows:
        having = sorted(family for family, said in found.items() if any(text == other for other, _ in said))
        whole = len(having) == len(found)
        members.add(text if whole else f"{text} of {' and '.join(having)}")
        odd += [] if whole else [line]
    reader.put(*key, frozenset(members), odd[0] if odd else rows[0][1])
