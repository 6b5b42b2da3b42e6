"""A double of a switch with NVUE: revisions, what is applied, timed commits, and what else is asked of it by a shell.

It is no NVUE. It replays what is cited: `nv config` as platforms/cumulus/napalm_driver/__init__.py has it from
NVIDIA's manual and from public drivers; `Invalid config [rev_id: N]` with a reason indented below (511 NVUE Snippets;
knowledge base, NVUE Fails to Apply Configuration After Upgrade), `applied [rev_id: 5]`, `saved [rev_id: applied]` (a
public record of a session on 5.x); states applied, applied_and_saved, confirm, confirm_fail (a public client of the
REST API). Whether it exits with an error where it refuses is not cited: here it does not.
"""

import copy
import json
import re
import shlex
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import yaml

from tests.cumulus.reading import leaves
from tests.doubles.cumulus_shown import HEADER

ROOTS = frozenset(
    {"acl", "bridge", "evpn", "interface", "mlag", "nve", "platform", "qos", "router", "service", "system", "vrf"}
)
"""First words of `nv set` (511 NVUE CLI, Configuration Commands)."""
SCRIPT = re.compile(r"mark=(--\w+--); exec 3>&1\n(.*)", re.DOTALL)
PROGRAM = re.compile(r"errors=\$\((.*) 2>&1 >&3 3>&-\); printf .*")
"""Programs in one shell, as napalm_frr's shell.py writes them: each with its status and errors behind its output."""
LOADER, DUMPER = getattr(yaml, "CBaseLoader", yaml.BaseLoader), getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class Said(NamedTuple):
    """What a command left: exit status, output, errors."""

    status: int
    output: str
    errors: str = ""


@dataclass(slots=True)
class Revision:
    """One revision."""

    text: str
    state: str
    message: str = ""
    parent: str = ""


@dataclass(repr=False)
class Switch:
    """One switch.

    shows    what vtysh, programs and `nv show` print, by command; JSON as it is
    minute   seconds that a minute of a timed commit lasts here
    refuses  what apply says in place of applying; "" to apply
    full     the disk is full
    stuck    a confirmation changes nothing
    mute     revisions are not shown in the known form
    ends     state in which an apply stops half-way; "" where it does not
    via      states that the newest revision is seen in, look by look, before its own
    saves    what is applied is written to the startup file at once, confirmed or not
    sticks   nothing is detached
    asked    every command
    """

    applied: str
    shows: Callable[[str], object] = field(default=lambda command: None)
    minute: float = 60.0
    refuses: str = ""
    full: bool = False
    stuck: bool = False
    mute: bool = False
    ends: str = ""
    via: list[str] = field(default_factory=list)
    saves: bool = False
    sticks: bool = False
    startup: str = ""
    asked: list[str] = field(default_factory=list)
    lock: threading.RLock = field(default_factory=threading.RLock)
    revisions: dict[str, Revision] = field(default_factory=dict)
    pending: Revision | None = None
    deadline: float = 0.0

    def __post_init__(self) -> None:
        """As after its start: one revision that is applied and saved."""
        self.startup = self.applied
        self.revisions["1"] = Revision(self.applied, "applied_and_saved", "Config update by root")

    def run(self, words: list[str], given: str) -> Said:
        """One command as a shell would run it."""
        with self.lock:
            self._tick()
            root = words[:4] == ["sudo", "-n", "timeout", "-k"]
            plain = words[6:] if root else words
            self.asked.append(("sudo " if root else "") + " ".join(plain)[:200])
            return self._said(plain, given)

    def _said(self, words: list[str], given: str) -> Said:
        if words[:2] == ["nv", "config"]:
            return self._config(words[2:])
        if words[:2] == ["sh", "-c"]:
            return self._load(words[3], given) if 'nv config "$0"' in words[2] else self._programs(words[2])
        if words[0] == "vtysh":
            return self._vtysh(words[1:])
        if words == ["command", "-v", "nv"]:
            return Said(0, "/usr/bin/nv\n")
        startup = words == ["cat", "/etc/nvue.d/startup.yaml"]
        return Said(0, self.startup) if startup else self._shown(" ".join(words))

    def waiting(self) -> Revision | None:
        """The revision that waits."""
        with self.lock:
            self._tick()
            return next((one for one in self.revisions.values() if one.state == "confirm"), None)

    def _tick(self) -> None:
        waits = next((one for one in self.revisions.values() if one.state == "confirm"), None)
        if waits is not None and time.monotonic() >= self.deadline:
            self._revert(waits)

    def _revert(self, waits: Revision) -> None:
        waits.state = "confirm_fail"
        self.applied = self.revisions[waits.parent].text

    def _shown(self, command: str) -> Said:
        found = self.shows(command)
        if found is None:
            return Said(1, "", f"Error: {command}: not known")
        return Said(0, found if isinstance(found, str) else json.dumps(found))

    def _vtysh(self, words: list[str]) -> Said:
        said = [self._shown(command) for flag, command in zip(words[::2], words[1::2], strict=True) if flag == "-c"]
        worst = next((one for one in said if one.status), None)
        return worst or Said(0, "".join(one.output if one.output.endswith("\n") else f"{one.output}\n" for one in said))

    def _programs(self, script: str) -> Said:
        whole = SCRIPT.fullmatch(script)
        assert whole, script
        mark, lines = whole.groups()
        output = ""
        for line in lines.splitlines():
            found = PROGRAM.fullmatch(line)
            assert found, line
            said = self._shown(" ".join(shlex.split(found[1])))
            output += f"{said.output}\n{mark} {said.status}\n{said.errors}\n{mark}\n"
        return Said(0, output)

    def _load(self, verb: str, text: str) -> Said:
        try:
            found = yaml.load(text, LOADER)  # noqa: S506 - a loader of texts alone
            items = [(kind, part) for item in found for kind, part in item.items() if kind != "header"]
            unknown = {key for _, part in items for key in part or {} if key not in ROOTS}
        except (yaml.YAMLError, AttributeError, TypeError) as fault:
            return Said(1, "", f"Error: {fault}")
        if unknown:
            return Said(1, "", f"Error: Config invalid at {sorted(unknown)[0]}: {str(items)[:4000]} is not valid")
        base = tree(self.pending.text if self.pending else self.applied) if verb == "patch" else {}
        number = self._current()
        merged = copy.deepcopy(base)
        for kind, part in items:
            (_join if kind == "set" else _take)(merged, part or {})
        self.pending = Revision(_written(merged), "pending", parent=number)
        return Said(0, "")

    def _current(self) -> str:
        """Number of the revision that is applied."""
        kept = [number for number, one in self.revisions.items() if one.text == self.applied and one.state != "pending"]
        return kept[-1]

    def _config(self, words: list[str]) -> Said:
        if words[0] == "detach":
            self.pending = self.pending if self.sticks else None
            return Said(0, "")
        if words[0] == "show":
            return Said(0, HEADER + self.applied)
        if words[0] == "diff":
            return Said(0, self._diff())
        if words[0] == "save":
            return self._save()
        if words[0] == "revision":
            return Said(0, self._listed(applied="--applied" in words))
        return self._apply(words[1:])

    def _save(self) -> Said:
        if self.full:
            return Said(1, "", "Error: [Errno 28] No space left on device: '/etc/nvue.d/startup.yaml'")
        self.startup = self.applied
        return Said(0, "saved [rev_id: applied]\n")

    def _listed(self, *, applied: bool) -> str:
        if self.mute:
            return "Rev ID  State\n------  -----\n1       applied\n"
        if applied:
            one = self.revisions[self._current()]
            return json.dumps({"applied": {"state": "applied", "additional-data": {"parent-revision-id": one.parent}}})
        rows = {
            number: {"state": one.state, "message": one.message, "additional-data": {"parent-revision-id": one.parent}}
            for number, one in self.revisions.items()
        }
        if self.via:
            rows[max(rows, key=int)]["state"] = self.via.pop(0)
        return json.dumps(rows)

    def _apply(self, words: list[str]) -> Said:
        number = words.pop(0) if words and words[0].isdigit() else ""
        assert "--assume-yes" in words
        if "--confirm-yes" in words or "--confirm-no" in words:
            return self._answer(number, keep="--confirm-yes" in words)
        return self._applied(number, words)

    def _answer(self, number: str, *, keep: bool) -> Said:
        waits = self.revisions.get(number)
        if waits is None or waits.state != "confirm":
            return Said(1, "", "Error: Unknown state")
        if self.stuck:
            return Said(0, "")
        if keep:
            waits.state = "applied_and_saved"
            self.startup = self.applied
        else:
            self._revert(waits)
        return Said(0, "")

    def _applied(self, number: str, words: list[str]) -> Said:
        wanted = self.revisions[number] if number else self.pending
        if wanted is None:
            return Said(0, "Warning: no changes to apply\n")
        fresh = str(max(map(int, self.revisions)) + 1)
        if self.refuses:
            return Said(0, f"Invalid config [rev_id: {fresh}]\n  {self.refuses}\n")
        message = words[words.index("-m") + 1] if "-m" in words else "Config update by push"
        timed = "--confirm" in words
        if self.ends:
            self.revisions[fresh] = Revision(wanted.text, self.ends, message, self._current())
            return Said(0, f"{self.ends} [rev_id: {fresh}]\n")
        state = "confirm" if timed else "applied"
        self.revisions[fresh] = Revision(wanted.text, state, message, self._current())
        if timed:
            self.deadline = time.monotonic() + int(words[words.index("--confirm") + 1]) * self.minute
        self.applied, self.pending = wanted.text, None
        self.startup = wanted.text if self.saves else self.startup
        return Said(0, f"applied [rev_id: {fresh}]\n")

    def _diff(self) -> str:
        if self.pending is None:
            return ""
        now, then = set(leaves(tree(self.applied))), set(leaves(tree(self.pending.text)))
        parts = []
        for kind, found in (("unset", now - then), ("set", then - now)):
            node: dict[str, Any] = {}
            for path, value in sorted(found, key=str):
                _put(node, path, value)
            parts += [{kind: node}] if node else []
        return yaml.dump(parts, Dumper=DUMPER, sort_keys=False) if parts else ""


@lru_cache(maxsize=64)
def tree(text: str) -> dict[str, Any]:
    """All that is set, as one tree, to be looked at only; quicker than tests/cumulus/reading.py, and less strict."""
    found: dict[str, Any] = {}
    for item in yaml.load(text, LOADER):  # noqa: S506 - a loader of texts alone
        _join(found, copy.deepcopy(item.get("set") or {}))
    return found


def _put(node: dict[str, Any], path: tuple[str, ...], value: str | None) -> None:
    *above, last = path
    for key in above:
        node = node.setdefault(key, {})
    node[last] = {} if value is None else value


def _join(into: dict[str, Any], part: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _join(into[key], value)
        else:
            into[key] = value


def _take(found: dict[str, Any], part: Mapping[str, Any]) -> None:
    for key, value in part.items():
        if value and isinstance(value, dict):
            _take(found.get(key, {}), value)
        else:
            found.pop(key, None)


def _written(node: Mapping[str, Any]) -> str:
    return yaml.dump([{"set": dict(node)}], Dumper=DUMPER, sort_keys=False)


def paths(text: str) -> Iterator[tuple[str, ...]]:
    """Every leaf of a configuration, its value last."""
    for path, value in leaves(tree(text)):
        yield (*path, *(() if value is None else (value,)))
