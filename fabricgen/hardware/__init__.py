"""Switches, chips, servers, cables and transceivers: one file per item, every fact with its source."""
