"""A proof against the double of SONiC, a real shell behind SSH, which takes its time."""

from pathlib import Path

from tests.prove.test_prove_doubles import goes_through


def test_it_goes_through_all_steps_and_is_left_as_it_was(tmp_path: Path) -> None:
    goes_through("sonic", tmp_path)
