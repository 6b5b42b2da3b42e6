#!/bin/bash
# Process 1 of the second kernel. Its root is the host's file system, read-only. Kernel argument RUN names the one host
# folder that it writes to: job.sh is read there, output and status are written. LIMIT: seconds until it is powered off.
# MODULES: folder of the kernel's modules, by release.
#
# A writable layer in memory covers the read-only root, so a job sees the host's files at their paths and changes none.
# The layer becomes the root itself, not that of a chroot: a process that enters another mount namespace starts there.
# /run is empty: on the host it has sockets and locks of the host's processes.
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
# Without this the kernel would start a missing program for every new device and every queue.
[ ! -e /sys/kernel/uevent_helper ] || echo >/sys/kernel/uevent_helper
# The kernel loads other modules when a job needs them; IPv6 must be loaded before the first link.
mount --bind "$MODULES" /lib/modules
modprobe ipv6
mount -t hostfs -o "$RUN" none "$RUN"
ip link set lo up
hostname uml
# If the tests are killed, only this ends the kernel.
(sleep "$LIMIT" && busybox poweroff -f) &
/bin/bash "$RUN/job.sh" >"$RUN/output" 2>&1
echo $? >"$RUN/status"
busybox poweroff -f
