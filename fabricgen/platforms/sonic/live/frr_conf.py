"""frr.conf on a SONiC switch: the lines that SONiC appends to it, and whether the file is a rendered one."""

APPENDED = (
    "no fpm use-next-hop-groups",
    "fpm address 127.0.0.1",
    "no zebra nexthop kernel enable",
)
"""Lines that the bgp container appends to the file when it starts, if they are missing; the third in 202505 only.

Source: sonic-buildimage 086b03bd and ff3c0c9f, dockers/docker-fpm-frr/docker_init.sh, write_default_zebra_config; read
2026-11-22."""
REMARK = "!"


def without_appended(text: str) -> str:
    """Return the file as it was rendered: without the lines that the container appends."""
    lines = text.splitlines()
    while lines and lines[-1].strip() in APPENDED:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


def is_remark(text: str) -> bool:
    """Return whether a file has remarks only: SONiC then makes its own frr.conf from CONFIG_DB."""
    return all(line.startswith(REMARK) for line in text.splitlines() if line.strip())
