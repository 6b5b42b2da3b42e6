"""Files of a tree that are not as its manifest says."""

from pathlib import Path

from fabricgen.output.manifest import digest_of, read_manifest


def edited(out: Path) -> tuple[str, ...]:
    """Those that were changed or removed since they were written, sorted; none without a manifest."""
    manifest = read_manifest(out)
    files = manifest.files if manifest is not None else {}
    return tuple(name for name, written in files.items() if digest_of(f"{out}/{name}") != written)
