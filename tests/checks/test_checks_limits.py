"""Values that a platform has no words for: told by validate, one problem a cause, at the key of the intent."""

import pytest

from fabricgen.checks.catalogue import examine
from fabricgen.checks.support.limits import limited
from fabricgen.device.device import Device
from fabricgen.errors import Problem
from fabricgen.platforms import ADAPTERS, PLATFORMS
from fabricgen.platforms.base.platform import no_limits
from tests.checks.intents import plan


def cannot(device: Device) -> tuple[Problem, ...]:
    if device.role != "spine":
        return ()
    where = ("fabrics", device.fabric, "mtu")
    return (Problem(code="platform-cannot", what=f"{device.name} is refused", where=where, why="a rule", fix="a word"),)


def test_each_cause_is_told_once_with_the_switches_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = plan()
    assert not examine(made).problems
    refusing = PLATFORMS["eos"]._replace(limits=cannot)
    monkeypatch.setitem(ADAPTERS, "eos", lambda: refusing)
    found = [(problem.code, problem.what, problem.where) for problem in examine(made).problems]
    assert found == [
        ("platform-limit", "be-spine-00 is refused; the same for 3 more switches", ("fabrics", "backend", "mtu")),
        ("platform-limit", "fe-spine-00 is refused; the same for 3 more switches", ("fabrics", "frontend", "mtu")),
    ]


def test_other_reasons_are_other_problems() -> None:
    one = Problem(code="platform-cannot", what="a", where=("fabrics",), why="x", fix="z")
    told = one._replace(code="platform-limit")
    assert list(limited([(1, one), (3, one._replace(why="y"))])) == [
        told,
        told._replace(what="a; the same for 2 more switches", why="y"),
    ]


@pytest.mark.parametrize("name", sorted(set(PLATFORMS) - {"eos", "frr"}))
def test_a_platform_that_refuses_values_tells_validate(name: str) -> None:
    """What is refused when a switch is rendered is asked by validate, too."""
    assert PLATFORMS[name].limits is not no_limits
