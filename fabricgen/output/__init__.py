"""Rendered files to a tree on disk: the whole new one or the whole old one."""
