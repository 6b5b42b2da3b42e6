"""Operating a fabric: the switches that an intent and an inventory mean, and what a push would bring them."""
