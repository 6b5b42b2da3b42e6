"""Nokia SR Linux for Batfish.

Source: github.com/batfish/batfish cba1873 (2026-08-21), ConfigurationFormat.java below
projects/common/src/main/java/org/batfish/datamodel: of Nokia's systems it has SR OS alone.
"""

from fabricgen.platforms.base.batfish import BatfishReading

SRLINUX = BatfishReading(None, "Batfish has no reader of SR Linux: of Nokia's systems it reads SR OS alone")
