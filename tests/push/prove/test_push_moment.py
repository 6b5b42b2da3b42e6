"""What an accepted loss excuses: what lies between an accepted switch and one that is still to be changed."""

import pytest

from fabricgen.push.prove.answers import RunMoment

CASES = [
    ("spine", "leaf-2", True),  # its session to a leaf that has the old AS number still
    ("leaf-2", "spine", True),
    ("spine", "leaf-1", False),  # to a leaf that is changed, or need not be
    ("leaf-1", "spine", False),
    ("leaf-1", "leaf-2", False),  # neither is accepted
    ("spine", "", False),  # nobody else has a part in it
]


@pytest.mark.parametrize(("device", "far", "excused"), CASES)
def test_only_what_leads_to_a_switch_still_to_come_is_excused(device: str, far: str, *, excused: bool) -> None:
    moment = RunMoment(
        drained=frozenset(), changed=frozenset({"spine"}), waiting=frozenset({"leaf-2"}), excused=frozenset({"spine"})
    )
    assert moment.excuses(device, far) is excused


def test_with_nothing_to_come_an_accepted_switch_must_stand_as_every_other() -> None:
    """A leaf whose loss was accepted, and that is changed: its routes are to be there again."""
    moment = RunMoment(drained=frozenset(), changed=frozenset(), waiting=frozenset(), excused=frozenset({"leaf-1"}))
    assert not moment.excuses("spine", "leaf-1")
    assert not moment.excuses("leaf-1", "spine")
