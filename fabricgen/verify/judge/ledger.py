"""What judges share: the ledger they write into, and words of their findings."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial

from fabricgen.state.state import ETHERNET, SUBINTERFACE
from fabricgen.verify.expect.model import ExpectedInterface, ExpectedSession
from fabricgen.verify.finding import CHECKS, NOWHERE, Finding, FindingEnd, SwitchVerdict, Unchecked

LISTED = 3
"""Things a finding names before it counts the rest."""


def port_subject(port: str, about: str) -> str:
    """Subject of a finding about a port."""
    return f"port {port} ({about})" if about else f"port {port}"


def about_session(device: str, check: str, one: ExpectedSession, port: str) -> partial[Finding]:
    """What every finding about a session says of it. `port`: the own one, empty between loopbacks."""
    inside = f" in {one.vrf}" if one.vrf else ""
    over = f" on {port}" if port not in ("", one.peer) else ""
    return partial(
        Finding,
        device=device,
        check=check,
        subject=f"session {one.peer}{inside}{over} ({one.far})",
        port=port,
        far=one.far,
        family=6 if ":" in one.peer or one.peer == port else 4,
    )


def interface_subject(one: ExpectedInterface) -> str:
    """Subject of a finding about an interface: ports are told as ports."""
    return port_subject(one.name, "") if one.kind == ETHERNET else one.name


def interface_port(one: ExpectedInterface) -> str:
    """Its name, where that is the switch's too: each platform names its aggregates and gateways itself."""
    return one.name if one.kind in (ETHERNET, SUBINTERFACE) else ""


def listed(names: Iterable[str], nothing: str = "none") -> str:
    """The first few, and how many more."""
    found = list(names)
    more = f" and {len(found) - LISTED} more" if len(found) > LISTED else ""
    return ", ".join(found[:LISTED]) + more if found else nothing


def counted(number: int, one: str) -> str:
    """Words such as 1 route, 2 routes."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


class Ledger:
    """Verdict in the making.

    causes  port → what is wrong with it, for the findings that follow from it; EVPN stands for the whole overlay
    cables  port → its planned far end, which every finding about the port names; address of a VTEP → its switch
    """

    def __init__(self, device: str, cables: Mapping[str, FindingEnd]) -> None:
        self.device = device
        self._cables = cables
        self.causes: dict[str, str] = {}
        self._passed: Counter[str] = Counter()
        self._findings: list[Finding] = []
        self._unchecked: list[Unchecked] = []

    def right(self, check: str, count: int = 1) -> None:
        """So many things are as planned."""
        self._passed[check] += count

    def wrong(self, *found: Finding) -> None:
        """These are not."""
        self._findings += (self._joined(one) for one in found)

    def _joined(self, found: Finding) -> Finding:
        far = self._cables.get(found.port, NOWHERE)
        return found._replace(far=far) if found.far == NOWHERE and far != NOWHERE else found

    def skip(self, check: str, reason: str) -> None:
        """A check, or a part of it, cannot be judged."""
        self._unchecked.append(Unchecked(self.device, check, reason))

    def blame(self, port: str, cause: str) -> None:
        """Remember the first cause."""
        self.causes.setdefault(port, cause)

    def behind(self, ports: Iterable[str]) -> tuple[str, ...]:
        """Planned far systems of ports."""
        return tuple(sorted({self._cables[port].system for port in ports if port in self._cables}))

    def verdict(self) -> SwitchVerdict:
        """In the order of the checks."""
        order = {check: at for at, check in enumerate(CHECKS)}
        return SwitchVerdict(
            device=self.device,
            passed=tuple((check, self._passed[check]) for check in CHECKS if self._passed[check]),
            findings=tuple(sorted(self._findings, key=lambda found: order[found.check])),
            unchecked=tuple(sorted(self._unchecked, key=lambda found: order[found.check])),
        )
