"""The plan of the --against side."""

from fabricgen.baseline.open import open_side
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.options import PushOptions
from fabricgen.plan.plan import Plan


def plan_before(options: PushOptions) -> Plan | None:
    """The plan of the --against side. Raises FabricError where it cannot be read."""
    if options.against is None:
        return None
    with open_side(options.against, options.intent, options.templates, scenario=options.against_scenario) as side:
        if side.plan is not None:
            return side.plan
        problem = Problem(
            code="against-unread",
            what=f"{options.against} cannot be read",
            why=side.fault,
            fix="name what runs now, or omit --against: then the changed lines decide",
        )
        raise FabricError([problem])
