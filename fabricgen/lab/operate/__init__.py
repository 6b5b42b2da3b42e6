"""Operate a running lab: commands in it, its state, impaired cables, probes and paths."""
