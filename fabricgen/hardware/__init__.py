"""Switches, chips, servers, cables and transceivers: one file each, every fact with its source."""
