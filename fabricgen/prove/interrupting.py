"""Interruption times of a port and a session that were shut down, measured from the moment they are enabled again."""

from collections.abc import Callable

from fabricgen.platforms.base.live.proof import Trial
from fabricgen.prove.bench import ProofBench, UntouchedState
from fabricgen.push.switch.switch import SwitchError

DOWN_SECONDS = 30
"""Seconds in which a shutdown must take effect: a BGP session ends at once, a port too."""
UP_SECONDS = 300
"""Maximum seconds to wait for it to be up again."""


def port(bench: ProofBench) -> None:
    """Shut down the given port, and enable it again."""
    name, lines = bench.settings.port, bench.subject.table.probe.port
    if lines is None:
        bench.untried("the command to shut down a port is unknown", Trial.PORT)
        return
    _interrupt(bench, Trial.PORT, name, lines(name), lambda links: name in links.ports)


def session(bench: ProofBench) -> None:
    """Shut down the given session, and enable it again."""
    peer, lines = bench.settings.session, bench.subject.table.probe.session
    if lines is None:
        bench.untried("the command to shut down a session is unknown", Trial.SESSION)
        return
    state = bench.read_all("before-session")
    if state.bgp is None or not state.bgp.asn:
        bench.untried("its AS number cannot be read", Trial.SESSION)
        return
    _interrupt(bench, Trial.SESSION, peer, lines(peer, state.bgp.asn), lambda links: peer in links.sessions)


def _interrupt(bench: ProofBench, trial: Trial, name: str, lines: str, is_up: Callable[[UntouchedState], bool]) -> None:
    """Shut it down on a timer, wait until it is down, end the commit, and measure until it is up."""
    before = bench.links()
    if not is_up(before):
        bench.untried(f"{name} is not up", trial)
        return
    token = bench.committed(bench.lines(lines), f"that shuts {name}")
    went_down = _waited(bench, lambda: not is_up(bench.links()), DOWN_SECONDS)
    started = bench.now()
    bench.reverted(token, f"of {name}")
    came_up = _waited(bench, lambda: is_up(bench.links()), UP_SECONDS)
    seconds = bench.now() - started
    now = bench.links()
    still_down = sorted((before.ports | before.sessions) - (now.ports | now.sessions))
    text = f"{name} {'went down' if went_down else 'did not go down'}"
    text += f" and was up {seconds:.1f} s later" if came_up else f" and was not up {seconds:.0f} s later"
    text += f"; still down: {', '.join(still_down)}" if still_down else ""
    is_same = bench.same()
    text += "" if is_same else "; its running configuration is NOT the original one"
    bench.measure(trial, went_down and came_up and is_same, text, seconds)


def _waited(bench: ProofBench, condition: Callable[[], bool], seconds: float) -> bool:
    last = bench.now() + seconds
    while not condition():
        if bench.now() >= last:
            return False
        bench.pause()
    return True


def keep(bench: ProofBench) -> None:
    """Confirm the test lines; then replace the configuration by the first one, and confirm that."""
    if bench.first.startup is not None and not bench.agrees(bench.first.startup, bench.first.running):
        raise SwitchError(
            "unsaved",
            "its startup configuration differs from the running one, and a confirmation would save the running one",
        )
    token = bench.committed(bench.test_lines(), "to be confirmed")
    with bench.timed("confirm"):
        bench.act(lambda switch: switch.confirm(token))
    mark = bench.subject.table.probe.adds[0]
    runs, starts = bench.running(), bench.startup()
    is_there = bench.act(lambda switch: switch.compare(bench.test_lines())) == ""
    is_saved = starts is None or bench.agrees(starts, runs)
    text = "it runs" if is_there else "it does NOT run"
    text += "" if starts is None else ", and starts with it" if is_saved else ", and does NOT start with it"
    bench.measure(Trial.CONFIRM, is_there and is_saved, f"{mark}: {text}")
    replace(bench)


def replace(bench: ProofBench) -> None:
    """Restore the first configuration as a whole."""
    candidate = bench.act(lambda switch: switch.snapshot())._replace(text=bench.first.running, files={})
    token = bench.committed(candidate, "that replaces")
    difference = bench.act(lambda switch: switch.compare(candidate))
    with bench.timed("confirm"):
        bench.act(lambda switch: switch.confirm(token))
    is_same = bench.same()
    text = "it runs its original configuration" if is_same else "it does NOT run its original configuration"
    bench.measure(Trial.REPLACE, is_same and not difference, text)
