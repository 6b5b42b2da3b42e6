"""The part of the switch's script for leases: who works on the switch, across several commits. POSIX sh and flock.

`lease` has the token of the work, its owner, a note, and a timestamp: seconds of the system's uptime, which no change
of the calendar affects, and the id of that boot (random(4), boot_id). A lease of another boot is at least as old as
this boot. A lease without the last line is of an earlier release: its age is that of the file, by the switch's
calendar. `lease.lock` is held while the lease changes hands. Exit statuses: 75 it changes hands, 77 it cannot be
written, 79 it is not this work's, 81 it is another's.
"""

LEASE = r"""
# Print the system's uptime in seconds and the id of this boot.
boot_time() {
    read -r up _ </proc/uptime
    printf '%s %s' "${up%.*}" "$(cat /proc/sys/kernel/random/boot_id)"
}

# Print the age of the lease in seconds.
lease_age() {
    now=$(boot_time)
    noted=
    { read -r _ && read -r _ && read -r _ && read -r noted; } <lease || :
    if [ -z "$noted" ]; then
        age=$(($(date +%s) - $(stat -c %Y lease)))
    elif [ "${noted#* }" = "${now#* }" ] && [ "${noted%% *}" -le "${now%% *}" ]; then
        age=$((${now%% *} - ${noted%% *}))
    else
        age=${now%% *}
    fi
    [ "$age" -gt 0 ] || age=0
    echo "$age"
}

# Print the lease: seconds since it was renewed, token, owner and note.
leased() {
    [ -e lease ] || return 0
    { read -r token && read -r who && read -r note; } <lease
    printf 'lease %s %s %s\n%s\n' "$(lease_age)" "$token" "$who" "${note:-}"
}

# TOKEN OWNER NOTE AGE: take or renew the lease; one of another work only if it is older than AGE seconds. "": never
take_lease() {
    exec 7>>lease.lock
    flock -w 5 7 || exit 75
    if [ -e lease ]; then
        read -r holder <lease
        if [ "$holder" != "$1" ] && { [ -z "$4" ] || [ "$(lease_age)" -lt "$4" ]; }; then
            leased
            exit 81
        fi
    fi
    printf '%s\n%s\n%s\n%s\n' "$1" "$2" "$3" "$(boot_time)" >lease.new && mv -f lease.new lease ||
        { rm -f lease.new; exit 77; }
}

# TOKEN: release the lease
release_lease() {
    exec 7>>lease.lock
    flock -w 5 7 || exit 75
    { [ -e lease ] && read -r holder <lease && [ "$holder" = "$1" ]; } || exit 79
    rm -f lease
}
"""
