"""Platforms whose routing is FRR's: a lab runs their own text of it."""

from collections.abc import Mapping

from fabricgen.base.lazy import OnDemand
from fabricgen.platforms import makers_of_some
from fabricgen.platforms.linux.lab.routing import LabRouting

LAB_ROUTINGS: Mapping[str, LabRouting] = OnDemand(makers_of_some("lab.routing"))
