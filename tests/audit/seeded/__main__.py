"""Print how many seeded faults each platform has of each kind: `python -m tests.audit.seeded`."""

import sys
from collections import Counter

from tests.audit.seeded.catalogue import CANNOT, HARMLESS, KINDS, ROWS, SYSTEMS


def table() -> str:
    """Kinds by platforms, as Markdown; a dash: the platform's files cannot have it."""
    counts = {name: Counter(row.kind for row in ROWS[name]) for name in SYSTEMS}
    lines = [f"| kind | {' | '.join(SYSTEMS)} |", f"|---|{'---:|' * len(SYSTEMS)}"]
    for kind in KINDS:
        cells = ("–" if kind in CANNOT[name] else str(counts[name][kind]) for name in SYSTEMS)
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    lines.append(f"| **faults** | {' | '.join(str(len(ROWS[name])) for name in SYSTEMS)} |")
    lines.append(f"| **harmless** | {' | '.join(str(len(HARMLESS[name])) for name in SYSTEMS)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(f"{table()}\n")
