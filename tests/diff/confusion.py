"""The confusion table of risks, one a platform: `python -m tests.diff.confusion`.

Rows are what the source of a label says, columns what the table of costs says of the same change.
"""

# ruff: noqa: T201  # a command, and this is its output
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fabricgen.changes.change import DeviceChange
from fabricgen.platforms.base.cost import Risk
from tests.diff.labels import SYSTEMS, Labelled, facts_of, predicted, read


class Judged(NamedTuple):
    """One labelled change, what the table says of it, and the facts that it makes."""

    labelled: Labelled
    predicted: Risk
    made: tuple[DeviceChange, ...]


def judged(system: str, folder: Path) -> tuple[Judged, ...]:
    """Every change of a platform, judged by its table."""
    found = []
    for at, labelled in enumerate(read(system)[0]):
        made = facts_of(labelled, folder / f"{system}-{at}")
        found.append(Judged(labelled, predicted(labelled, made), made))
    return tuple(found)


def table(found: Iterable[Judged]) -> Iterator[str]:
    """Lines of the table: counts, and the share of each row that is right."""
    counts = Counter((one.labelled.risk, one.predicted) for one in found)
    yield f"{'label':>14} | " + " ".join(f"{risk.words:>13}" for risk in Risk) + " | right"
    for label in Risk:
        row = [counts[label, risk] for risk in Risk]
        right = f"{counts[label, label] / sum(row):.0%}" if sum(row) else "-"
        yield f"{label.words:>14} | " + " ".join(f"{number:>13}" for number in row) + f" | {right:>5}"


def main() -> None:
    """Print the tables, and every change on which label and table differ."""
    for system in SYSTEMS:
        with TemporaryDirectory() as folder:
            found = judged(system, Path(folder))
        print(f"{system}: {len(found)} labelled changes")
        print("\n".join(table(found)))
        for one in found:
            if one.predicted is not one.labelled.risk:
                print(f"  {one.labelled.name}: label {one.labelled.risk.words}, table {one.predicted.words}")


if __name__ == "__main__":
    main()
