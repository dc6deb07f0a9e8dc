/* Mounting, with what is missing of the way made first. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

struct attributes { /* struct mount_attr of mount_setattr(2) */
    uint64_t set, clear, propagation, userns;
};

/* Made with the filter, which lets who knows it mount; wiped when the cell stands. */
uint64_t mount_key;

int keyed_mount(const char *from, const char *to, const char *type, unsigned long flags, const char *options)
{
    return (int)syscall(SYS_mount, from, to, type, flags, options, mount_key);
}

int keyed_umount(const char *at) { return (int)syscall(SYS_umount2, at, MNT_DETACH, 0, 0, 0, mount_key); }

enum { SET_READ_ONLY = 0x1, SET_NOSUID = 0x2, SET_NODEV = 0x4, SET_NOEXEC = 0x8 };

static bool set_attributes(const char *at, uint64_t set, unsigned flags)
{
    struct attributes a = {.set = set};
    return syscall(SYS_mount_setattr, AT_FDCWD, at, flags, &a, sizeof a, mount_key) == 0;
}

bool mount_set_read_only(const char *at) { return set_attributes(at, SET_READ_ONLY, 0); }

/* A mount point of the same kind as what will be mounted there. */
static bool make_point(const char *from, const char *to)
{
    struct stat source, target;
    if (stat(from, &source) != 0) return false;
    if (stat(to, &target) == 0) return true;
    if (S_ISDIR(source.st_mode)) return make_dirs(to, 0755);
    char *parent = copy_string(to, strlen(to));
    char *slash = strrchr(parent, '/');
    bool ok = true;
    if (slash > parent) {
        *slash = 0;
        ok = make_dirs(parent, 0755);
    }
    free(parent);
    int fd = ok ? open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0644) : -1;
    if (fd >= 0) close(fd);
    return fd >= 0;
}

bool bind_at(const char *from, const char *to, enum bind_mode mode)
{
    if (!make_point(from, to)) return false;
    if (keyed_mount(from, to, NULL, MS_BIND | MS_REC, NULL) != 0) return false;
    switch (mode) {
    case BIND_WRITABLE:
        return set_attributes(to, SET_NOSUID | SET_NODEV, AT_RECURSIVE);
    case BIND_READ_ONLY:
        return set_attributes(to, SET_NOSUID | SET_NODEV | SET_READ_ONLY, AT_RECURSIVE);
    case BIND_DEVICE:
        return set_attributes(to, SET_NOSUID | SET_NOEXEC, 0);
    }
    return false;
}

/* One inode for each 8 KiB: a flood of empty files ends in ENOSPC as well. */
static bool sized_tmpfs(const char *at, unsigned long flags, const char *mode, uint64_t bytes)
{
    char options[96];
    snprintf(options, sizeof options, "mode=%s,size=%llu,nr_inodes=%llu", mode,
             (unsigned long long)bytes, (unsigned long long)(bytes / 8192 + 512));
    return keyed_mount("tmpfs", at, "tmpfs", MS_NOSUID | MS_NODEV | flags, options) == 0;
}

bool tmpfs_at(const char *to, uint64_t bytes, const char *mode)
{
    return make_dirs(to, 0755) && sized_tmpfs(to, 0, mode, bytes);
}

bool tmpfs_resize(const char *at, uint64_t bytes, const char *mode)
{
    return sized_tmpfs(at, MS_REMOUNT, mode, bytes);
}
