"""What switches reach by their texts beside what they reach by the plan: prefixes lost, let through, on fewer paths.

Both sides are worked out by the same computation, so that only what the texts say otherwise can differ.
"""

from collections.abc import Iterator, Mapping

from fabricgen.audit.reach import matched_marks, reached
from fabricgen.audit.routes import Marks
from fabricgen.audit.site_view import SiteView
from fabricgen.audit.violations import Violation
from fabricgen.base.text import counted, listed

Widths = Mapping[tuple[str, str, str], int]
"""Family, prefix and switch → equal paths of its route."""
NAME = "reach-as-planned"
HOLDS = "each switch has the routes that it has by the plan, over as many equal paths"
"""What the property says."""


def changed_reach(planned: SiteView, read: SiteView) -> Iterator[Violation]:
    """Where a switch has other routes than by the plan, prefix by prefix."""
    for fabric in planned.fabrics:
        sides = [matched_marks(site.fabrics.get(fabric, ())) for site in (planned, read)]
        matched = Marks(sides[0].targets | sides[1].targets, sides[0].communities | sides[1].communities)
        before, after = (_widths(site, fabric, matched) for site in (planned, read))
        for (family, prefix), names in _by_prefix(before, after).items():
            for what, affected in names.items():
                text = f"{family} {prefix}: {what} on {listed(affected)}"
                switch = read.switches.get(affected[0])
                if switch is not None:
                    why = "packets take other paths than planned, or none"
                    yield Violation(NAME, affected[0], switch.at, text, why)


def _widths(site: SiteView, fabric: str, matched: Marks) -> dict[tuple[str, str, str], int]:
    return {
        (row.announced.family, row.announced.text, name): len(routes)
        for row in reached(site, fabric, matched)
        for name, routes in row.learned.best.items()
        if routes and name != row.announced.origin
    }


def _by_prefix(before: Widths, after: Widths) -> dict[tuple[str, str], dict[str, list[str]]]:
    """Family and prefix → what differs → switches, in order of name."""
    rows: dict[tuple[str, str], dict[str, list[str]]] = {}
    for key in sorted({*before, *after}):
        old, new = before.get(key, 0), after.get(key, 0)
        if old == new:
            continue
        if not new:
            what = "no route"
        elif not old:
            what = "a route that the plan does not have"
        else:
            what = f"{counted(new, 'equal path')}, {old} planned,"
        rows.setdefault(key[:2], {}).setdefault(what, []).append(key[2])
    return rows
