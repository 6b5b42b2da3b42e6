"""Everything about NVIDIA Cumulus Linux: what it can, what it is told, and in live/ how it is read and changed."""
