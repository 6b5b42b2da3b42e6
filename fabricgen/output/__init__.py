"""Write rendered files to a tree on disk. A commit replaces the whole tree or leaves the old one."""
