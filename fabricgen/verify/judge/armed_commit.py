"""A commit that the switch will end by itself: its present configuration is not its later one."""

from dataclasses import replace

from fabricgen.platforms.base.live.run_marks import Armed, armed_words
from fabricgen.verify.finding import Finding, SwitchVerdict, Unchecked


def with_armed(verdict: SwitchVerdict, armed: Armed | str | None) -> SwitchVerdict:
    """Add the armed commit to a verdict. armed: a reason if that is unknown; None: nothing is armed."""
    if armed is None:
        return verdict
    if isinstance(armed, str):
        unknown = Unchecked(verdict.device, "reachable", f"cannot tell whether a commit is waiting: {armed}")
        return replace(verdict, unchecked=(unknown, *verdict.unchecked))
    finding = Finding(
        device=verdict.device,
        check="reachable",
        code="commit-armed",
        subject="the switch",
        problem="will revert by itself: a commit is not confirmed",
        expected="no commit that waits to be confirmed or reverted",
        actual=armed_words(armed),
    )
    return replace(verdict, findings=(finding, *verdict.findings))
