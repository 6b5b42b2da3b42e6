"""What several verbs share of the command line: options, problems, progress.

A verb is a folder beside this one: `command.py` has its options and is all that --help imports, `options.py` what was
typed, `run.py` what it does.
"""
