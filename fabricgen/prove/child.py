"""A process that commits on a timer at one switch and waits to be killed: `python -m fabricgen.prove.child`.

Its task is one line of JSON on its standard input, without any secret: it reads the inventory itself. It reports its
progress in lines on its standard output. It confirms nothing, and ends when its input is closed, so that nothing is
left of it when its parent is gone.
"""

import json
import sys
from pathlib import Path

from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, SwitchError
from fabricgen.verify.collect.inventory import read_inventory

COMMITTING, WAITS, FAILED = "committing", "waits", "failed"


def _say(word: str, message: str = "") -> None:
    sys.stdout.write(f"{word} {message}\n".replace("\n ", " "))
    sys.stdout.flush()


def main() -> None:
    """Run the task."""
    spec = json.loads(sys.stdin.readline())
    site = read_inventory(Path(spec["inventory"]))

    def act(switch: SwitchConnection) -> None:
        switch.load(Candidate(spec["lines"], {}, merge=True), spec["message"])
        _say(COMMITTING)
        switch.commit(spec["hold"])

    with NapalmFleet(site, {spec["device"]: spec["driver"]}, 1) as fleet:
        result = fleet.each([spec["device"]], act)[spec["device"]]
        if isinstance(result, SwitchError):
            _say(FAILED, f"{result.kind}: {result.reason}")
            return
        _say(WAITS)
        sys.stdin.read()


if __name__ == "__main__":
    main()
