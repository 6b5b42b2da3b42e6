"""SR Linux configurations read back: JSON → tree (`document`), tree → rows. Sources are beside each rule.

YANG is Nokia's of 25.3.1 (github.com/nokia/srlinux-yang-models at 97b373e); guides are those of
documentation.nokia.com/srlinux.
"""
