"""Cumulus Linux in a lab: from the text of startup.yaml to FRR's lines."""
