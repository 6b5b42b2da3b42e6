"""Leases on switches, as somebody left them some time ago."""

from pathlib import Path

BOOT = Path("/proc/sys/kernel/random/boot_id")
UPTIME = Path("/proc/uptime")


def aged(lease: Path, seconds: int, boot: str = "") -> None:
    """Have a lease said so many seconds before it was. boot: by another start of the system."""
    *rows, said = lease.read_text().splitlines()
    up, here = said.split()
    lease.write_text("".join(f"{row}\n" for row in (*rows, f"{int(up) - seconds} {boot or here}")))
