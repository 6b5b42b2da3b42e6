"""What failures cost: parts of a fabric, classes of failures that are alike, and what each leaves."""
