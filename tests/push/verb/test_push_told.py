"""What `fabricgen push` says of what it would do, and which names a report can have."""

import json
import shlex
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from fabricgen.cli.push.report import check_reports, print_preview, write_reports
from fabricgen.cli.push.run import run
from fabricgen.diff.model import Difference
from fabricgen.errors import FabricError
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.preview import Preview
from fabricgen.platforms.base.cost import Risk
from fabricgen.push.model import Approval, Decision, SwitchToChange
from tests.push.push_records import PLANNED, START, WAVES, stopped


def typed(
    *, commit: bool = True, approval: str | None = None, verbose: bool = False, as_json: bool = False, reports: str = ""
) -> PushOptions:
    """What was typed, the rest as it is without a word."""
    return PushOptions(
        intent=Path("site/intent.yaml"),
        inventory=Path("inventories/lab"),
        commit=commit,
        approval=approval,
        scenario="base",
        floor=Fraction(3, 4),
        limit=100_000,
        reports=tuple(map(Path, reports.split())),
        workers=32,
        as_json=as_json,
        verbose=verbose,
    )


NOTE = "be-leaf-001 runs another release"
SHOWN = Preview(
    difference=Difference(notes=(), is_whole=True, before=3, after=3, equal=0, meaning=(), text=()),
    decisions=tuple(
        Decision(SwitchToChange(one.device, "backend", "leaf", "any", Risk.HITLESS, "why"), one.need, one.why)
        for one in PLANNED
    ),
    waves=WAVES,
    planned=PLANNED,
    approval=Approval("0123456789abcdef", START, {}),
    notes=(NOTE,),
)


def told(words: PushOptions, shown: Preview, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """On standard output, and on standard error."""
    print_preview(words, shown)
    out, err = capsys.readouterr()
    return out, err


def test_what_was_approved_is_not_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    approved = typed(approval="012345")
    assert told(approved, SHOWN, capsys) == ("", "as approved: 3 switches in 2 waves\n")
    one = SHOWN._replace(planned=PLANNED[:1], waves=WAVES[:1])
    assert told(approved, one, capsys) == ("", "as approved: 1 switch in 1 wave\n")
    assert told(typed(approval="012345", as_json=True), SHOWN, capsys) == ("", "")


@pytest.mark.parametrize("words", [typed(), typed(approval="012345", verbose=True)], ids=["no approval", "every line"])
def test_what_nobody_approved_is_told_and_so_is_what_is_asked_for(
    words: PushOptions, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = told(words, SHOWN, capsys)
    assert out == ""
    assert f"note: {NOTE}" in err
    assert "wave 2  spine of backend  be-spine-1…2" in err
    assert "as approved" not in err


def test_a_dry_run_is_told_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = told(typed(commit=False), SHOWN, capsys)
    assert err == ""
    assert out.endswith(
        "Dry run, nothing was changed. To apply: fabricgen push site/intent.yaml -i inventories/lab "
        "--floor 3/4 --commit --approval 0123456789abcdef\n"
    )
    as_json, _ = told(typed(commit=False, as_json=True), SHOWN, capsys)
    assert json.loads(as_json)["approval"] == "0123456789abcdef"


def test_what_makes_other_waves_is_typed_again(capsys: pytest.CaptureFixture[str]) -> None:
    words = replace(typed(commit=False), largest=8, workers=256, together=("planes", "pairs"))
    out, _ = told(words, SHOWN, capsys)
    again = out.splitlines()[-1]
    assert " --wave 8 --workers 256 --together planes --together pairs --commit " in again


def test_what_an_approval_holds_for_is_typed_again(capsys: pytest.CaptureFixture[str]) -> None:
    line = "leaf: interface Ethernet1/1 / shutdown"
    words = replace(typed(commit=False), limit=5, soak=0.0, undo=(line, "1a2b3c4d"), paths=True)
    out, _ = told(words, SHOWN, capsys)
    again = shlex.split(out.splitlines()[-1].partition(": ")[2])
    for found in (("--quiet-below", "5"), ("--soak", "0.0"), ("--undo", line), ("--undo", "1a2b3c4d")):
        assert found in pairwise(again)
    assert "--paths" in again


def test_an_approval_after_which_nothing_is_left_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = told(typed(approval="012345"), SHOWN._replace(planned=(), waves=(), decisions=()), capsys)
    assert (out, err) == ("nothing to push: 3 switches match the intent\n", "")


def test_reports_are_written_as_their_names_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [tmp_path / name for name in ("a.md", "a.json", "a.txt")]
    write_reports(typed(reports=" ".join(map(str, names))), stopped())
    marked, plain, text = (name.read_text() for name in names)
    assert marked.startswith("### Push 7 of ")
    assert json.loads(plain)["outcome"] == "stopped"
    assert "\nEvents\n" in text
    command = "fabricgen push site/intent.yaml -i inventories/lab --floor 3/4 --commit"
    assert text.endswith(f"\nTo push the rest, type: {command}\n")
    assert capsys.readouterr().out.endswith(f"\nTo push the rest, type: {command}\n")


def test_a_report_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(FabricError) as caught:
        write_reports(typed(reports=str(tmp_path / "none/a.md")), stopped())
    (problem,) = caught.value.problems
    assert (problem.code, problem.what) == ("report-write", f"{tmp_path}/none/a.md cannot be written")
    assert "--show --report FILE" in problem.fix


def test_a_report_that_can_not_be_written_is_said_before_anything_is_changed(tmp_path: Path) -> None:
    kept, fresh = tmp_path / "kept.md", tmp_path / "fresh.md"
    kept.write_text("of yesterday\n")
    check_reports(typed(reports=f"{kept} {fresh}"))
    assert [path.name for path in tmp_path.iterdir()] == ["kept.md"]
    assert kept.read_text() == "of yesterday\n"
    words = typed(reports=f"{kept} {tmp_path}/none/a.md {tmp_path}/none/b.md")
    for check in (check_reports, run):
        with pytest.raises(FabricError) as caught:
            check(words)
        assert [one.what for one in caught.value.problems] == [
            f"{tmp_path}/none/{name}.md cannot be written" for name in "ab"
        ]


def test_names_of_reports_that_do_not_say_how_they_are_written() -> None:
    assert typed(reports="a.md b/c.json c.txt d.tar.md").bad_reports() == ()
    bad = typed(reports="a.md x.pdf y z.MD .md w.json.gz").bad_reports()
    assert bad == tuple(map(Path, ("x.pdf", "y", "z.MD", ".md", "w.json.gz")))
