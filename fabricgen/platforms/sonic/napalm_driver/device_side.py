"""Shell scripts of one commit that run on the switch. POSIX sh, as root; $1 is the folder used as /.

A commit has a folder in /run. Like the commit's timers, it is gone after a restart of the switch:

    owner       token by which the client that made the commit, and its timers, recognize it
    message     of the commit
    undo        script that reverts the commit
    target.json wanted CONFIG_DB, if it changes
    frr.before  frr.conf before the commit; frr.new: the wanted one
    merged      lines were added to what FRR runs
    restart     a revert has to restart the bgp container
    timed       everything is applied and waits for confirmation
    deadline    when the timer reverts the commit, in seconds of the system's uptime

Each script holds a lock (flock(1)) that is released when its process ends: a timer waits for the running step, and a
step after the timer sees that the commit is gone. A file is written next to its final place and then moved there, so a
full disk damages none.

Sources, read 2026-11-22:
  config checkpoint, replace, rollback, save   sonic-utilities 691b1bbc, branches 202505 to 202605, config/main.py
  rollback --dry-run of what runs              the same, generic_config_updater/patch_sorter.py, StrictPatchSorter.sort:
                                               the YANG models also validate the target of an empty patch
  systemctl reset-failed, restart bgp          sonic-utilities, config/main.py; sonic-mgmt b4ba9de3, tests/bgp
  supervisorctl status vtysh_b                 sonic-buildimage ff3c0c9f, dockers/docker-fpm-frr/frr/supervisord: the
                                               program that reads frr.conf once bgpd runs, and exits
  /etc/sonic/frr is /etc/frr of the container  sonic-buildimage, files/build_templates/docker_image_ctl.j2
  systemd-run, its options                     systemd-run(1)
The updater prints the patch and the secrets in it, so only the last lines of its errors are shown.
"""

RUN = "/run/napalm-sonic"
FRR_CONF = "/etc/sonic/frr/frr.conf"
STARTUP = "/etc/sonic/config_db.json"
REMARKS = "/etc/sonic/frr/frr.conf.remarks"
"""If SONiC makes frr.conf itself, a rendered file that has only remarks is kept here, so that it can be compared
later."""
CHECKPOINT = "napalm-sonic"
CHECKPOINTS = "/etc/sonic/checkpoints"
"""Folder of checkpoints, each NAME.cp.json (sonic-utilities, generic_config_updater/generic_updater.py)."""
GUARD, REVERT = "napalm-sonic-guard", "napalm-sonic-revert"

TAKEN, NOTHING, FULL, BROKEN = 75, 76, 77, 78
"""Exit statuses: another commit is there; no commit is there; a file could not be written; what ran is not fully
restored."""

_NAMES = f"""\
umask 077
root=$1
run="$root{RUN}"
commit="$run/commit"
frr="$root{FRR_CONF}"
startup="$root{STARTUP}"
remarks="$root{REMARKS}"
"""

_HEAD = f"""{_NAMES}
mkdir -p "$run" || exit {FULL}
exec 9> "$run/lock"
flock 9 || exit 1
print_errors() {{ tail -n 2 "$run/errors" >&2; }}
stage() {{ {{ [ ! -e "$2" ] || cp -p "$2" "$2.new"; }} && cat "$1" > "$2.new" && sync "$2.new"; }}
put() {{ {{ stage "$1" "$2" && mv "$2.new" "$2"; }} || {{ rm -f "$2.new"; return 1; }}; }}
before() {{ if [ -e "$commit/frr.before" ]; then put "$commit/frr.before" "$frr"; else rm -f "$frr"; fi; }}
timer() {{
    systemctl reset-failed "$1.service" 2>/dev/null
    read -r up _ < /proc/uptime
    echo "$((${{up%%.*}} + $2))" > "$commit/deadline"
    systemd-run --unit="$1" --on-active="$2" --timer-property=AccuracySec=1s --collect \\
        /bin/sh "$commit/undo" "$root" "$(cat "$commit/owner")" 2> "$run/errors" 9>&-
}}
"""

_MINE = f"""{_HEAD}
[ "$2" = "$(cat "$commit/owner" 2>/dev/null)" ] || exit {NOTHING}
"""
"""Head of scripts for the caller's commit. $2 is the owner."""

_ANY = f"""{_HEAD}
[ -d "$commit" ] || exit {NOTHING}
[ "${{2:-}}" = "" ] || [ "$2" = "$(cat "$commit/owner")" ] || exit {NOTHING}
"""
"""Head of scripts for any commit. $2 is the owner, or empty for whichever commit is there."""

BEGIN = f"""{_HEAD}
mkdir "$commit" 2>/dev/null || exit {TAKEN}
rm -rf "$run/last"
ends() {{ systemctl stop {GUARD}.timer 2>/dev/null; rm -rf "$commit"; exit "$1"; }}
printf %s "$2" > "$commit/owner" && printf %s "$4" > "$commit/undo" && cat > "$commit/message" || ends {FULL}
[ ! -e "$frr" ] || cat "$frr" > "$commit/frr.before" || ends {FULL}
timer {GUARD} "$3" || {{ print_errors; ends 1; }}
config checkpoint {CHECKPOINT} > /dev/null 2> "$run/errors" || {{ print_errors; ends 1; }}
config rollback --dry-run {CHECKPOINT} > /dev/null 2> "$run/errors" || {{ print_errors; ends {BROKEN}; }}
"""
"""Create the commit's folder, of which there is one, and the checkpoint to revert to. $3: seconds of its guard timer,
$4: UNDO."""

WRITE = f"""{_MINE}
cat > "$commit/$3" || exit {FULL}
"""
"""Write a file of the commit from standard input; $3 is its name."""

REPLACE = f"""{_MINE}
config replace "$commit/target.json" > /dev/null 2> "$run/errors" || {{ print_errors; exit 1; }}
"""

RELOAD = f"""{_MINE}
: > "$commit/restart" || exit {FULL}
if [ -e "$commit/frr.new" ]; then put "$commit/frr.new" "$frr" || exit {FULL}; fi
starts() {{
    systemctl reset-failed bgp
    systemctl restart bgp || return 1
    tries=0
    until docker exec bgp supervisorctl status vtysh_b 2>/dev/null | grep -q EXITED; do
        tries=$((tries + 1))
        [ "$tries" -lt "$1" ] || return 1
        sleep 1
    done
}}
starts "$3"
status=$?
before || exit {FULL}
exit $status
"""
"""Restart the container with the wanted frr.conf, in $3 tries of a second each; then put the old file back on disk."""

MERGE = f"""{_MINE}
{{ : > "$commit/restart" && : > "$commit/merged"; }} || exit {FULL}
vtysh -f /dev/stdin 2>&1
"""
"""Add lines of standard input to what FRR runs."""

TIMED = f"""{_MINE}
timer {REVERT} "$3" || {{ print_errors; exit 1; }}
: > "$commit/timed" || exit {FULL}
systemctl stop {GUARD}.timer 2>/dev/null
exit 0
"""
"""Set a timer that reverts the commit after $3 seconds unless it is confirmed."""

UNDO = f"""{_ANY}
failed=0
if [ -e "$commit/target.json" ]; then
    failed=1
    for try in 1 2 3; do
        if config rollback {CHECKPOINT} > /dev/null 2> "$run/errors"; then failed=0; break; fi
    done
fi
if [ -e "$commit/restart" ]; then
    before || failed=1
    systemctl reset-failed bgp
    systemctl restart bgp || failed=1
fi
[ "$failed" = 0 ] || exit {BROKEN}
systemctl stop {GUARD}.timer {REVERT}.timer 2>/dev/null
rm -rf "$commit"
exit 0
"""
"""Restore what ran, and remove the commit."""

_SAVED = """\
write_startup() {
    cp -p "$startup" "$startup.new" 2>/dev/null
    config save -y "$startup.new" > /dev/null 2> "$run/errors" && [ -s "$startup.new" ] && sync "$startup.new"
}
"""
"""Write what runs next to the startup file: `config save` to the file itself could leave it truncated on a full
disk."""

KEEP = f"""{_ANY}
[ "$2" != "" ] || [ -e "$commit/timed" ] || exit {NOTHING}
{_SAVED}
keep() {{
    if [ -e "$commit/merged" ]; then vtysh -c 'write memory' > /dev/null 2>&1 || return 1; fi
    if [ -e "$commit/remarks" ]; then put "$commit/remarks" "$remarks" || return 1; fi
    if [ -e "$commit/frr.new" ]; then stage "$commit/frr.new" "$frr" || return 1; fi
    write_startup || return 1
    if [ -e "$commit/frr.new" ]; then mv "$frr.new" "$frr" || return 1; fi
    mv "$startup.new" "$startup" && sync "${{startup%/*}}" "${{frr%/*}}"
}}
keep || {{ rm -f "$startup.new" "$frr.new" "$remarks.new"; exit {FULL}; }}
systemctl stop {GUARD}.timer {REVERT}.timer 2>/dev/null
rm -rf "$run/last"
mv "$commit" "$run/last"
"""
"""Keep the commit, also over a restart; another client's commit only if it is completely applied. `rollback` can still
revert it."""

AGAIN = f"""{_HEAD}
[ -d "$run/last" ] || exit {NOTHING}
[ ! -e "$commit" ] || exit {TAKEN}
mv "$run/last" "$commit"
"""
"""Make the last kept commit the current one again, so that it can be reverted."""

SAVE = f"""{_HEAD}
{_SAVED}
write_startup && mv "$startup.new" "$startup" || {{ rm -f "$startup.new"; exit {FULL}; }}
"""

PENDING = f"""{_NAMES}
[ -d "$commit" ] || exit {NOTHING}
cat "$commit/message" 2>/dev/null
exit 0
"""

READ = f"""{_NAMES}
if [ -e "$commit/frr.new" ]; then cat "$commit/frr.new"; elif [ -e "$frr" ]; then cat "$frr"; fi
"""
"""The frr.conf in effect: that of the commit, while one is pending."""

READ_REMARKS = f"""{_NAMES}
if [ -e "$commit/remarks" ]; then cat "$commit/remarks"; elif [ -e "$remarks" ]; then cat "$remarks"; fi
"""
