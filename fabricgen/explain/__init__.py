"""What a word means in a fabric, and why: the place, the formula with its numbers, the segment, the overrides.

All answers come from the inverse of the plan's formulas, applied to the segments of the lock; no loop visits every
switch. Nothing is rendered and nothing is written.
"""
