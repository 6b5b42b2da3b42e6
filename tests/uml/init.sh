#!/bin/bash
# Process 1 of the second kernel. Its root is the host's file system, read-only; kernel argument RUN names the one
# folder that is written through: job.sh is read there, output and status are written. LIMIT is its life in seconds.
# MODULES is the folder of the kernel's modules, by release.
#
# Over the read-only root lies a writable layer in memory, so a job sees the host's files where they are, and changes
# none of them. That layer becomes the root itself, not of a chroot: who enters another mount namespace starts from
# there. /run is empty: what it holds on the host are sockets and locks of the host's own processes.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
mount -t tmpfs none /mnt
mkdir -p /mnt/changed /mnt/work /mnt/root /mnt/kernel/lib/modules
mount --bind "$MODULES" /mnt/kernel/lib/modules
modprobe -d /mnt/kernel overlay
mount -t overlay -o lowerdir=/,upperdir=/mnt/changed,workdir=/mnt/work none /mnt/root || busybox poweroff -f
cd /mnt/root || busybox poweroff -f
mkdir -p lib/modules mnt run/netns dev/shm
pivot_root . mnt || busybox poweroff -f
umount -l /mnt
mount -t proc none /proc
mount -t sysfs none /sys
for folder in /run /dev/shm; do mount -t tmpfs none $folder; done
mkdir /run/netns /run/lock /run/frr
# Of each new device and each of its queues the kernel would start a program that is not there.
[ ! -e /sys/kernel/uevent_helper ] || echo >/sys/kernel/uevent_helper
# The kernel loads by itself what a job asks for; IPv6 must be there before the first link.
mount --bind "$MODULES" /lib/modules
modprobe ipv6
mount -t hostfs -o "$RUN" none "$RUN"
ip link set lo up
hostname uml
# Where the tests were killed, nobody else would end this kernel.
(sleep "$LIMIT" && busybox poweroff -f) &
/bin/bash "$RUN/job.sh" >"$RUN/output" 2>&1
echo $? >"$RUN/status"
busybox poweroff -f
