"""Releases of Junos that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

MODELS = "Juniper's YANG models of QFX and of Junos OS Evolved (github.com/Juniper/yang 2a696d6)"
JVD = "github.com/Juniper/jvd 005ab34, data_center/adc/5stage_evpn_vxlan, 23.4R2-S3-EVO"

RELEASES = (
    Release("23.4", f"{MODELS} of 23.4R1 and 23.4R2; {JVD}", "Juniper's YANG of 23.4R2, QFX and Evolved"),
    Release("24.2", f"{MODELS} of 24.2R1"),
    Release("24.4", f"{MODELS} of 24.4R1", "Juniper's YANG of 24.4R1, QFX and Evolved"),
)
DIFFERENCES: tuple[Difference, ...] = ()
"""No line: what an earlier release does not have is refused (capabilities.py, `since`; limits.py, the watchdog)."""
