"""Routing of a switch in a lab: what FRR on this host runs of the text of a system whose routing is FRR's."""
