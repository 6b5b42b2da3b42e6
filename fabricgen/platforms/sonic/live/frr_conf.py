"""frr.conf on a SONiC switch: what SONiC itself writes into it, and whether the file is ours at all."""

APPENDED = (
    "no fpm use-next-hop-groups",
    "fpm address 127.0.0.1",
    "no zebra nexthop kernel enable",
)
"""Lines that the bgp container appends to the file when it starts, where they are not there: the third in 202505 alone.

Source: sonic-buildimage 086b03bd and ff3c0c9f, dockers/docker-fpm-frr/docker_init.sh, write_default_zebra_config;
read 2026-11-22.
"""
REMARK = "!"


def without_appended(text: str) -> str:
    """Return the file as it was rendered: without what the container has put behind it."""
    lines = text.splitlines()
    while lines and lines[-1].strip() in APPENDED:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


def is_remark(text: str) -> bool:
    """Whether a file has remarks only: SONiC makes its own frr.conf from CONFIG_DB then."""
    return all(line.startswith(REMARK) for line in text.splitlines() if line.strip())
