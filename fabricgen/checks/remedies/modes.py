"""Load-balancing modes that a fabric can have in place of a hash."""

from collections.abc import Iterator

from fabricgen.checks.capacity.balancing import dynamic_groups, modes
from fabricgen.checks.remedies.trial import trial_of
from fabricgen.checks.support.capabilities import unsupported
from fabricgen.plan.plan import Plan

BETTER = ("dlb-per-packet", "dlb-flowlet", "cluster")
"""Modes that place flows or packets by load, the best for few large flows first."""


RULES = (modes, dynamic_groups)
"""Checks that refuse a mode; what a system does not support is looked up without the words for it."""


def working_modes(plan: Plan, name: str) -> Iterator[str]:
    """Yield the modes of BETTER that the chips, the NICs and the operating systems of a fabric take."""
    trial = trial_of(plan, name)
    known = _refusals(trial.plan())
    for mode in BETTER:
        changed = trial.on_fabric(load_balancing=mode).plan()
        if changed is not None and _refusals(changed) <= known:
            yield mode


def _refusals(plan: Plan | None) -> frozenset[tuple[str, ...]]:
    """Return what RULES find, of other settings as well, and what the systems do not support."""
    if plan is None:
        return frozenset()
    return frozenset((*((problem.code, problem.what) for rule in RULES for problem in rule(plan)), *unsupported(plan)))
