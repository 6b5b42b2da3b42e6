"""Which daemon of FRR says nothing, and what the others can still be asked for.

vtysh talks to all daemons it finds, one after another, and waits for each for ever: one that hangs (stopped, in a loop,
waiting for a disk) takes all commands with it. Asked alone (`vtysh -d`) each answers for itself (FRR 8.4.4, tried with
SIGSTOP).
"""

from collections.abc import Mapping

NAMES = ("zebra", "bgpd", "staticd", "bfdd")
SECONDS = 2
"""That a daemon has for an answer which costs it nothing."""
HUNG = 124
"""Exit status of timeout(1)."""
ASK = """
for name in "$@"; do
    { timeout -k 1 SECONDS vtysh PATHSPACE -d "$name" -c 'show version' >/dev/null 2>&1; echo "$name $?"; } &
done
wait
""".replace("SECONDS", str(SECONDS))
"""Line of sh: each daemon is asked at the same time. One that is not there is no daemon that hangs."""
OF_ONE = (("show bgp ", "bgpd"), ("show bfd ", "bfdd"), ("show evpn ", "zebra"), ("show ip route", "zebra"))
"""How a command begins that one daemon alone answers."""


def statuses(said: str) -> dict[str, int]:
    """Daemon → exit status, by what ASK printed."""
    pairs = (line.split() for line in said.splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}


def hanging(found: Mapping[str, int]) -> tuple[str, ...]:
    """Those that say nothing."""
    return tuple(name for name in NAMES if found.get(name) == HUNG)


def answering(found: Mapping[str, int]) -> tuple[str, ...]:
    """Those that do."""
    return tuple(name for name in NAMES if found.get(name) == 0)


def told(found: Mapping[str, int]) -> str:
    """Which hang and which do not, in words that fabricgen reads again (linux/live/system.py)."""
    hung, alive = ", ".join(f"{name} hangs" for name in hanging(found)), ", ".join(answering(found)) or "none"
    return f"{hung}: no answer within {SECONDS} s; alive: {alive}"


def asked_alone(command: str, alive: tuple[str, ...]) -> str:
    """Living daemon that a command can be asked of alone; "" where there is none."""
    if command == "show version":
        return next(iter(alive), "")
    return next((name for start, name in OF_ONE if command.startswith(start) and name in alive), "")
