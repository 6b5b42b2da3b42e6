"""Arguments of `fabricgen list`. Imports nothing, as --help needs no more."""

HARDWARE = "hardware"
SYSTEMS = "systems"
CHECKS = "checks"
PARTS = (HARDWARE, SYSTEMS, CHECKS)
