"""A lab can be verified wherever it can be built; real switches only where their operating system is supported."""

from pathlib import Path

import pytest

from fabricgen.cli.verify_site import Where, intended, judge_of, read_plan
from fabricgen.workspace import WorkspaceError

DEMO = Path(__file__).parents[2] / "inventories/demo/intent.yaml"
CANARY = "c4n4ry-7f3a9"
CASES = (("eos-4.34", "eos-4.99", "unsupported-version"), ("eos-4.34", "tos-1", "unknown-platform"))


@pytest.mark.parametrize(("old", "new", "code"), CASES)
def test_what_the_switches_run_is_no_matter_to_a_lab(tmp_path: Path, old: str, new: str, code: str) -> None:
    text = DEMO.read_text()
    assert old in text
    intent = tmp_path / "intent.yaml"
    intent.write_text(text.replace(old, new))
    with pytest.raises(WorkspaceError) as refused:
        read_plan(intent)
    assert code in {problem.code for problem in refused.value.problems}
    meant = intended(read_plan(intent, is_lab=True), Where("units=1,leaves=1,spines=1,servers=1"), "be-*")
    assert set(meant.targets) == {"be-leaf-000", "be-spine-00"}


def test_other_problems_stop_a_lab_too(tmp_path: Path) -> None:
    text = DEMO.read_text()
    intent = tmp_path / "intent.yaml"
    intent.write_text(
        text.replace("ecn: formula", "ecn: {minimum_octets: 9000000, maximum_octets: 9000001, probability_percent: 10}")
    )
    with pytest.raises(WorkspaceError):
        read_plan(intent, is_lab=True)


def test_a_secret_of_a_template_is_not_among_what_is_compared(tmp_path: Path) -> None:
    """A finding of drift tells the line of ours that is missing."""
    (tmp_path / "eos").mkdir()
    (tmp_path / "eos/end.j2").write_text(f"tacacs-server key 7 {CANARY}\nip nhrp network-id 7\nend\n")
    meant = intended(read_plan(DEMO), None, "be-leaf-000")
    configurations = [expected.configuration or "" for expected in judge_of(meant, tmp_path).expectations()]
    assert len([text for text in configurations if "ip nhrp network-id 7\n" in text]) == len(configurations) > 0
    assert all("tacacs-server key 7 <removed>\n" in text for text in configurations)
    assert CANARY not in "".join(configurations)
