"""What a fault takes beyond a command: a fiber that works one way, another inventory, a commit that waits."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import yaml

from fabricgen.lab.host.place import place_of
from tests.faults.model import Laid, inventory_of
from tests.lab.driving import driver
from tests.lab.faults import Running, ip, plug, pull, signal_daemons, splice

HELD_SECONDS = 600
Hosts = dict[str, Any]


def one_way(laid: Laid) -> Callable[[Running, str], None]:
    """A cable that carries frames from its near end to its far end only."""

    def act(lab: Running, name: str) -> None:
        between = _between(lab, name)
        pull(lab, *laid)
        ip("netns", "add", between)
        splice(lab, *laid, between)

    return act


def straight(laid: Laid) -> Callable[[Running, str], None]:
    """The cable as it was."""

    def act(lab: Running, name: str) -> None:
        pull(lab, *laid)
        subprocess.run(["ip", "netns", "delete", _between(lab, name)], check=False, capture_output=True)
        plug(lab, *laid)

    return act


def _between(lab: Running, name: str) -> str:
    """A namespace of the fault's own, which no lab has."""
    return f"fgfault-{place_of(lab.folder).id}-{name}"


def stopped(*daemons: str) -> Callable[[Running, str], None]:
    """Daemons of FRR that hang."""
    return lambda lab, name: signal_daemons(lab, name, daemons, signal.SIGSTOP)


def goes_on(*daemons: str) -> Callable[[Running, str], None]:
    """The way back."""
    return lambda lab, name: signal_daemons(lab, name, daemons, signal.SIGCONT)


def signalled(file: str, number: int) -> Callable[[Running, str], None]:
    """A signal to the process whose number a file of the switch has, and to those that it started."""

    def act(lab: Running, name: str) -> None:
        pid = int(lab.inside(name, "cat", file))
        children = subprocess.run(["pgrep", "-P", str(pid)], check=False, capture_output=True, text=True).stdout
        for one in (pid, *map(int, children.split())):
            os.kill(one, number)

    return act


@contextmanager
def _hosts(lab: Running) -> Iterator[Hosts]:
    """Hosts of the lab's inventory, written back in the end; the first time the file is kept beside it."""
    path = inventory_of(lab)
    kept = path.with_suffix(".kept")
    if not kept.exists():
        kept.write_bytes(path.read_bytes())
    hosts: Hosts = yaml.safe_load(path.read_text())
    yield hosts
    path.write_text(yaml.safe_dump(hosts))


def inventory_restored(lab: Running, name: str) -> None:
    """The inventory as `lab up` wrote it."""
    del name
    path = inventory_of(lab)
    path.with_suffix(".kept").replace(path)


def left_out(lab: Running, name: str) -> None:
    """A switch that the inventory does not have."""
    with _hosts(lab) as hosts:
        del hosts[name]


def unreached(lab: Running, name: str) -> None:
    """A switch whose management address leads nowhere."""
    with _hosts(lab) as hosts:
        _arguments(hosts, name)["namespace"] = "fgfault-nowhere"


def exchanged(other: str) -> Callable[[Running, str], None]:
    """Two switches whose management addresses are swapped."""

    def act(lab: Running, name: str) -> None:
        with _hosts(lab) as hosts:
            one, two = _arguments(hosts, name), _arguments(hosts, other)
            mine = dict(one)
            one.update(two)
            two.update(mine)

    return act


def _arguments(hosts: Hosts, name: str) -> dict[str, Any]:
    found: dict[str, Any] = hosts[name]["connection_options"]["napalm"]["extras"]["optional_args"]
    return found


def armed(lines: Iterable[str]) -> Callable[[Running, str], None]:
    """A commit of these lines more, which waits for its confirmation, and whose operator has gone home."""
    text = "".join(f"{line}\n" for line in lines)

    def act(lab: Running, name: str) -> None:
        running = lab.inside(name, "vtysh", "-c", "show running-config no-header")
        found = driver(lab.folder, name)
        found.open()
        try:
            found.load_replace_candidate(config=running + text)
            found.commit_config(revert_in=HELD_SECONDS)
        finally:
            found.close()

    return act


def disarmed(lab: Running, name: str) -> None:
    """The commit is taken back."""
    found = driver(lab.folder, name)
    found.open()
    try:
        found.cancel_commit()
    finally:
        found.close()


LOOP = "/run/fault.loop"


def again_and_again(command: str, seconds: int) -> Callable[[Running, str], None]:
    """A command that is done every few seconds, until the loop is ended."""

    def act(lab: Running, name: str) -> None:
        script = f"while [ -e {LOOP} ]; do {command}; sleep {seconds}; done"
        lab.inside(name, "sh", "-c", f'touch {LOOP}; setsid sh -c "$0" </dev/null >/dev/null 2>&1 & exit 0', script)

    return act


def ends(lab: Running, name: str) -> None:
    """The loop ends, before its next turn."""
    lab.inside(name, "rm", LOOP)
