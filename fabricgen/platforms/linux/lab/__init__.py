"""Routing of a switch in a lab: which text of a system that routes with FRR runs in FRR on this host."""
