"""Counts of an audit over all switches."""

from dataclasses import dataclass, field

from fabricgen.audit.switch import LineCount, SwitchAudit


@dataclass(slots=True)
class AuditTotal:
    """Counts over all switches.

    faulty  switches whose file is no configuration of their system
    lines  system → its lines
    added  lines that the intent adds: not understood; changes: what the intent's lines change of the plan
    """

    switches: int = 0
    differing: int = 0
    absent: int = 0
    faulty: int = 0
    unread: int = 0
    added: int = 0
    changes: int = 0
    lines: dict[str, LineCount] = field(default_factory=dict)

    @property
    def read(self) -> int:
        """Switches with a configuration that could be read."""
        return self.switches - self.absent - self.faulty

    def add(self, audit: SwitchAudit) -> None:
        """Count one switch."""
        self.switches += 1
        self.absent += not audit.has_config
        self.faulty += audit.fault is not None
        self.differing += any(not finding.by_user for finding in audit.findings)
        self.unread += len(audit.unread)
        self.added += len(audit.added)
        self.changes += sum(finding.by_user for finding in audit.findings)
        if audit.has_config:
            self._count(audit.system, audit.lines)

    def join(self, other: "AuditTotal") -> None:
        """Add the counts of other switches."""
        self.switches += other.switches
        self.differing += other.differing
        self.absent += other.absent
        self.faulty += other.faulty
        self.unread += other.unread
        self.added += other.added
        self.changes += other.changes
        for system, lines in other.lines.items():
            self._count(system, lines)

    def _count(self, system: str, lines: LineCount) -> None:
        self.lines[system] = self.lines.get(system, LineCount()).plus(lines)
