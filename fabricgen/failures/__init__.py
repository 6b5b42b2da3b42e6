"""The cost of failures: the parts of a fabric, classes of equivalent failures, and what each class leaves."""
