"""Work of many switches cut into runs of them, which any process can do as one would do all.

In: a plan, and an executor (`concurrent.futures`): processes of this machine, or of a cluster. Out: files staged or
returned, keys and tallies, put together in the order of the switches. A run is the plan and two numbers: the plan of a
million GPUs is some 40 kB, as it holds no switch.
"""
