"""Render and check many switches in parallel: the work is split into runs that any process can do.

In: a plan, and an executor (`concurrent.futures`): processes of this machine, or of a cluster. Out: files staged or
returned, keys and tallies, put together in the order of the switches. A run is the plan and two numbers: the plan of a
million GPUs is some 40 kB, as it holds no switch.
"""
