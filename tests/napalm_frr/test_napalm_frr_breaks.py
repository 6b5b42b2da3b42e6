"""What a break of the code on purpose went unfound by, short of live daemons: a password in a difference."""

import pytest

from napalm_frr.difference import Candidate, difference

RUNNING = "router bgp 65000\n neighbor 10.0.0.1 password a1b2\n"


@pytest.mark.parametrize("merge", [False, True])
def test_a_difference_tells_that_a_password_changes_and_not_to_what(merge: bool) -> None:
    told = difference(RUNNING, Candidate(RUNNING.replace("a1b2", "c3d4"), merge=merge))
    assert "+ neighbor 10.0.0.1 password <removed>" in told.splitlines()
    assert "a1b2" not in told
    assert "c3d4" not in told
