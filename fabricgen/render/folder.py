"""Location of the templates of this release."""

from pathlib import Path


def templates_folder() -> Path:
    """The templates of this release: next to the package in a checkout, inside it in a wheel."""
    inside = Path(__file__).parent.parent / "_templates"
    return inside if inside.is_dir() else Path(__file__).parent.parent.parent / "templates"
