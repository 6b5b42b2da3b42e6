"""The part of the switch's script for the files besides frr.conf: POSIX sh, with unshare, sysctl and ifupdown2.

New files remain in the state folder until the commit is kept: sysctl takes any file, and ifreload, which does not take
a file name (ifreload(8) of ifupdown2 3.0.0), reads it through a bind mount over /etc/network/interfaces that no other
process sees. So a switch that reboots before the confirmation starts with the old files.

Files of the state folder: new.KIND (file of the commit, empty if it is to be removed), old.KIND (the previous file)
or none.KIND (there was none), values (the previous settings), shape, filters and failing (the previous state of the
interfaces), remarks (ifupdown2's messages about the old file), touched (exists from the first change on), rollback.KIND
and rollback.values (those of the last commit that was kept). KIND is sysctl or interfaces.

Order, when applied and when restored: settings, interfaces, frr.conf. Settings come first, since a device takes the
`default` ones when it is created, also when it is created again. Interfaces come before frr.conf, since FRR deletes a
VRF only when its device is gone, and a VRF's BGP instance only when its L3 VNI is down; configuration on devices that
are created later works in either order.
"""

COVER = (
    'mount --make-private "$(findmnt -nfo TARGET -T /etc/network/interfaces)" && '
    'mount --bind "$0" /etc/network/interfaces && exec "$@"'
)
"""Shell lines that run one command with the interfaces file replaced by another, $0.

Only that file's own mount is private:
other mounts of the command, such as a network namespace below /run/netns, remain visible to other processes.
"""

CHECKED = r"""
PATH=$PATH:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
[ -e /etc/network/interfaces ] || { echo "/etc/network/interfaces is not there"; exit 74; }
command -v ifreload >/dev/null || { echo "ifreload is not installed"; exit 74; }
settings=/etc/network/ifupdown2/ifupdown2.conf
if grep -qs '^use_daemon=yes' "$settings"; then
    echo "ifupdown2d runs here (use_daemon=yes), which would not read the candidate"
    exit 74
fi
mount -t tmpfs tmpfs /mnt && cat >/mnt/new || exit 74
if [ -e "$settings" ]; then
    sed 's/^addon_syntax_check=.*/addon_syntax_check=1/' "$settings" >/mnt/settings
    mount --bind /mnt/settings "$settings" || exit 74
fi
ifreload -a --syntax-check 2>&1 | sed 's/^/old: /'
mount --bind /mnt/new /etc/network/interfaces || exit 74
ifreload -a --syntax-check 2>&1 | sed 's/^/new: /'
"""
"""Shell lines that print ifupdown2's messages about the current file and about one from standard input.

They include the check of attribute values, which Debian's settings disable. They must run in a mount namespace of their
own, which discards the mounts and files afterwards.
"""

FILES = r"""
interfaces=/etc/network/interfaces
settings=/etc/sysctl.d/90-fabric.conf
ifupdown2=/etc/network/ifupdown2/ifupdown2.conf

# The path of a file, behind links: a link stays one.
place() { if [ "$1" = interfaces ]; then readlink -f "$interfaces"; else readlink -f "$settings"; fi; }

# FILE COMMAND...: run a command that sees FILE as the interfaces file.
under() { timeout -k 5 "$seconds" unshare --mount --propagation unchanged sh -c 'COVER' "$@"; }

# Settings of the kernel that the new file names, as path:value. A name whose first separator is a dot has its dots and
# slashes swapped: sysctl.d(5). grep reads each with one call; sh reads octet by octet, and gets only the first one.
values() {
    sed -n 's/^[[:blank:]]*-\{0,1\}[[:blank:]]*\([^[:blank:]#;=]\{1,\}\)[[:blank:]]*=.*/\1/p' new.sysctl |
        sed '/^[^./]*\./y#./#/.#' | while IFS= read -r name; do
        for file in /proc/sys/$name; do
            [ ! -f "$file" ] || printf '%s\n' "$file"
        done
    done | xargs -r grep -sH ''
    return 0
}

# The present values of the settings of such a list.
now() { cut -d: -f1 "$1" | xargs -r grep -sH ''; }

# Settings whose present value is not that of the list.
changed() { now "$1" | grep -vxFf "$1"; }

# Write the values of a list.
put_values() {
    changed "$1" | cut -d: -f1 | while IFS= read -r file; do
        grep -F "$file:" "$1" | cut -d: -f2- >"$file"
    done
}

# Attributes of interfaces that differ from the interfaces file, such as "swp1 mtu 1500".
failing() {
    word=$(sed -n 's/^ifquery_check_error_str=//p' "$ifupdown2" 2>/dev/null)
    timeout -k 5 "$seconds" "$@" ifquery -a --check 2>>"$heard" | awk -v "bad=[${word:-fail}]" '
        function missing() { if (open != "") print open " is not there"; open = "" }
        $1 == "iface" { missing(); name = $2; if ($NF == bad) open = name; next }
        $NF == bad { open = ""; sub(/[ \t]+[^ \t]*$/, ""); sub(/^[ \t]+/, ""); print name " " $0 }
        END { missing() }' | sort -u
}

# State of the interfaces that the old or the new file names and that matched the old one: name, MTU, master, whether it
# is up, and addresses, without link-local ones and those with a lifetime.
shape() {
    awk '$1 == "iface" { print $2 }' old.interfaces new.interfaces | sort -u >named
    { ip -o link show && ip -o addr show scope global; } | awk '
        FILENAME == "failing" { skip[$1] = 1; next }
        FILENAME == "named" { want[$1] = 1; next }
        { sub(/\\.*/, ""); name = $2; sub(/[:@].*/, "", name) }
        !(name in want) || name in skip { next }
        $3 ~ /^inet/ { if (!/ dynamic/) print name, $4; next }
        {
            line = name " " ($3 ~ /[<,]UP[,>]/ ? "up" : "down")
            for (i = 4; i < NF; i++) if ($i == "mtu" || $i == "master") line = line " " $i " " $(i + 1)
            print line
        }' failing named - | sort
}

# Permanent addresses that zebra does not know, such as "vlan10 10.0.0.1/24"; none if zebra does not answer.
unknown_to_zebra() {
    {
        timeout -k 5 "$seconds" vtysh ${pathspace:+-N "$pathspace"} -d zebra -c 'show interface vrf all' 2>/dev/null
        echo .
        ip -o address show scope global permanent -tentative
    } | awk '
        $0 == "." { kernel = 1; next }
        !kernel && $1 == "Interface" { name = $2; answers = 1 }
        !kernel && $1 ~ /^inet6?$/ { heard[name " " $2] = 1 }
        kernel && answers && $3 ~ /^inet6?$/ && !(($2 " " $4) in heard) { print $2 " " $4 }'
}

# Make the kernel notify zebra of such addresses again: `ip address replace` changes nothing else. FRR before 10.0 drops
# an address whose notification arrives before that of its device (github.com/FRRouting/frr issue 13288; seen: 8.4.4).
notify_zebra() {
    unknown_to_zebra >unknown.then
    for _ in 1 2 3 4 5; do
        [ -s unknown.then ] || break
        sleep 1
        unknown_to_zebra >unknown.now
        grep -xFf unknown.then unknown.now | while read -r name address; do
            ip address replace "$address" dev "$name"
        done
        mv unknown.now unknown.then
    done
    rm -f unknown.then unknown.now
}

# FILE: take away the filter of the switch's own input, unless the file makes one. ifreload runs the command of a file
# that makes it, and knows of no command that would undo the command of another file.
drop_filter() { grep -qsF 'table inet fabricgen' "$1" || nft delete table inet fabricgen 2>/dev/null || :; }

# The tables of nftables that an interfaces file makes, without counters and learned addresses. The words of each line
# are sorted: nft prints those of a set in an order of its own.
filters() {
    nft -s -t list ruleset 2>/dev/null | awk '
        /^table / { own = $3 == "fabricgen" || $3 ~ /^macs-/ }
        own {
            count = split($0, words, /[^A-Za-z0-9_.:\/-]+/)
            for (i = 2; i <= count; i++)
                for (j = i; j > 1 && words[j - 1] > words[j]; j--) {
                    word = words[j]; words[j] = words[j - 1]; words[j - 1] = word
                }
            line = ""
            for (i = 1; i <= count; i++) line = line " " words[i]
            print line
        }'
}

# Save the state before the first change. rollback: also of the settings that a rollback changes.
note_files() {
    for kind in sysctl interfaces; do
        [ -e "new.$kind" ] || continue
        file=$(place "$kind")
        if [ -e "$file" ]; then cp -p "$file" "old.$kind"; else : >"none.$kind"; fi || return 1
    done
    if [ -e new.sysctl ]; then
        values >values || return 1
        if [ "$1" = rollback ] && [ -e rollback.values ]; then now rollback.values >>values; fi
    fi
    if [ -e new.interfaces ]; then
        heard=remarks
        : >remarks
        timeout -k 5 "$seconds" ifreload -a --syntax-check >>remarks 2>&1
        filters >filters
        failing env >failing && shape >shape || return 1
    fi
    sync ./* . && : >touched
}

# Apply the new files; each line of output begins with its program. rollback: settings that no file names any more get
# their old values too.
apply_files() {
    if [ -e new.sysctl ]; then
        timeout -k 5 "$seconds" sysctl -q -p new.sysctl >heard 2>&1
        code=$?
        sed 's/^/sysctl: /' heard
        [ "$code" -eq 0 ] || echo "sysctl-status: $code"
        if [ "$1" = rollback ] && [ -e rollback.values ]; then put_values rollback.values; fi
    fi
    if [ -e new.interfaces ]; then
        sed 's/^/remark: /' remarks
        sed 's/^/failed: /' failing
        drop_filter new.interfaces
        under new.interfaces ifreload -a >heard 2>&1 </dev/null
        code=$?
        sed 's/^/ifreload: /' heard
        [ "$code" -eq 0 ] || echo "ifreload-status: $code"
        notify_zebra
        heard=heard
        : >heard
        failing unshare --mount --propagation unchanged sh -c 'COVER' new.interfaces | sed 's/^/fails: /'
        sed 's/^/ifquery: /' heard
    fi
    rm -f heard
}

# Put the new files in place. Both are written next to their final places first, so a full disk shows before any change.
install_files() {
    for kind in sysctl interfaces; do
        [ -s "new.$kind" ] || continue
        file=$(place "$kind")
        if [ -e "$file" ]; then cp -p "$file" "$file.new"; else : >"$file.new" && chmod 644 "$file.new"; fi
        cat "new.$kind" >"$file.new" && sync "$file.new" || { drop_new; return 1; }
    done
    for kind in sysctl interfaces; do
        [ -e "new.$kind" ] || continue
        file=$(place "$kind")
        if [ -s "new.$kind" ]; then mv -f "$file.new" "$file"; else rm -f "$file"; fi || { drop_new; return 1; }
    done
}

drop_new() { for kind in sysctl interfaces; do [ ! -e "new.$kind" ] || rm -f "$(place "$kind").new"; done; }

same_file() { if [ -e "none.$1" ]; then [ ! -e "$(place "$1")" ]; else cmp -s "old.$1" "$(place "$1")"; fi; }

# Restore the previous files, if a decision to keep had already moved some.
reinstate() {
    drop_new
    for kind in sysctl interfaces; do
        [ -e "new.$kind" ] || continue
        same_file "$kind" && continue
        file=$(place "$kind")
        if [ -e "none.$kind" ]; then rm -f "$file"; else cp -p "old.$kind" "$file.new" && mv -f "$file.new" "$file"; fi
    done
}

# Restore what ifupdown2 does not: state of ports that it took down and that the old file does not name. The words of
# `shape` are those of ip-link(8).
restore_ports() {
    shape >shape.now
    grep -vxFf shape.now shape | while read -r name words; do
        case $words in
        *mtu*) ip link set dev "$name" $words ;;
        *) ip addr add "$words" dev "$name" ;;
        esac
    done
    rm -f shape.now
}

# Restore files and interfaces. In the second pass also delete devices that ifupdown2 made and did not record, because
# it was killed.
restore_files() {
    [ -e touched ] || return 0
    reinstate
    if [ -e values ]; then put_values values; fi
    [ -e new.interfaces ] || return 0
    if [ "$1" -eq 2 ]; then
        for name in $(shape | awk '{ print $1 }' | sort -u); do
            grep -qF "$name " shape || under new.interfaces ifdown --use-current-config "$name"
        done
    fi
    drop_filter "$(place interfaces)"
    timeout -k 5 "$seconds" ifreload -a </dev/null
    [ "$1" -eq 1 ] || restore_ports
    notify_zebra
}

# Whether files, settings and interfaces are as before the commit.
same_files() {
    [ -e touched ] || return 0
    for kind in sysctl interfaces; do
        [ ! -e "new.$kind" ] || same_file "$kind" || return 1
    done
    if [ -e values ] && changed values | grep -q .; then return 1; fi
    [ -e new.interfaces ] || return 0
    [ "$(shape)" = "$(cat shape)" ] || return 1
    [ "$(filters)" = "$(cat filters)" ] || return 1
    heard=/dev/null
    ! failing env | grep -qvxFf failing
}

# Save the old files of a kept commit for `rollback`. Hard links: the originals stay in case the guard is killed.
keep_files() {
    rm -f rollback.*
    for kind in sysctl interfaces; do
        [ -e "new.$kind" ] || continue
        if [ -e "old.$kind" ]; then ln -f "old.$kind" "rollback.$kind"; else : >"rollback.$kind"; fi
    done
    if [ -e values ]; then ln -f values rollback.values; fi
}

forget_files() { rm -f new.* old.* none.* values shape filters failing remarks touched named heard; }
""".replace("COVER", COVER)
