"""A double of a SONiC switch that is pushed to: a folder that stands for its /, and programs that act on it.

No switch is at hand. The programs take the words, and leave the files and texts, of sonic-utilities 691b1bbc
(config/main.py: checkpoint, replace, rollback, save; their messages and that the patch is printed), of the bgp
container (sonic-buildimage ff3c0c9f, docker_init.sh: the lines that it appends when it starts, and that it reads
frr.conf then) and of systemd-run(1): a timer is a process that sleeps. A candidate with the word REFUSED in it is
refused when a part of it was changed already, as the updater may.
"""

import hashlib
import json
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

APPENDED = "no fpm use-next-hop-groups\nfpm address 127.0.0.1\nno zebra nexthop kernel enable\n"

_HEAD = '#!/bin/sh\nroot="$SONIC_ROOT"\nprintf "%s\\n" "$(basename "$0") $*" >> "$root/asked"\n'
_ANSWER = """\
file="$root/answers/$(printf '%s' "$(basename "$0") $*" | md5sum | cut -d' ' -f1)"
[ -e "$file" ] && exec cat "$file"
"""

PROGRAMS: Mapping[str, str] = {
    "sudo": 'shift\nexec "$@"\n',
    "sonic-cfggen": 'exec cat "$root/db.json"\n',
    "config": """\
runs() { cp "$1" "$root/db.new" && mv "$root/db.new" "$root/db.json"; }
case "$1" in
checkpoint)
    [ ! -e "$root/no-checkpoint" ] || { echo "Failed to create a config checkpoint" >&2; exit 2; }
    mkdir -p "$root/etc/sonic/checkpoints"
    cp "$root/db.json" "$root/etc/sonic/checkpoints/$2.cp.json"
    echo "Checkpoint created successfully." ;;
replace)
    echo "Patch Applier: localhost: Patch: $(cat "$2")"
    if grep -q REFUSED "$2"; then
        runs "$2"
        echo "Failed to replace config" >&2
        echo "Usage: config replace [OPTIONS] TARGET_FILE_PATH" >&2
        echo "Error: Data Loading Failed: Value \\"REFUSED\\" does not satisfy: $(cat "$root/says" 2>/dev/null)" >&2
        exit 2
    fi
    [ ! -e "$root/slow" ] || sleep "$(cat "$root/slow")"
    runs "$2"
    echo "Config replaced successfully." ;;
rollback)
    if [ "$2" = --dry-run ]; then
        [ ! -e "$root/no-way-back" ] || { echo "Error: Given patch will produce invalid config." >&2; exit 2; }
        exit 0
    fi
    [ ! -e "$root/no-rollback" ] || { echo "Failed to rollback config" >&2; exit 2; }
    runs "$root/etc/sonic/checkpoints/$2.cp.json"
    echo "Config rolled back successfully." ;;
save)
    if [ -e "$root/full" ]; then : > "$3"; exit 1; fi
    [ ! -e "$root/slow-save" ] || sleep 30
    cat "$root/db.json" > "$3" ;;
esac
""",
    "vtysh": _ANSWER
    + """\
case "$*" in
"-C -f /dev/stdin")
    number=$(grep -n bogus | head -n 1 | cut -d: -f1)
    [ -z "$number" ] || { echo "line $number: % Unknown command: bogus"; exit 2; } ;;
"-f /dev/stdin") cat >> "$root/frr.running" ;;
"-c show running-config") exec cat "$root/frr.running" ;;
"-c write memory") cp "$root/frr.running" "$root/etc/sonic/frr/frr.conf" ;;
*) exit 1 ;;
esac
""",
    "systemctl": """\
case "$1" in
restart)
    [ ! -e "$root/no-bgp" ] || exit 1
    frr="$root/etc/sonic/frr/frr.conf"
    grep -q '^no fpm use-next-hop-groups' "$frr" || cat "$root/appended" >> "$frr"
    cp "$frr" "$root/frr.running"
    [ ! -d "$root/after" ] || cp "$root/after"/* "$root/answers" ;;
stop)
    shift
    for unit in "$@"; do
        pid=$(cat "$root/timers/$unit" 2>/dev/null) || continue
        rm -f "$root/timers/$unit"
        kill -TERM "-$pid" 2>/dev/null
    done ;;
esac
""",
    "systemd-run": """\
unit=${1#--unit=} seconds=${2#--on-active=}
shift 4
mkdir -p "$root/timers"
[ ! -e "$root/no-timer" ] || { echo "Failed to start transient timer unit" >&2; exit 1; }
setsid sh -c 'sleep "$1"; rm -f "$2"; shift 2; exec "$@"' timer "$seconds" "$root/timers/$unit.timer" "$@" \\
    > /dev/null 2>&1 < /dev/null &
echo $! > "$root/timers/$unit.timer"
""",
    "docker": _ANSWER
    + 'case "$*" in *supervisorctl*) echo "vtysh_b    EXITED    Aug 01 06:02 AM" ;; *) exit 1 ;; esac\n',
    "show": _ANSWER
    + r"""
[ "$*" = "runningconfiguration all" ] || exit 1
sed '$ s/}[^}]*$//' "$root/db.json"
printf ', "bgpraw": "%s"}' "$(sed ':a;N;$!ba;s/\n/\\n/g' "$root/frr.running")"
""",
    **dict.fromkeys(
        ("ip", "bridge", "pfcstat", "queuestat", "wredstat", "portstat", "pfcwd", "sonic-db-dump"), f"{_ANSWER}exit 1\n"
    ),
}
"""Program → what it does. SONIC_ROOT is the folder."""


@dataclass(frozen=True, slots=True)
class Box:
    """One switch: its folder."""

    root: Path

    @property
    def environment(self) -> dict[str, str]:
        """What its programs run with."""
        return {"PATH": f"{self.root / 'bin'}:/usr/bin:/bin", "SONIC_ROOT": str(self.root)}

    @property
    def running(self) -> dict[str, Any]:
        """CONFIG_DB."""
        return dict(json.loads((self.root / "db.json").read_text()))

    @property
    def startup(self) -> dict[str, Any]:
        """What it starts with."""
        return dict(json.loads((self.root / "etc/sonic/config_db.json").read_text()))

    @property
    def frr(self) -> str:
        """What FRR runs."""
        return (self.root / "frr.running").read_text()

    @property
    def frr_conf(self) -> str:
        """What FRR starts with."""
        return (self.root / "etc/sonic/frr/frr.conf").read_text()

    @property
    def asked(self) -> list[str]:
        """Programs that were run."""
        file = self.root / "asked"
        return file.read_text().splitlines() if file.exists() else []

    @property
    def timers(self) -> list[str]:
        """Timers that run."""
        return sorted(path.name for path in (self.root / "timers").glob("*")) if (self.root / "timers").exists() else []

    @property
    def waits(self) -> bool:
        """Whether a commit lies there."""
        return (self.root / "run/napalm-sonic/commit").exists()

    def answer(self, command: str, text: str, folder: str = "answers") -> None:
        """Have a program print this; its words are as the shell splits them, joined by blanks.

        folder  `after`: once the bgp container has started again
        """
        key = hashlib.md5(command.encode(), usedforsecurity=False).hexdigest()
        (self.root / folder).mkdir(exist_ok=True)
        (self.root / folder / key).write_text(text)

    def mark(self, name: str, *, off: bool = False, seconds: str = "30") -> None:
        """Have something go wrong: full, slow, slow-save, no-bgp, no-checkpoint, no-rollback, no-way-back, no-timer."""
        (self.root / name).unlink() if off else (self.root / name).write_text(seconds)

    def end(self) -> None:
        """Kill what still sleeps."""
        for path in (self.root / "timers").glob("*"):
            with suppress(ProcessLookupError, ValueError):
                os.killpg(int(path.read_text()), signal.SIGKILL)


def box(root: Path, running: Mapping[str, Any], frr_conf: str) -> Box:
    """Make a switch that runs and starts with these."""
    for folder in ("bin", "etc/sonic/frr", "run", "timers"):
        (root / folder).mkdir(parents=True)
    for name, text in PROGRAMS.items():
        program = root / "bin" / name
        program.write_text(_HEAD + text)
        program.chmod(0o755)
    (root / "appended").write_text(APPENDED)
    for path in ("db.json", "etc/sonic/config_db.json"):
        (root / path).write_text(json.dumps(running))
    for path in ("frr.running", "etc/sonic/frr/frr.conf"):
        (root / path).write_text(frr_conf)
    return Box(root)
