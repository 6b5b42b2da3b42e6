"""Everything about Arista EOS: what it can, what it is told, and in live/ how it is read and changed."""
