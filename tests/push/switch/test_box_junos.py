"""A push and NAPALM's own `junos` driver over a double of PyEZ's Device: no Junos can be had here.

The replies of `get-commit-information` are as tests of jmcp, a public program over PyEZ, have them of a vSRX with
24.4R2: `comment` keeps its words for good, and `commit-confirmed` is there while the timer runs. What `commit check`
does to a commit that waits is of the same source. Exceptions are PyEZ's own.
"""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jnpr.junos.exception import (  # type: ignore[import-untyped]
    CommitError,
    ConfigLoadError,
    ConnectAuthError,
    LockError,
    RpcTimeoutError,
)
from lxml import etree  # type: ignore[import-untyped]

from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate
from tests.push.boxed import at, committing, fleet, inventory, refused

BEFORE = "system { host-name leaf; }"
AFTER = "system { host-name leaf-1; }"
MESSAGE = "run 7f3a leaf change"
ERROR = "<rpc-error><error-severity>error</error-severity><error-message>{}</error-message></rpc-error>"


class Junos:
    """A double of one switch, and of PyEZ's Device, Config and rpc at once: what NAPALM's driver calls of each."""

    def __init__(self) -> None:
        self.active = BEFORE
        self.candidate = BEFORE
        self.before: list[str] = []
        self.history: list[str] = []
        self.waits = False
        self.locked = ""
        self.fails: dict[str, Exception] = {}
        self.calls: list[str] = []
        session = SimpleNamespace(transport=SimpleNamespace(set_keepalive=lambda _: None, is_active=lambda: True))
        self._conn = SimpleNamespace(_session=session)
        self.timeout = 0
        self.connected = True

    def did(self, call: str) -> None:
        """Note a call; raise what the test wants of it."""
        self.calls.append(call)
        if error := self.fails.pop(call, None):
            raise error

    @property
    def cu(self) -> "Junos":
        """PyEZ's Config."""
        return self

    @cu.deleter
    def cu(self) -> None:
        """NAPALM takes away one of an earlier session."""

    rpc = cu

    def open(self, auto_probe: int) -> None:
        """Connect."""
        self.did(f"open {auto_probe}")

    def close(self) -> None:
        """End the session: a lock goes with it, and what was not committed under it."""
        self.did("close")
        if self.locked == "us":
            self.locked, self.candidate = "", self.active

    def bind(self, cu: type) -> None:
        """Take a utility, which is this double itself."""
        self.did(f"bind {cu.__name__}")

    def lock(self) -> None:
        """Lock the candidate, unless somebody has, or has changed it."""
        self.did("lock")
        if self.locked or self.candidate != self.active:
            raise LockError(rsp=etree.XML(ERROR.format("configuration database locked by: jdoe")))
        self.locked = "us"

    def unlock(self) -> None:
        """Give the lock back."""
        self.did("unlock")
        self.locked = ""

    def load(self, text: str, format: str, overwrite: bool, ignore_warning: bool) -> None:
        """Change the candidate."""
        self.did(f"load {format} {overwrite}")
        if "frobnicate" in text:
            raise ConfigLoadError(etree.XML(ERROR.format("syntax error: frobnicate")))
        self.candidate = text if overwrite else self.active + text

    def diff(self, ignore_warning: bool) -> str | None:
        """What a commit would change."""
        self.did("diff")
        return None if self.candidate == self.active else f"\n[edit]\n-  {self.active}\n+  {self.candidate}\n"

    def commit(self, ignore_warning: bool, **more: Any) -> bool:  # noqa: ANN401 - as PyEZ has it
        """Commit the candidate."""
        self.did(f"commit {more.get('confirm', '')}".strip())
        self.before.insert(0, self.active)
        self.active = self.candidate
        self.waits = "confirm" in more
        comment = f"<comment>commit confirmed, rollback in {more['confirm']}mins</comment>" if self.waits else ""
        log = f"<log>{more['comment']}</log>" if "comment" in more else ""
        self.history.insert(0, comment + log)
        return True

    def commit_configuration(self, check: bool, ignore_warning: bool) -> bool:
        """Check, which confirms a commit that waits."""
        self.did("commit check")
        assert check
        assert ignore_warning
        self.waits = False
        return True

    def rollback(self, rb_id: int = 0, ignore_warning: bool = False) -> None:
        """Make a former configuration the candidate."""
        self.did(f"rollback {rb_id}")
        self.candidate = self.before[rb_id - 1] if rb_id else self.active

    def get_commit_information(self) -> Any:  # noqa: ANN401 - of lxml
        """The history of commits, newest first."""
        self.did("get-commit-information")
        if not self.history:
            return True  # as PyEZ has an empty reply
        mark = "<commit-confirmed>rollback pending</commit-confirmed>" if self.waits else ""
        rows = "".join(f"<commit-history>{row}</commit-history>" for row in [self.history[0] + mark, *self.history[1:]])
        return etree.XML(f"<commit-information>{rows}</commit-information>")

    def get_config(self, filter_xml: None, options: dict[str, str]) -> Any:  # noqa: ANN401 - of lxml
        """What runs."""
        self.did(f"get-config {options['database']}")
        return SimpleNamespace(text=f"\n## Last commit: 2026-10-05 22:03:43 UTC by netops\n{self.active}\n")


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> Junos:
    """A switch."""
    found = Junos()
    monkeypatch.setattr("napalm.junos.junos.Device", lambda *_, **__: found)
    monkeypatch.setattr("fabricgen.platforms.junos.napalm_driver.Device", lambda *_, **__: found)
    return found


@pytest.fixture
def junos(box: Junos, tmp_path: Path) -> Iterator[NapalmFleet]:
    """A fleet with that switch."""
    with fleet(inventory(tmp_path, {"leaf": 830}, "junos"), "junos") as found:
        yield found


def test_a_configuration_is_compared_and_nothing_stays(box: Junos, junos: NapalmFleet) -> None:
    difference = at(junos, lambda it: it.compare(Candidate(AFTER, {})))
    assert difference == f"[edit]\n-  {BEFORE}\n+  {AFTER}"
    assert at(junos, lambda it: it.compare(Candidate(BEFORE, {}))) == ""
    assert (box.active, box.candidate, box.locked) == (BEFORE, BEFORE, "")
    assert "load text True" in box.calls


def test_a_timed_commit_takes_whole_minutes_and_is_known_by_its_comment(box: Junos, junos: NapalmFleet) -> None:
    assert at(junos, lambda it: it.pending()) is None
    token = at(junos, committing(Candidate(AFTER, {}), MESSAGE, 61))
    assert "commit 2" in box.calls
    assert (token, at(junos, lambda it: it.pending())) == (MESSAGE, MESSAGE)
    assert (box.active, box.locked) == (AFTER, "")
    assert refused(junos, lambda it: it.load(Candidate(BEFORE, {}), "another")).kind == "locked"


def test_confirming_leaves_what_somebody_else_has_in_the_candidate(box: Junos, junos: NapalmFleet) -> None:
    token = at(junos, committing(Candidate(AFTER, {}), MESSAGE, 60))
    box.candidate = "edited by somebody"
    at(junos, lambda it: it.confirm(token))
    assert (box.waits, box.active) == (False, AFTER)
    assert at(junos, lambda it: it.pending()) is None  # though its comment still says "rollback in"
    assert refused(junos, lambda it: it.confirm(token)).kind == "gone"
    assert refused(junos, lambda it: it.compare(Candidate(AFTER, {}))).kind == "locked"
    assert box.candidate == "edited by somebody"


def test_a_commit_is_reverted(box: Junos, junos: NapalmFleet) -> None:
    token = at(junos, committing(Candidate(AFTER, {}), MESSAGE, 60))
    assert refused(junos, lambda it: it.revert("another")).kind == "gone"
    assert box.active == AFTER
    at(junos, lambda it: it.revert(token))
    assert (box.active, box.waits, box.locked) == (BEFORE, False, "")
    assert refused(junos, lambda it: it.revert(token)).kind == "gone"
    assert box.active == BEFORE


def test_another_process_confirms(box: Junos, tmp_path: Path) -> None:
    folder = inventory(tmp_path, {"leaf": 830}, "junos")
    token = at(fleet(folder, "junos"), committing(Candidate(AFTER, {}), MESSAGE, 60))
    with fleet(folder, "junos") as junos:
        at(junos, lambda it: it.confirm(token))
    assert (box.active, box.waits) == (AFTER, False)


def test_a_commit_without_a_timer_stays(box: Junos, junos: NapalmFleet) -> None:
    at(junos, committing(Candidate(AFTER, {}), MESSAGE, None))
    assert (box.active, box.waits) == (AFTER, False)


def test_lines_are_merged(box: Junos, junos: NapalmFleet) -> None:
    at(junos, committing(Candidate("set system x", {}, merge=True), MESSAGE, None))
    assert "load set False" in box.calls


def test_what_is_refused_leaves_nothing(box: Junos, junos: NapalmFleet) -> None:
    found = refused(junos, lambda it: it.load(Candidate("frobnicate;", {}), MESSAGE))
    assert (found.kind, "frobnicate" in found.reason) == ("refused", True)
    assert (box.candidate, box.locked) == (BEFORE, "")
    box.fails["commit 1"] = CommitError(etree.XML(ERROR.format("missing mandatory statement")))
    assert refused(junos, committing(Candidate(AFTER, {}), MESSAGE, 60)).kind == "refused"
    assert (box.active, box.candidate, box.locked) == (BEFORE, BEFORE, "")


def test_a_commit_without_an_answer_may_stand(box: Junos, junos: NapalmFleet) -> None:
    box.fails["commit 1"] = RpcTimeoutError(SimpleNamespace(hostname="leaf"), "commit-configuration", 30)
    assert refused(junos, committing(Candidate(AFTER, {}), MESSAGE, 60)).kind == "lost"
    assert "rollback 0" not in box.calls


def test_a_commit_that_is_not_named_again_is_told(
    box: Junos, junos: NapalmFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Junos, "get_commit_information", lambda _: True)
    assert refused(junos, committing(Candidate(AFTER, {}), MESSAGE, 60)).kind == "unable"


@pytest.mark.parametrize(("shown", "told"), [
    ('<date-time junos:seconds="1771416000">2026-02-18 13:00:00 CET</date-time>', ""),
    ('<date-time junos:seconds="1771416060">2026-02-18 12:01:00 UTC</date-time>', "by jdoe at 2026-02-18 12:01:00 UTC"),
])  # fmt: skip
def test_the_commit_before_ours_is_known_again_in_another_time_zone(
    box: Junos, junos: NapalmFleet, shown: str, told: str
) -> None:
    """Which the commit may bring."""
    of_junos = 'xmlns:junos="http://xml.juniper.net/junos/24.4R2/junos"'
    row = "<user>jdoe</user>"
    box.history = [f'<date-time {of_junos} junos:seconds="1771416000">2026-02-18 12:00:00 UTC</date-time>{row}']
    mark = at(junos, lambda it: it.mark())
    token = at(junos, committing(Candidate(AFTER, {}), MESSAGE, 60))
    box.history[1] = shown.replace("<date-time", f"<date-time {of_junos}") + row
    found = at(junos, lambda it: it.meanwhile(token, mark))
    assert found == (f"another commit was made right before it {told}" if told else "")


def test_our_commit_on_another_engine_is_none_before_ours(
    box: Junos, junos: NapalmFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first commit of a switch that shows the history of each of its engines."""
    shown = Junos.get_commit_information

    def twice(it: Junos) -> Any:  # noqa: ANN401 - of lxml
        found = shown(it)
        if isinstance(found, bool):
            return found
        engine = f"<multi-routing-engine-item>{etree.tostring(found).decode()}</multi-routing-engine-item>"
        return etree.XML(f"<multi-routing-engine-results>{engine}{engine}</multi-routing-engine-results>")

    monkeypatch.setattr(Junos, "get_commit_information", twice)
    mark = at(junos, lambda it: it.mark())
    token = at(junos, committing(Candidate(AFTER, {}), MESSAGE, 60))
    assert at(junos, lambda it: it.meanwhile(token, mark)) == ""


def test_a_lock_of_somebody_else_and_a_wrong_password(box: Junos, junos: NapalmFleet) -> None:
    box.fails["open 0"] = ConnectAuthError(SimpleNamespace(user="push", hostname="leaf", port=830))
    assert refused(junos, lambda it: it.running()).kind == "login"
    box.locked = "jdoe"
    found = refused(junos, lambda it: it.load(Candidate(AFTER, {}), MESSAGE))
    assert found.kind == "locked"
    assert "jdoe" in found.reason


def test_what_runs_has_no_line_of_time(box: Junos, junos: NapalmFleet) -> None:
    assert at(junos, lambda it: it.running()) == f"{BEFORE}\n"
