"""The pending commit and the lease on the switch: scripts in addition to those of device_side.py, and their results."""

from fabricgen.platforms.sonic.napalm_driver.device_side import RUN
from napalm_frr.device_lease import LEASE
from napalm_frr.run_marks import NO_FOLDER

_HEAD = f"""umask 077
root=$1
shift
{LEASE}
cd "$root{RUN}" 2>/dev/null || exit {NO_FOLDER}
"""

READ_MARKS = f"""{_HEAD}
if [ -d commit ]; then
    word=changes left=-
    [ ! -e commit/timed ] || word=waits
    read -r up _ </proc/uptime
    if [ -s commit/deadline ]; then
        read -r end <commit/deadline
        left=$((end - ${{up%%.*}}))
        [ "$left" -gt 0 ] || left=0
    fi
    printf 'armed %s %s %s %s\\n' "$word" "$left" "$(cat commit/owner)" "$(cat commit/message 2>/dev/null)"
fi
leased
"""

TAKE = f"""mkdir -p "$1{RUN}" || exit 77
{_HEAD}
take_lease "$@"
"""

RELEASE = f"""{_HEAD}
release_lease "$1"
"""
