#include "probe.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "launch.h"

static const char *variant_name(enum variant v)
{
    switch (v) {
    case USER_NAMESPACES:
        return "user namespaces";
    case PLAIN_NAMESPACES:
        return "namespaces";
    case WITHOUT_NAMESPACES:
        return "Landlock and seccomp alone";
    }
    return "";
}

static void probe_spec(struct spec *s, const char *scratch)
{
    memset(s, 0, sizeof *s);
    memcpy(s->session, "probe", 6);
    s->workspace = join(scratch, "/probe-workspace");
    s->home = join(scratch, "/probe-home");
    s->spool = join(scratch, "/probe-spool");
    s->tmp = copy_string("", 0);
    s->journal = copy_string("", 0);
    s->writable = true;
    s->uid = geteuid();
    s->gid = getegid();
    s->limits = (struct limits){64 << 20, 64 << 20, 16 << 20, 0, 64, 256};
}

/* All that it says until it ends; it is killed when that takes more than ten seconds. */
static void hear(int fd, int pidfd, char *buf, size_t cap)
{
    size_t n = 0;
    int64_t end = now_millis() + 10000;
    struct pollfd p = {fd, POLLIN, 0};
    while (n < cap - 1) {
        int64_t left = end - now_millis();
        if (left <= 0 || poll(&p, 1, (int)left) <= 0) {
            if (left > 0 && errno == EINTR) continue;
            sys_pidfd_kill(pidfd, 9);
            break;
        }
        ssize_t k = read(fd, buf + n, cap - 1 - n);
        if (k <= 0) break;
        n += (size_t)k;
    }
    buf[n] = 0;
}

/* Runs one; answers whether all of it held, with its names, else the sentence. */
static bool probe_one(const struct launch *l, struct names *layers, struct names *missing,
                      struct text *why)
{
    char heard[8192];
    struct launched started;
    if (!launch_start(l, &started, why)) return false;
    hear(started.status, started.pidfd, heard, sizeof heard);
    int status = 0;
    waitpid(started.pid, &status, 0);
    launched_close(&started);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return say(why, "%.400s", *heard ? heard : "the probe was killed");
    char *rest = heard;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line) name_add(*line == '+' ? layers : missing, "%s", line + 1);
    return true;
}

static bool attempt(struct machine *m, const struct spec *s, enum variant v, struct names *tried)
{
    struct text why = {""};
    struct spec spec = *s;
    int spool = -1, journal = -1;
    bool ok = launch_prepare(&spec, &spool, &journal, &why);
    if (ok) {
        struct launch l = {&spec, spec.uid, spec.gid, spec.spool, v, m->abi, true, journal, spool};
        ok = probe_one(&l, &m->layers, &m->missing, &why);
    }
    if (!ok) name_add(tried, "%s: %s", variant_name(v), why.s);
    close_fd(&spool);
    close_fd(&journal);
    free(spec.home);
    free(spec.spool);
    if (ok) {
        m->variant = v;
        m->level = v == WITHOUT_NAMESPACES ? LEVEL_LANDLOCK : LEVEL_NAMESPACES;
    }
    return ok;
}

void probe(struct machine *m, const char *scratch)
{
    memset(m, 0, sizeof *m);
    m->level = LEVEL_NONE;
    m->abi = landlock_abi();
    struct names tried = {.count = 0};
    struct spec s;
    struct stat st;
    probe_spec(&s, scratch);
    if (m->abi < 0) {
        name_add(&m->missing, "landlock: this kernel has none or it is switched off (%s)",
                 strerror(errno));
        m->abi = 0;
    } else if (!make_dirs(s.workspace, 0700)) {
        name_add(&m->missing, "%s cannot be made: %s", s.workspace, strerror(errno));
    } else {
        static const enum variant order[] = {USER_NAMESPACES, PLAIN_NAMESPACES, WITHOUT_NAMESPACES};
        for (size_t i = 0; i < COUNT(order); i++) {
            struct spec copy = s;
            copy.home = copy_string(s.home, strlen(s.home));
            copy.spool = copy_string(s.spool, strlen(s.spool));
            if (order[i] == PLAIN_NAMESPACES && geteuid() != 0) {
                free(copy.home);
                free(copy.spool);
                continue;
            }
            if (attempt(m, &copy, order[i], &tried)) break;
        }
    }
    for (uint32_t i = 0; i < tried.count; i++) name_add(&m->missing, "%s", tried.item[i]);
    char *inner = join(s.home, "/tmp");
    if (stat(inner, &st) == 0) rmdir(inner);
    free(inner);
    rmdir(s.home);
    rmdir(s.spool);
    rmdir(s.workspace);
    for (uint32_t i = 0; i < tried.count; i++) free(tried.item[i]);
    spec_free(&s);
}
