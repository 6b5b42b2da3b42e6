"""`fabricgen push` in a fork of the tests' process that is killed, or waits, at one point of a run.

A trap has:

    settings  values of Settings, for less patience than a real fabric needs
    window    seconds between two samples of counters, at least (default: 1)
    at        "note", "apply" (the lines of a commit, on FRR), "hold" (it begins to wait) or a method of a connection
    where     values that its arguments are to have
    when      "before" or "after" that call; count: the number of the call that fits, from 0
    do        "kill", or "wait": the file `reached` appears, and the run goes on when `go` does
    folder    where these files are

Without `at` the run is what a user types, but for its settings.
"""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from threading import Lock
from typing import Any

from fabricgen.cli import main
from fabricgen.cli.push import duty as push_duty
from fabricgen.cli.push import run as push_run
from fabricgen.push.act.work import RunSettings
from fabricgen.push.journal.journal import Journal
from fabricgen.push.plan.gates import Gates
from fabricgen.push.switch.connection import SwitchConnection
from napalm_frr.lifecycle import Lifecycle

FAULT = 70
"""Exit code of what nobody foresaw; EX_SOFTWARE of sysexits.h."""
SECONDS = 600
"""How long the run waits at most."""


class Trap:
    """Springs at one call."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._spec, self._count, self._lock = spec, 0, Lock()

    def around(self, method: Callable[..., Any], facts: Callable[..., Mapping[str, object]]) -> Callable[..., Any]:
        """The method, with the trap before or after it."""

        @wraps(method)
        def trapped(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever it returns
            is_it = self._is_it(facts(*given, **named))
            if is_it and self._spec["when"] == "before":
                self._spring()
            found = method(*given, **named)
            if is_it and self._spec["when"] == "after":
                self._spring()
            return found

        return trapped

    def _is_it(self, facts: Mapping[str, object]) -> bool:
        if any(facts.get(key) != value for key, value in self._spec["where"].items()):
            return False
        with self._lock:
            self._count += 1
            return self._count - 1 == int(self._spec.get("count", 0))

    def _spring(self) -> None:
        folder = Path(self._spec["folder"])
        (folder / "reached").touch()
        if self._spec["do"] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        deadline = time.monotonic() + SECONDS
        while not (folder / "go").exists() and time.monotonic() < deadline:
            time.sleep(0.02)


def _of_note(journal: Journal, run: int, step: str, how: str, **more: Any) -> Mapping[str, object]:  # noqa: ANN401
    del journal, run
    return {"step": str(step), "how": str(how), **{key: str(more.get(key, "")) for key in ("device", "stage")}}


def _of_box(box: SwitchConnection, *given: object) -> Mapping[str, object]:
    del given
    return {"device": box.name}


def _of_apply(life: Any, *given: object) -> Mapping[str, object]:  # noqa: ANN401 - its own attributes
    del given
    return {"device": life._shell.host}


def set_trap(spec: Mapping[str, Any]) -> None:
    """Change this process alone."""
    push_run.RunSettings = partial(RunSettings, **spec.get("settings", {}))  # type: ignore[assignment,attr-defined]
    push_duty.Gates = partial(Gates, window=spec.get("window", 1))  # type: ignore[assignment,attr-defined]
    if spec.get("at") == "note":
        Journal.note = Trap(spec).around(Journal.note, _of_note)  # type: ignore[method-assign]
    elif spec.get("at") in ("apply", "hold"):
        name = f"_{spec['at']}"
        setattr(Lifecycle, name, Trap(spec).around(getattr(Lifecycle, name), _of_apply))
    elif "at" in spec:
        name = str(spec["at"])
        setattr(SwitchConnection, name, Trap(spec).around(getattr(SwitchConnection, name), _of_box))


def run(spec: Mapping[str, Any], words: tuple[str, ...]) -> int:
    """The command with a trap, in this process; its exit code. To be called in a fork."""
    sys.stdout, sys.stderr = (os.fdopen(number, "w") for number in (1, 2))
    sys.argv = ["fabricgen", *words]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)
    set_trap(spec)
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - as an interpreter ends
        traceback.print_exc()
        return FAULT
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0
