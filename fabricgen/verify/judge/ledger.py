"""The ledger that all judges write to, and common texts of findings."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Unpack

from fabricgen.base.text import listed
from fabricgen.finding_codes.catalogue import CHECK_OF
from fabricgen.state.state import ETHERNET, SUBINTERFACE
from fabricgen.verify.expect.model import ExpectedInterface, ExpectedSession
from fabricgen.verify.finding import CHECKS, NOWHERE, Details, Finding, FindingEnd, SwitchVerdict, Unchecked


def port_subject(port: str, about: str) -> str:
    """Subject of a finding about a port."""
    return f"port {port} ({about})" if about else f"port {port}"


def ports_subject(ports: Sequence[str]) -> str:
    """Subject of a finding about ports with the same fault."""
    return f"port {ports[0]}" if len(ports) == 1 else f"{len(ports)} ports ({listed(ports)})"


def interface_subject(interface: ExpectedInterface) -> str:
    """Subject of a finding about an interface; a physical port is called "port"."""
    return port_subject(interface.name, "") if interface.kind == ETHERNET else interface.name


def interface_port(interface: ExpectedInterface) -> str:
    """Its name, if the switch uses the same one: each platform has its own names for aggregates and gateways."""
    return interface.name if interface.kind in (ETHERNET, SUBINTERFACE) else ""


class Ledger:
    """The verdict on one switch while it is judged.

    causes  port → what is wrong with it, for the findings that follow from it; the key EVPN is the whole overlay
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
        """Count comparisons that passed."""
        self._passed[check] += count

    def wrong(self, *findings: Finding) -> None:
        """Add findings."""
        self._findings += (self._joined(finding) for finding in findings)

    def add(
        self,
        *,
        code: str,
        subject: str,
        problem: str,
        expected: str,
        actual: str,
        **details: Unpack[Details],
    ) -> None:
        """Add a finding about this switch, under the check that has its code."""
        self.wrong(Finding(self.device, CHECK_OF[code], code, subject, problem, expected, actual, **details))

    def _joined(self, finding: Finding) -> Finding:
        far = self._cables.get(finding.port, NOWHERE)
        return finding._replace(far=far) if finding.far == NOWHERE and far != NOWHERE else finding

    def skip(self, check: str, reason: str) -> None:
        """Record that a check, or a part of it, cannot be judged."""
        self._unchecked.append(Unchecked(self.device, check, reason))

    def blame(self, port: str, cause: str) -> None:
        """Record the first cause of a port."""
        self.causes.setdefault(port, cause)

    def far_systems(self, ports: Iterable[str]) -> tuple[str, ...]:
        """Planned far systems of ports."""
        return tuple(sorted({self._cables[port].system for port in ports if port in self._cables}))

    def verdict(self) -> SwitchVerdict:
        """The verdict, in the order of the checks."""
        order = {check: position for position, check in enumerate(CHECKS)}
        return SwitchVerdict(
            device=self.device,
            passed=tuple((check, self._passed[check]) for check in CHECKS if self._passed[check]),
            findings=tuple(sorted(self._findings, key=lambda entry: order[entry.check])),
            unchecked=tuple(sorted(self._unchecked, key=lambda entry: order[entry.check])),
        )


def about_session(ledger: Ledger, session: ExpectedSession, port: str) -> partial[None]:
    """The common part of all findings about a session. `port`: its own port, empty between loopbacks."""
    inside = f" in {session.vrf}" if session.vrf else ""
    over = f" on {port}" if port not in ("", session.peer) else ""
    return partial(
        ledger.add,
        subject=f"session {session.peer}{inside}{over} ({session.far})",
        port=port,
        far=session.far,
        family=6 if ":" in session.peer or session.peer == port else 4,
    )
