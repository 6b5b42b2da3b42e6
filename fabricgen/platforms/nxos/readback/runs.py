"""Neighbors of NX-OS that follow each other and are alike: of the plan they have little of their own.

Ports are no such blocks: the speed of one is said in another line, of its cage.
"""

from fabricgen.readback.runs import VALUE, sessions

_OTHERS = r"(?:\n    +(?!description |remote-as )\S.*)+"
KINDS = (
    sessions(
        rf"\n  neighbor (?P<name>\S+)\n    remote-as (?P<remote>\S+)\n    description (?P<description>{VALUE})"
        rf"(?P<shared>{_OTHERS})"
    ),
)
