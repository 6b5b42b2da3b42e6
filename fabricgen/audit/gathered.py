"""The views and cables of a site, gathered switch by switch as each is audited."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from fabricgen.audit.nics import nics_of
from fabricgen.audit.site_view import End, NicEnd, Outside, SiteView, cables_of, leaks_of, outside_of
from fabricgen.audit.switch import SwitchAudit
from fabricgen.audit.views import SwitchView
from fabricgen.device.device import Device
from fabricgen.plan.fabric import FabricPlan


@dataclass(slots=True)
class GatheredSite:
    """What properties need of all switches, gathered as they pass.

    audits    of all switches, without their findings
    is_exact  the texts say what the plan asks for and nothing else, so that both views of each are the same
    """

    audits: list[SwitchAudit] = field(default_factory=list)
    cables: dict[End, End] = field(default_factory=dict)
    outside: set[Outside] = field(default_factory=set)
    leaks: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    nics: dict[End, NicEnd] = field(default_factory=dict)
    absent: dict[str, dict[str, str]] = field(default_factory=dict)
    is_exact: bool = True

    def add(self, fabric: FabricPlan, device: Device, audit: SwitchAudit, names: Container[str]) -> None:
        """Gather one switch."""
        self.audits.append(audit._replace(findings=(), unread=(), added=()))
        if audit.view is None:
            self.absent.setdefault(device.fabric, {})[device.name] = device.role
        self.is_exact = self.is_exact and audit.is_exact
        self.cables |= cables_of(device, names)
        self.outside |= outside_of(device)
        self.leaks |= leaks_of(device)
        self.nics |= nics_of(fabric, device, audit)

    def join(self, other: "GatheredSite") -> None:
        """Gather the switches that were gathered elsewhere, behind those of here."""
        self.audits += other.audits
        self.cables |= other.cables
        self.outside |= other.outside
        self.leaks |= other.leaks
        self.nics |= other.nics
        for fabric, roles in other.absent.items():
            self.absent.setdefault(fabric, {}).update(roles)
        self.is_exact = self.is_exact and other.is_exact

    def sides(self) -> tuple[SiteView, SiteView | None]:
        """The site by its texts; and by the plan, None where both are the same."""
        audits = [audit.whole() for audit in self.audits]
        read = self._whole(audit.view for audit in audits)
        return read, None if self.is_exact else self._whole(audit.planned for audit in audits)

    def _whole(self, views: Iterable[SwitchView | None]) -> SiteView:
        switches = [view for view in views if view is not None]
        return SiteView(switches, self.cables, frozenset(self.outside), self.leaks, self.nics, self.absent)
