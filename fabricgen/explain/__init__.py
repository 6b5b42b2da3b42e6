"""What a word of a fabric means, and why: the place, the formula with its numbers, the segment, what overrides it.

Everything is found by the inverse of the plan's formulas: through the segments of the lock, never by a look at every
switch. Nothing is rendered and nothing is written.
"""
