"""Readers by platform name."""

from collections.abc import Mapping

from fabricgen.drivers.eos import EOS
from fabricgen.drivers.frr import FRR
from fabricgen.drivers.reader import Reader

READERS: Mapping[str, Reader] = {EOS.system: EOS, FRR.system: FRR}
