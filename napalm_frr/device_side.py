"""The shell script that runs on the switch while its configuration changes: POSIX sh, with flock and setsid.

It is written into the state folder when a commit begins. `arm` takes the lock and starts `guard`, a process that
continues when the client disconnects: it holds the lock until a decision is made, and reverts if its deadline comes
first. The decision is one file that is linked into place, so of a simultaneous confirmation and deadline only one wins.
Only `guard` writes the startup file, when the decision is to keep. Files besides frr.conf: `device_files.py`.

Files of the state folder: before (running configuration at the start), rollback (that of the last commit that was
kept), deadline (in seconds of the system's uptime, which no clock change affects), decision and outcome of the current
or last commit, pending (exists while a timed commit waits), message, guard.pid, owner, commit.log, lock (held by
the guard) and work (held by a process that changes something, and by its children).
An owner without an outcome, while the lock is free, means a commit whose guard was killed: `recover` ends it.
The lease of the switch is also kept there: `device_lease.py`.
"""

from napalm_frr.device_files import FILES
from napalm_frr.device_lease import LEASE

HEAD = r"""#!/bin/sh
# usage: guard.sh FOLDER PATHSPACE SECONDS VERB [ARGUMENT...]
#   SECONDS  time that one reload has
set -u
umask 077
state=$1 pathspace=$2 seconds=$3 verb=$4
shift 4
cd "$state" || exit 70
reload=/usr/lib/frr/frr-reload.py
startup=/etc/frr${pathspace:+/$pathspace}/frr.conf
PATH=$PATH:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin

# With a time limit: a daemon that hangs would block vtysh, and the guard with it, for ever.
vty() { timeout -k 5 "$seconds" vtysh ${pathspace:+-N "$pathspace"} "$@"; }

running() { vty -c 'show running-config no-header'; }

say() { printf '%s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$*" >>commit.log; }

# Write a file from standard input: it appears whole, or not at all.
put() { cat >"$1.new" && mv -f "$1.new" "$1" || { rm -f "$1.new"; return 1; }; }

# Record a decision. Status 0 for the first one; later ones change nothing.
decide() {
    printf '%s\n' "$1" >"decision.$$"
    ln "decision.$$" decision 2>/dev/null
    made=$?
    rm -f "decision.$$"
    return "$made"
}

is_locked() { ! flock -s -n lock true; }

# frr-reload.py does not save to the startup file if its input is the frr.conf in its --confdir, so that is the state
# folder. vtysh then reads its settings there too; it needs none. Log level warning: at the default level the lines that
# are applied are logged, with their secrets.
reload() {
    mkdir -p "./$pathspace"
    : >>"./$pathspace/vtysh.conf"
    timeout -k 5 "$seconds" "$reload" --reload --stdout --log-level warning \
        ${pathspace:+-N "$pathspace"} --confdir "$state" --rundir "$state" "$state/frr.conf" 2>&1
}

# Whether the running configuration is the one from before the commit.
same() { [ "$(running | sort | sha256sum)" = "$(sort before | sha256sum)" ] && same_files; }

# Restore the configuration from before the commit, once every process that still changes something has ended: one of a
# lost client may. frr-reload.py deletes lines only in its first pass, so a second run may have more to change.
restore() {
    rm -f ballast
    exec 8>>work
    flock -w "$((${seconds%.*} * 4))" 8
    : >reload.log
    code=1
    for pass in 1 2 3; do
        if same; then code=0; fi
        if [ "$code" -eq 0 ] || [ "$pass" -eq 3 ]; then break; fi
        restore_files "$pass" >>reload.log 2>&1
        ln -f before frr.conf && reload >>reload.log
        rm -f frr.conf
    done
    exec 8>&-
    return "$code"
}

# Whether a commit began and did not end. Meaningful only while the lock is free.
unfinished() { [ -e owner ] && [ -e before ] && [ ! -e outcome ]; }

# The running configuration in the output of `save`, after the messages of `write memory`.
shown() { printf '%s\n' "$1" | sed '1,/\[OK\]/d;/^end$/d'; }

# Write the startup file. On a full disk vtysh also prints OK, and leaves a part of the file or none; the previous file
# is then in .sav.
save() {
    output=$(vty -c 'write memory' -c 'show running-config no-header' 2>&1)
    printf '%s\n' "$output" | grep -qF '[OK]' && saved=1 || saved=0
    # Without a file here, FRR keeps it elsewhere: then only the OK can be checked.
    if [ "$saved" = 1 ] && { [ ! -e "$startup" ] || ! shown "$output" | grep -qvxFf "$startup"; }; then
        [ ! -e "$startup" ] || sync "$startup"
        return 0
    fi
    if [ -f "$startup.sav" ] && { [ "$saved" = 1 ] || [ ! -e "$startup" ]; }; then mv -f "$startup.sav" "$startup"; fi
    return 1
}

print_armed() { printf 'armed %s %s %s %s\n' "$1" "$2" "$(cat owner)" "$(cat message 2>/dev/null)"; }

# Print the armed commit: its phase, seconds until the switch reverts it, token and message. Nothing if there is none.
armed() {
    if [ ! -e lock ] || ! is_locked; then
        # A commit that left no change, for example because the switch restarted, is over.
        if unfinished && ! same </dev/null; then print_armed lost -; fi
        return 0
    fi
    if [ ! -e owner ]; then echo 'armed begins - - '; return 0; fi
    word=changes
    [ ! -e pending ] || word=waits
    if [ -e decision ] || [ -e outcome ]; then word=ends; fi
    read -r up _ </proc/uptime
    read -r end <deadline || return 0
    left=$((end - ${up%%.*}))
    [ "$left" -gt 0 ] || left=0
    print_armed "$word" "$left"
}

# Take the lock for changes. Exits with status 79 if this commit may not change anything any more.
work() {
    read -r owner <owner
    exec 8>>work
    flock -w "$((${seconds%.*} * 4))" 8
    { [ "$owner" = "$1" ] && [ ! -e decision ] && is_locked; } || exit 79
}

# Daemons that were started and do not answer. Without one, its part of the running configuration looks empty.
dead() {
    alive=" $1 "
    for file in "/var/run/frr${pathspace:+/$pathspace}"/*.pid; do
        name=${file##*/}
        name=${name%.pid}
        case $name in '*' | watchfrr) continue ;; esac
        case $alive in *" $name "*) ;; *) printf '%s ' "$name" ;; esac
    done
}
"""

VERBS = r"""
case $verb in
arm) # TOKEN DEADLINE MESSAGE: begin a commit, and print the running configuration
    for tool in flock setsid timeout sha256sum vtysh "$reload"; do
        command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 74; }
    done
    exec 9>>lock
    # Other verbs take the lock only for a moment.
    flock -w 0.5 9 || { grep ' begins: ' commit.log | tail -n 1; exit 75; }
    state_now=$(vty -c 'show daemons' -c 'show running-config no-header')
    silent=$(dead "$(printf '%s\n' "$state_now" | sed -n 1p)")
    [ -z "$silent" ] || { printf '%s\n' "$silent"; exit 76; }
    # A commit that left no change, for example because the switch restarted, does not block a new one.
    if unfinished && ! same; then grep ' begins: ' commit.log | tail -n 1; exit 73; fi
    rm -f owner decision outcome pending candidate.*
    forget_files
    printf '%s\n' "$state_now" | sed 1d | put before && [ -s before ] || exit 77
    # Reserve the space that a restore needs, in case the disk is full by then.
    head -c "$((262144 + 4 * $(wc -c <before)))" /dev/zero >ballast || { rm -f ballast; exit 77; }
    read -r up _ </proc/uptime
    printf '%s\n' "$((${up%%.*} + 1 + $2))" | put deadline || exit 77
    printf '%s\n' "$3" | put message || exit 77
    printf '%s\n' "$1" | put owner || exit 77
    say "$1 begins: $3"
    setsid sh "$0" "$state" "$pathspace" "$seconds" guard "$1" </dev/null >>guard.log 2>&1 &
    exec cat before
    ;;
guard) # TOKEN: wait for a decision, with the lock that `arm` took
    trap '' HUP INT
    printf '%s\n' "$$" | put guard.pid
    while [ ! -e decision ]; do
        read -r up _ </proc/uptime
        read -r end <deadline || exit 71 # the state folder was removed
        if [ "${up%%.*}" -ge "$end" ]; then
            rm -f ballast
            decide revert && say "$1 was not confirmed in time"
            break # even if the disk is too full to record the decision
        else
            # Poll often while a client works, less often while the commit waits for its confirmation.
            if [ -e pending ]; then sleep 0.4; else sleep 0.1; fi
        fi
    done
    rm -f ballast
    decision=revert
    [ ! -e decision ] || read -r decision <decision
    case $decision in
    keep*)
        if install_files && save; then
            [ "$decision" = keep-rollback ] || { keep_files; mv -f before rollback; }
            word=kept
        else
            say "$1: the startup file was not written"
            if restore; then word=unsaved; else word=damaged; fi
        fi
        ;;
    *)
        # A later rollback must not restore an earlier commit.
        [ ! -e pending ] || rm -f rollback rollback.*
        if restore; then word=reverted; else word=damaged; fi
        ;;
    esac
    say "$1 $word"
    printf '%s\n' "$word" | put outcome
    rm -f pending guard.pid
    forget_files
    ;;
put) # NAME CHECKSUM: a file from standard input, whole or not at all
    cat >"$1.new"
    [ "$(sha256sum <"$1.new")" = "$2  -" ] || { rm -f "$1.new"; exit 78; }
    mv -f "$1.new" "$1"
    ;;
files) # TOKEN KEEP|ROLLBACK KIND...: apply these files under the guard, and print the messages of the programs
    work "$1"
    mode=$2
    shift 2
    for kind; do mv -f "candidate.$owner.$kind" "new.$kind" || exit 78; done
    note_files "$mode" || exit 77
    apply_files "$mode"
    ;;
apply) # TOKEN REPLACE|MERGE: change the running configuration under the guard
    work "$1"
    mv -f "candidate.$1" frr.conf
    case $2 in
    merge) timeout -k 5 "$seconds" vtysh ${pathspace:+-N "$pathspace"} -f "$state/frr.conf" 2>&1 ;;
    *) reload ;;
    esac
    code=$?
    rm -f frr.conf
    exit "$code"
    ;;
hold) # TOKEN SECONDS: let the commit wait for its confirmation
    read -r up _ </proc/uptime
    printf '%s\n' "$((${up%%.*} + 1 + $2))" | put deadline && : >pending || { rm -f pending; exit 77; }
    [ ! -e decision ] && is_locked || { rm -f pending; exit 79; }
    say "$1 waits $2 s for its confirmation"
    ;;
pending) # print the message of a timed commit that waits, or of any commit whose guard is gone
    if is_locked; then [ -e pending ]; else unfinished; fi || exit 1
    cat message 2>/dev/null
    exit 0
    ;;
marks) # print the armed commit and the lease
    armed
    leased
    ;;
lease) # TOKEN OWNER NOTE AGE
    take_lease "$@"
    ;;
release) # TOKEN
    release_lease "$1"
    ;;
recover) # [forget]: revert a commit whose guard is gone; forget: delete the rollback file too
    exec 9>>lock
    flock -w 0.5 9 || exit 75
    unfinished || { cat outcome; exit 79; }
    silent=$(dead "$(vty -c 'show daemons')")
    [ -z "$silent" ] || { printf '%s\n' "$silent"; exit 76; }
    read -r owner <owner
    restore || { say "$owner could not be reverted"; exit 72; }
    # If the decision was to keep, the startup file may have been written already: write the restored one.
    case $(cat decision 2>/dev/null) in keep*) save || exit 72 ;; esac
    if [ -e pending ] || [ "${1:-}" = forget ]; then rm -f rollback rollback.*; fi
    say "$owner had lost its guard, and is reverted"
    echo reverted | put outcome
    rm -f pending guard.pid
    forget_files
    cat outcome
    ;;
settle) # TOKEN DECISION: decide, and wait for the guard's outcome. Empty token: of any commit that waits
    if [ -z "$1" ]; then
        { [ -e pending ] && is_locked; } || exit 79
    else
        read -r owner <owner
        { [ "$owner" = "$1" ] && is_locked; } || { cat outcome; exit 79; }
    fi
    decide "$2" || [ "$2" = revert ] || exit 80
    flock -s lock true
    # The guard was killed after its last durable step: the configuration from before is already the rollback file.
    if [ ! -e outcome ] && [ ! -e before ]; then
        case $(cat decision) in keep*) echo kept | put outcome ;; esac
    fi
    cat outcome
    ;;
esac
"""

SCRIPT = HEAD + LEASE + FILES + VERBS
