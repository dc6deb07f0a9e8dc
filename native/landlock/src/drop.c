/* Giving up: ids, capabilities for good, and any way to gain more; and what one command may use. */
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"
#include "raw.h"

static bool has_no_capabilities(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &head, data) != 0) return false;
    for (int i = 0; i < 2; i++)
        if (data[i].effective | data[i].permitted | data[i].inheritable) return false;
    return true;
}

static bool clear_capabilities(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return syscall(SYS_capset, &head, none) == 0;
}

/* With no_new_privs nothing can be gained by exec; this also ends what root's uid would bring. */
static bool lock_gains(void)
{
    for (int cap = 0; cap < 64; cap++)
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0) {
            if (errno == EINVAL && cap > CAP_SYSLOG) break;
            return false;
        }
    return prctl(PR_SET_SECUREBITS,
                 SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                     SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                     SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED,
                 0, 0, 0) == 0;
}

bool drop_gains(struct text *why)
{
    return has_no_capabilities() || lock_gains() ||
           say(why, "capabilities cannot be given up: %s", strerror(errno));
}

bool drop_ids_and_capabilities(struct cell *c, struct text *why)
{
    const struct spec *s = c->spec;
    bool is_privileged = !has_no_capabilities();
    /* Not allowed when an ordinary user mapped itself: its groups then stay, unmapped. */
    if (is_privileged && setgroups(0, NULL) != 0 && errno != EPERM)
        return say(why, "groups cannot be given up: %s", strerror(errno));
    if (setresgid(s->gid, s->gid, s->gid) != 0 || setresuid(s->uid, s->uid, s->uid) != 0)
        return say(why, "the user id %u cannot be taken: %s", s->uid, strerror(errno));
    if (!clear_capabilities() || !has_no_capabilities())
        return say(why, "capabilities cannot be given up: %s", strerror(errno));
    if (geteuid() != s->uid || getegid() != s->gid)
        return say(why, "the user id %u was not taken", s->uid);
    name_add(&c->layers, "no-capabilities");
    return true;
}

bool no_new_privileges(struct text *why)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return say(why, "no_new_privs cannot be set: %s", strerror(errno));
    return true;
}

static void limit(int what, uint64_t value)
{
    struct rlimit now, want = {value, value}; /* as the kernel has it, on 64 bits */
    if (RAW(SYS_prlimit64, 0, what, 0, (long)&now) == 0 && want.rlim_max > now.rlim_max)
        want.rlim_cur = want.rlim_max = now.rlim_max;
    if (RAW(SYS_prlimit64, 0, what, (long)&want) != 0) raw_exit(125);
}

void command_limits(const struct limits *l)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, l->files);
    limit(RLIMIT_NPROC, l->processes);
    limit(RLIMIT_FSIZE, l->file);
    limit(RLIMIT_DATA, l->memory);
    limit(RLIMIT_MEMLOCK, 8u << 20);
    if (l->cpu_seconds) limit(RLIMIT_CPU, l->cpu_seconds);
}
