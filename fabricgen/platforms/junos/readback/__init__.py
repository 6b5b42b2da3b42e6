"""Junos configurations read back: text → tree (`text`, `groups`), tree → rows. Sources are beside each rule.

Manuals are those of juniper.net/documentation; JVD is github.com/Juniper/jvd at 005ab34; YANG is Juniper's of 24.4R1.
"""
