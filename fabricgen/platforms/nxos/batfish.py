"""Cisco NX-OS for Batfish: the file as it is, below the header, with a well-known community as a number.

Sources, github.com/batfish/batfish cba1873 (2026-08-21), below projects/batfish/src/main:
D  java/org/batfish/grammar/VendorConfigurationFormatDetector.java, checkRancid: `cisco-nx`.
C  antlr4/org/batfish/vendor/cisco_nxos/grammar/CiscoNxos_common.g4, standard_community: a number or one of four words,
   which graceful-shutdown is not; RFC 8326 gives it the number 65535:0.
"""

import re

from fabricgen.platforms.base.batfish import (
    CONFIGS,
    EVERYWHERE,
    RENDERED,
    UNDERLAY,
    BatfishReading,
    SnapshotFormat,
)

HEADER = "!RANCID-CONTENT-TYPE: cisco-nx"
GRACEFUL_SHUTDOWN = re.compile(r"^( +set community .*)\bgraceful-shutdown\b", re.MULTILINE)


def _texts(_: str, files: RENDERED) -> tuple[str, ...]:
    text = GRACEFUL_SHUTDOWN.sub(r"\g<1>65535:0", files["running-config"])
    return (f"{HEADER}\n{text}",)


NXOS = BatfishReading(
    SnapshotFormat(name="CISCO_NX", paths=CONFIGS, texts=_texts, barriers=UNDERLAY, unmodelled=EVERYWHERE)
)
