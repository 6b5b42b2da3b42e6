"""NVIDIA Cumulus Linux: its capabilities and templates, and in live/ how it is read and changed."""
