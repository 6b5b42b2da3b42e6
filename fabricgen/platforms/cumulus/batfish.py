"""Cumulus Linux for Batfish.

Source: github.com/batfish/batfish cba1873 (2026-08-21), VendorConfigurationFormatDetector.java below
projects/batfish/src/main/java/org/batfish/grammar: checkCumulusNclu and checkCumulusConcatenated are all it has.
"""

from fabricgen.platforms.base.batfish import BatfishReading

CUMULUS = BatfishReading(
    None,
    "its configuration is a file of NVUE, and Batfish reads commands of NCLU or files of ifupdown2 and FRR alone",
)
