"""Shared parts of the commands: options, problems, progress.

Each command is a folder next to this one: `command.py` has its options and is all that --help imports, `run.py` the
work.
"""
