"""Readers by platform name: each platform that is rendered is read, too."""

from collections.abc import Mapping

from fabricgen.drivers.cumulus import CUMULUS
from fabricgen.drivers.eos import EOS
from fabricgen.drivers.frr import FRR
from fabricgen.drivers.junos import JUNOS
from fabricgen.drivers.nxos import NXOS
from fabricgen.drivers.reader import Reader
from fabricgen.drivers.sonic import SONIC
from fabricgen.drivers.srlinux import SRLINUX

READERS: Mapping[str, Reader] = {reader.system: reader for reader in (EOS, FRR, SONIC, CUMULUS, JUNOS, SRLINUX, NXOS)}
