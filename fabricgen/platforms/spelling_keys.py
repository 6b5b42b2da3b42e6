"""Keys of `spellings` in hardware files that each operating system reads."""

from fabricgen.platforms import PLATFORMS, SYSTEMS


def spelling_keys(system: str) -> tuple[str, ...] | None:
    """The keys that an operating system reads, sorted; `<word>` stands for a number. None for an unknown system."""
    return PLATFORMS[system].spelling_keys if system in SYSTEMS else None
