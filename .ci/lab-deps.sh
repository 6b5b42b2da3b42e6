#!/bin/sh
# Install what the lab and the external checkers need, on Debian 12 or newer and on Ubuntu. Run as root; repeatable.
#
# No package is removed, and no service is started or enabled: the lab starts its own daemons.
# Debian's ifupdown2 conflicts with ifupdown, which this machine's network may need, so it is unpacked into a private
# folder and not installed.
#
# If the packaged second kernel does not start on this machine's processor, a newer one is unpacked in the same way.
#
# Tests load files into FRR 10.3 (Debian 13), too. It is unpacked with its libraries, and not installed: the lab and all
# other tests run the FRR of this machine.
#
#   FABRICGEN_FRR         folder of FRR 10.3 (default /var/lib/fabricgen/frr-10.3)
#   FABRICGEN_IFUPDOWN2   that folder (default /var/lib/fabricgen/ifupdown2)
#   FABRICGEN_UML         folder of the newer kernel (default /var/lib/fabricgen/uml)
set -eu

IFUPDOWN2=${FABRICGEN_IFUPDOWN2:-/var/lib/fabricgen/ifupdown2}
IFUPDOWN2=${IFUPDOWN2%/}
FRR=${FABRICGEN_FRR:-/var/lib/fabricgen/frr-10.3}
FRR=${FRR%/}
UML=${FABRICGEN_UML:-/var/lib/fabricgen/uml}
UML=${UML%/}
CI=$(cd "$(dirname "$0")" && pwd)
PROBE=$CI/../tests/uml/uml.py
POLICY=/usr/sbin/policy-rc.d
KEPT=$POLICY.kept-by-fabricgen

# Slim images lack some packages of the second line.
# User-Mode Linux (41 MB) is a second kernel: it has VRF, VLAN filtering and RED, which the running one may lack.
PACKAGES="frr frr-pythontools lldpd openssh-server user-mode-linux iproute2 nftables iperf3 busybox kmod \
ethtool hostname iputils-ping procps util-linux python3 python3-venv git jq debootstrap whois"
# The Python binding of libyang 2 is compiled when the virtual environment is made. Newer systems have only libyang 3.
HEADERS="libyang2-dev gcc libc6-dev python3-dev"
SERVICES="frr lldpd nftables iperf3 openssh-server"  # packages that contain services
PROGRAMS="/usr/lib/frr/zebra /usr/lib/frr/bgpd /usr/lib/frr/bfdd /usr/lib/frr/staticd /usr/lib/frr/frr-reload.py \
/usr/sbin/sshd"
# Programs of FRR 10.3, and the packages that have their libraries.
FRR_PROGRAMS="zebra bgpd bfdd staticd mgmtd vtysh"
FRR_PACKAGES="frr libc6 libcap2 libcares2 libcrypt1 libjson-c5 liblua5.3-0 libpam0g libprotobuf-c1 libreadline8t64 \
libunwind8 libyang3 libpcre2-8-0 libtinfo6 libaudit1 libcap-ng0 liblzma5 libgcc-s1 libxxhash0"
COMMANDS="vtysh lldpd lldpcli linux.uml ip bridge tc nft iperf3 busybox hostname unshare nsenter ping python3 git jq \
debootstrap mkpasswd"

say() { printf 'lab-deps: %s\n' "$*"; }
fail() {
    printf 'lab-deps: %s\n' "$*" >&2
    exit 1
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Save the machine's policy-rc.d. If a killed run left a saved one, that is the machine's own.
hold_services() {
    if [ ! -e "$KEPT" ] && [ -e "$POLICY" ]; then mv "$POLICY" "$KEPT"; fi
    printf '#!/bin/sh\nexit 101\n' >"$POLICY"
    chmod 755 "$POLICY"
}

release_services() {
    rm -f "$POLICY"
    if [ -e "$KEPT" ]; then mv "$KEPT" "$POLICY"; fi
}

# Run a command; if it fails, update the index, which may be missing or old, and try once more.
with_update() {
    "$@" && return 0
    say "refreshing the package index"
    apt-get -q update || fail "apt-get update failed: is a package mirror reachable?"
    "$@"
}

install_missing() {
    missing=
    for package in "$@"; do installed "$package" || missing="$missing $package"; done
    if [ -z "$missing" ]; then
        say "packages: all present"
        return 0
    fi
    say "installing:$missing"
    fresh=
    for service in $SERVICES; do installed "$service" || fresh="$fresh $service"; done
    # shellcheck disable=SC2086  # a list of words
    with_update \
        apt-get -q -y -o DPkg::Lock::Timeout=120 --no-remove --no-install-recommends install $missing ||
        fail "could not install:$missing"
    for service in $fresh; do stay_off "$service"; done
}

# Only tests on YANG models need these; a skipped test names them.
install_headers() {
    missing=
    for package in $HEADERS; do installed "$package" || missing="$missing $package"; done
    if [ -z "$missing" ]; then
        say "headers for libyang: all present"
        return 0
    fi
    say "installing:$missing"
    # shellcheck disable=SC2086  # a list of words
    with_update \
        apt-get -q -y -o DPkg::Lock::Timeout=120 --no-remove --no-install-recommends install $missing ||
        say "could not install:$missing: tests on YANG models will be skipped"
}

# Disable services that this run installed: they must not start at the next boot either.
stay_off() {
    command -v systemctl >/dev/null 2>&1 || return 0
    for unit in $(units_of "$1"); do
        systemctl disable "$unit" >/dev/null 2>&1 || continue
        say "$unit left disabled"
    done
}

# Ubuntu starts OpenSSH by its socket.
units_of() {
    case $1 in
    openssh-server) echo "ssh.service ssh.socket" ;;
    *) echo "$1.service" ;;
    esac
}

unpack_ifupdown2() {
    if [ -x "$IFUPDOWN2/sbin/ifup" ]; then
        say "ifupdown2: present in $IFUPDOWN2"
        return 0
    fi
    only_ours "$IFUPDOWN2" usr/share/ifupdown2 FABRICGEN_IFUPDOWN2
    work=$(mktemp -d)
    (cd "$work" && with_update apt-get -q -o APT::Sandbox::User=root download ifupdown2) ||
        fail "could not download ifupdown2"
    rm -rf "$IFUPDOWN2.new"
    mkdir -p "$IFUPDOWN2.new"
    dpkg -x "$work"/ifupdown2_*.deb "$IFUPDOWN2.new" || fail "could not unpack ifupdown2"
    settle_ifupdown2 "$IFUPDOWN2.new"
    rm -rf "$work"
    replace "$IFUPDOWN2"
    say "ifupdown2: unpacked into $IFUPDOWN2"
}

# Refuse the folder $1, which will be replaced, if it holds anything and not our $2. $3: the variable that names it.
only_ours() {
    if [ -n "$(ls -A "$1" 2>/dev/null)" ] && [ ! -e "$1/$2" ]; then
        fail "$1 holds other files: set $3 to an empty folder"
    fi
}

# Rename what was built next to its place: a killed run leaves no incomplete folder.
replace() {
    rm -rf "$1"
    mv "$1.new" "$1"
}

# Find a mirror of Debian for packages of another suite. $1: what is skipped without one.
find_mirror() {
    mirror=$(sh "$CI/mirror.sh")
    if [ -z "$mirror" ]; then
        say "no mirror of Debian is among this machine's package sources: $1 will be skipped"
        return 1
    fi
}

# Do what the package's installation would do, in another folder: executable commands, and its settings where it
# searches if /etc/network/ifupdown2 does not exist. Python 3.12 dropped a method that 3.0.0 calls.
settle_ifupdown2() {
    package=$1/usr/share/ifupdown2
    chmod 755 "$package/__main__.py"
    for command in ifup ifdown ifquery ifreload; do
        mkdir -p "$1/sbin"
        ln -sfn ../usr/share/ifupdown2/__main__.py "$1/sbin/$command"
    done
    ln -sfn ../../../etc "$package/etc"
    sed -i 's/parser\.readfp(/parser.read_file(/' "$package/ifupdown/main.py"
    # Every run is a new process: byte code halves its start time.
    python3 -m compileall -q "$package" || fail "ifupdown2 does not compile under $(python3 --version)"
}

# User-Mode Linux up to 6.12 (Debian 12 and 13) panics on a processor with AMX. Debian's testing suite has a newer
# one. It is unpacked with the C library of that suite, and runs with the path to it: no file of the system changes.
second_kernel() {
    if why=$(python3 "$PROBE" 2>&1); then
        say "second kernel: starts"
        return 0
    fi
    say "second kernel: $why"
    find_mirror "tests in a second kernel" || return 0
    install_missing patchelf
    fetch_kernel "$mirror"
    if why=$(python3 "$PROBE" 2>&1); then
        say "second kernel: $("$UML/bin/linux.uml" --version) of Debian testing, in $UML"
    else
        say "second kernel: $why: tests in it will be skipped"
    fi
}

fetch_kernel() {
    only_ours "$UML" bin/linux.uml FABRICGEN_UML
    work=$(mktemp -d)
    unpack_suite "$1" testing "$work" "user-mode-linux libc6" || fail "could not fetch a newer second kernel"
    settle_kernel "$work/system" "$UML.new"
    rm -rf "$work"
    replace "$UML"
}

# Unpack packages of another suite of the mirror $1 into $3/system. Sources, index and cache are in $3: those of the
# system do not change.
unpack_suite() {
    mkdir -p "$3/lists/partial" "$3/archives/partial"
    echo "deb $1 $2 main" >"$3/sources"
    for step in update "download $4"; do
        # shellcheck disable=SC2086  # a list of words
        (cd "$3" && apt-get -q -o Dir::Etc::SourceList="$3/sources" -o Dir::Etc::SourceParts=/dev/null \
            -o Dir::State="$3" -o Dir::State::Status=/dev/null -o Dir::Cache="$3" -o APT::Sandbox::User=root $step) || {
            say "apt-get $step failed for the suite $2 of $1"
            return 1
        }
    done
    for package in "$3"/*.deb; do dpkg -x "$package" "$3/system" || fail "could not unpack $package"; done
}

settle_kernel() {
    rm -rf "$2"
    mkdir -p "$2/bin" "$2/lib"
    loader=$(basename "$(patchelf --print-interpreter "$1/usr/bin/linux.uml")")
    libraries=$(dirname "$(find "$1" -name libc.so.6)")
    cp -L "$libraries/$loader" "$libraries/libc.so.6" "$2/lib/"
    cp "$1/usr/bin/linux.uml" "$2/bin/"
    mv "$1/usr/lib/uml/modules" "$2/modules"
    patchelf --set-interpreter "$UML/lib/$loader" --set-rpath "$UML/lib" "$2/bin/linux.uml"
}

newer_frr() {
    if "$FRR/bin/zebra" --version >/dev/null 2>&1; then
        say "newer FRR: present in $FRR"
        return 0
    fi
    only_ours "$FRR" bin/zebra FABRICGEN_FRR
    find_mirror "tests with FRR 10.3" || return 0
    work=$(mktemp -d)
    if unpack_suite "$mirror" trixie "$work" "$FRR_PACKAGES"; then
        settle_frr "$work/system" "$FRR.new"
        replace "$FRR"
    fi
    rm -rf "$work"
    if version=$("$FRR/bin/zebra" --version 2>/dev/null); then
        say "newer FRR: $(echo "$version" | sed -n '1s/zebra version //p') of Debian 13, in $FRR"
    else
        say "newer FRR: does not start: tests with FRR 10.3 will be skipped"
    fi
}

# Each program is a script that starts it with the C library and the libraries beside it.
settle_frr() {
    rm -rf "$2"
    mkdir -p "$2/bin" "$2/lib" "$2/programs"
    for folder in "$1"/usr/lib/*-linux-gnu*; do cp -a "$folder"/*.so* "$folder"/frr/*.so* "$2/lib/"; done
    loader=$(basename "$2"/lib/ld-linux*.so.*)
    for program in $FRR_PROGRAMS; do
        find "$1/usr/bin" "$1/usr/lib/frr" -name "$program" -type f -exec cp {} "$2/programs/" \;
        printf '#!/bin/sh\nexec %s --argv0 %s --library-path %s %s "$@"\n' \
            "$FRR/lib/$loader" "$program" "$FRR/lib" "$FRR/programs/$program" >"$2/bin/$program"
        chmod 755 "$2/bin/$program"
    done
}

verify() {
    absent=
    for program in $PROGRAMS; do [ -x "$program" ] || absent="$absent $program"; done
    for command in $COMMANDS; do command -v "$command" >/dev/null 2>&1 || absent="$absent $command"; done
    [ -x "$IFUPDOWN2/sbin/ifup" ] || absent="$absent $IFUPDOWN2/sbin/ifup"
    [ -z "$absent" ] || fail "missing after installation:$absent"
    # `--help` loads the whole program and changes nothing.
    "$IFUPDOWN2/sbin/ifup" --help >/dev/null 2>&1 || fail "ifupdown2 does not start under $(python3 --version)"
}

[ "$(id -u)" = 0 ] || fail "run as root (sudo make lab-deps)"
command -v apt-get >/dev/null 2>&1 || fail "needs apt-get: Debian 12 or newer, or Ubuntu"
export DEBIAN_FRONTEND=noninteractive

trap release_services EXIT
trap 'exit 1' HUP INT TERM
hold_services
# shellcheck disable=SC2086  # a list of words
install_missing $PACKAGES
install_headers
unpack_ifupdown2
second_kernel
newer_frr
verify
say "FRR $(dpkg-query -W -f '${Version}' frr), lldpd $(dpkg-query -W -f '${Version}' lldpd), ready"
