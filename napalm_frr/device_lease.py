"""The part of a switch's script that knows who is at work there, over however many commits: POSIX sh, flock and stat.

`lease` has the token of the work, its owner and a note, a line each; its age is that of the file, by the switch's own
clock. `lease.lock` is held while it changes hands. Exit statuses: 75 it changes hands, 77 it can not be written, 79 it
is not this work's, 81 it is another's.
"""

LEASE = r"""
# Who is at work, and for how many seconds nobody has said so again.
leased() {
    [ -e lease ] || return 0
    age=$(($(date +%s) - $(stat -c %Y lease)))
    [ "$age" -gt 0 ] || age=0
    { read -r token && read -r who && read -r note; } <lease
    printf 'lease %s %s %s\n%s\n' "$age" "$token" "$who" "${note:-}"
}

# TOKEN OWNER NOTE AGE: be at work here, in the place of one who said so more than AGE seconds ago; "": of none
take_lease() {
    exec 7>>lease.lock
    flock -w 5 7 || exit 75
    if [ -e lease ]; then
        read -r holder <lease
        age=$(($(date +%s) - $(stat -c %Y lease)))
        if [ "$holder" != "$1" ] && { [ -z "$4" ] || [ "$age" -lt "$4" ]; }; then
            leased
            exit 81
        fi
    fi
    printf '%s\n%s\n%s\n' "$1" "$2" "$3" >lease.new && mv -f lease.new lease || { rm -f lease.new; exit 77; }
}

# TOKEN: be at work here no more
release_lease() {
    exec 7>>lease.lock
    flock -w 5 7 || exit 75
    { [ -e lease ] && read -r holder <lease && [ "$holder" = "$1" ]; } || exit 79
    rm -f lease
}
"""
