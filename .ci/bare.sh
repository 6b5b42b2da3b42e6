#!/bin/sh
# Run make in a bare Debian as an ordinary user: only the packages that README names are installed. Run as root.
#
#   bare.sh SUITE TARGET...   SUITE as debootstrap knows it (bookworm, trixie); one call of make per target
#
# The root file system is in memory, in its own namespaces: nothing is left at the end. It reaches pip's index and the
# package mirror as this machine does; their settings are read at the start.
set -eu

PACKAGES=python3,python3-venv,make # README, Start
SIZE=6g                            # limit; the root with the whole environment takes 1.5
NAME=builder
HOME_THERE=/home/$NAME
PROJECT=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    printf 'bare: %s\n' "$*" >&2
    exit 1
}

# Print the paths of pip's settings files.
settings() {
    for file in /etc/pip.conf "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" "$HOME/.pip/pip.conf"; do
        [ ! -f "$file" ] || echo "$file"
    done
}

# Print the environment variables of pip, certificates and proxies, as lines for a shell.
variables() {
    export -p | grep -E '^export (PIP_[A-Z_]+|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY)=' ||
        true
}

# Print the folders of this machine that the settings name. An index may be a folder: its files are next to its pages.
folders() {
    { settings | tr '\n' '\0' | xargs -0 -r cat; variables; } | tr " '=," '\n\n\n\n' | while read -r word; do
        case $word in
        file:///*) dirname "${word#file://}" ;;
        /*) [ ! -d "$word" ] || echo "$word" ;;
        esac
    done | sort -u
}

make_root() {
    mount -t tmpfs -o "mode=755,size=$SIZE" bare "$ROOT"
    debootstrap --variant=minbase --include="$PACKAGES" "$1" "$ROOT" "$2" >"$ROOT.log" 2>&1 || {
        tail -n 20 "$ROOT.log" >&2
        fail "debootstrap $1 from $2 failed"
    }
    mount -t proc proc "$ROOT/proc"
    mount -t sysfs -o ro sysfs "$ROOT/sys"
    mkdir -p "$ROOT/dev/shm" "$ROOT/dev/pts"
    mount -t tmpfs -o mode=1777 shm "$ROOT/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$ROOT/dev/pts"
    ln -sf pts/ptmx "$ROOT/dev/ptmx"
    chroot "$ROOT" useradd --create-home --shell /bin/sh "$NAME"
}

# Copy name resolution, certificates and pip's settings, and mount the folders that they name.
connect() {
    for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do
        [ ! -f "$file" ] || install -D -m 644 "$file" "$ROOT$file"
    done
    settings | grep -v '^/etc/' | while read -r file; do
        install -D -m 644 "$file" "$ROOT$HOME_THERE/.config/pip/pip.conf"
    done
    variables >"$ROOT$HOME_THERE/variables"
    folders | while read -r folder; do
        if [ ! -e "$ROOT$folder" ]; then
            mkdir -p "$ROOT$folder"
            mount --bind "$folder" "$ROOT$folder"
            mount -o remount,bind,ro "$ROOT$folder"
        fi
    done
}

# Copy the tracked files with their present content, and untracked ones.
copy_project() {
    mkdir "$ROOT$HOME_THERE/fabricgen"
    git -c "safe.directory=$PROJECT" -C "$PROJECT" ls-files -z --cached --others --exclude-standard --deduplicate |
        tar -C "$PROJECT" --null --ignore-failed-read -T - -c |
        tar -C "$ROOT$HOME_THERE/fabricgen" --no-same-owner -x
    chroot "$ROOT" chown -R "$NAME:$NAME" "$HOME_THERE"
}

run_make() {
    for target in "$@"; do
        printf '== %s, as an ordinary user: make %s\n' "$SUITE" "$target"
        # shellcheck disable=SC2016  # the inner shell expands them
        chroot "$ROOT" setpriv --reuid "$NAME" --regid "$NAME" --init-groups \
            env -i HOME="$HOME_THERE" PATH=/usr/local/bin:/usr/bin:/bin TERM=dumb \
            sh -c '. ~/variables && cd ~/fabricgen && exec make "$1"' sh "$target"
    done
}

[ "$(id -u)" = 0 ] || fail "run as root"
command -v debootstrap >/dev/null 2>&1 || fail "debootstrap is not installed: run make lab-deps"
if [ -z "${ROOT:-}" ]; then
    ROOT=$(mktemp -d)
    export ROOT
    trap 'rmdir "$ROOT"; rm -f "$ROOT.log"' EXIT
    trap 'exit 1' HUP INT TERM
    unshare --mount --pid --fork --kill-child sh "$0" "$@"
    exit
fi
SUITE=$1
shift
mirror=$(sh "$PROJECT/.ci/mirror.sh")
[ -n "$mirror" ] || fail "no mirror of Debian is among this machine's package sources"
make_root "$SUITE" "$mirror"
connect
copy_project
run_make "$@"
