"""The views and cables of a site, gathered switch by switch as each is audited."""

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

    views     of the texts; planned: of the plan
    is_exact  the texts say what the plan asks for and nothing else, so that both are the same
    """

    views: list[SwitchView] = field(default_factory=list)
    planned: list[SwitchView] = field(default_factory=list)
    cables: dict[End, End] = field(default_factory=dict)
    outside: set[Outside] = field(default_factory=set)
    leaks: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    nics: dict[End, NicEnd] = field(default_factory=dict)
    absent: dict[str, dict[str, str]] = field(default_factory=dict)
    is_exact: bool = True

    def add(self, fabric: FabricPlan, device: Device, audit: SwitchAudit, names: frozenset[str]) -> None:
        """Gather one switch."""
        if audit.view is not None:
            self.views.append(audit.view)
        else:
            self.absent.setdefault(device.fabric, {})[device.name] = device.role
        self.is_exact = self.is_exact and audit.is_exact
        self.planned += [audit.planned] if audit.planned is not None else []
        self.cables |= cables_of(device, names)
        self.outside |= outside_of(device)
        self.leaks |= leaks_of(device)
        self.nics |= nics_of(fabric, device, audit.planned)

    def sides(self) -> tuple[SiteView, SiteView | None]:
        """The site by its texts; and by the plan, None where both are the same."""
        return self.whole(self.views), None if self.is_exact else self.whole(self.planned)

    def whole(self, views: list[SwitchView]) -> SiteView:
        """The site by its texts, or by the plan."""
        return SiteView(views, self.cables, frozenset(self.outside), self.leaks, self.nics, self.absent)
