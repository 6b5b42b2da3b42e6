"""Buffers, marking and watchdogs of the lossless class."""
