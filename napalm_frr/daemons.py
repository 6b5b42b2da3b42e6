"""Find out which FRR daemon hangs, and which commands the others can still answer.

vtysh talks to all daemons it finds, one after another, and waits for each without a limit: one that hangs (stopped, in
a loop, waiting for a disk) blocks all commands. Asked alone (`vtysh -d`) each daemon answers for itself (FRR 8.4.4,
tried with SIGSTOP).
"""

from collections.abc import Mapping

NAMES = ("zebra", "bgpd", "staticd", "bfdd")
SECONDS = 2
"""Time for a daemon to answer a trivial command."""
HUNG = 124
"""Exit status of timeout(1)."""
ASK = """
for name in "$@"; do
    { timeout -k 1 SECONDS vtysh PATHSPACE -d "$name" -c 'show version' >/dev/null 2>&1; echo "$name $?"; } &
done
wait
""".replace("SECONDS", str(SECONDS))
"""Shell lines that ask all daemons at the same time. A daemon that is not running does not count as hanging."""
OF_ONE = (("show bgp ", "bgpd"), ("show bfd ", "bfdd"), ("show evpn ", "zebra"), ("show ip route", "zebra"))
"""(beginning of a command, the daemon that alone answers it)."""


def statuses(output: str) -> dict[str, int]:
    """Daemon → exit status, from the output of ASK."""
    pairs = (line.split() for line in output.splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def hanging(status_by_daemon: Mapping[str, int]) -> tuple[str, ...]:
    """The daemons that hang."""
    return tuple(name for name in NAMES if status_by_daemon.get(name) == HUNG)


def answering(status_by_daemon: Mapping[str, int]) -> tuple[str, ...]:
    """The daemons that answer."""
    return tuple(name for name in NAMES if status_by_daemon.get(name) == 0)


def liveness_text(status: Mapping[str, int]) -> str:
    """Text with the hanging and the answering daemons; fabricgen parses it (linux/live/system.py)."""
    hung, alive = (", ".join(f"{name} hangs" for name in hanging(status)), ", ".join(answering(status)) or "none")
    return f"{hung}: no answer within {SECONDS} s; alive: {alive}"


def asked_alone(command: str, alive: tuple[str, ...]) -> str:
    """Answering daemon that can run a command alone; "" where there is none."""
    if command == "show version":
        return next(iter(alive), "")
    return next((name for start, name in OF_ONE if command.startswith(start) and name in alive), "")
