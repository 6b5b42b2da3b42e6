"""Operation of a fabric: the switches of an intent and an inventory, and what a push would change on them."""
