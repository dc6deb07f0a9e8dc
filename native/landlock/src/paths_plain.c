/* Without a mount namespace: home and tmp where they really are, extra paths at home by links. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

/* A cache or toolchain wanted in the home of the cell is linked there; it is read-only. */
static void link_home(const struct spec *s, const struct path_pair *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(p[i].source, p[i].target) == 0 || !is_beneath(p[i].target, s->home)) continue;
        char *parent = copy_string(p[i].target, strlen(p[i].target));
        *strrchr(parent, '/') = 0;
        if (make_dirs(parent, 0700) && symlink(p[i].source, p[i].target) == 0 &&
            lchown(p[i].target, s->uid, s->gid) == 0) {
            struct stat st;
            for (char *end; stat(parent, &st) == 0 && strlen(parent) > strlen(s->home); *end = 0) {
                if (st.st_uid != s->uid && chown(parent, s->uid, s->gid) != 0) break;
                end = strrchr(parent, '/');
            }
        }
        free(parent);
    }
}

bool paths_prepare_plain(struct cell *c, struct text *why)
{
    const struct spec *s = c->spec;
    c->tmp = *s->tmp ? copy_string(s->tmp, strlen(s->tmp)) : join(s->home, "/tmp");
    struct stat st;
    bool is_new = stat(c->tmp, &st) != 0;
    if (!make_dirs(c->tmp, 0700) || (is_new && chown(c->tmp, s->uid, s->gid) != 0))
        return say(why, "%s cannot be made: %s", c->tmp, strerror(errno));
    link_home(s, s->read_only, s->read_only_count);
    link_home(s, s->caches, s->cache_count);
    /* The daemon walks its tree by /proc; its commands do not get to see it. */
    c->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (c->proc < 0) return say(why, "/proc cannot be opened: %s", strerror(errno));
    static const char *const weaker[] = {
        "namespaces: names and times of files outside can be seen",
        "tmp: /tmp and /dev/shm are not there, use TMPDIR",
        "network: no sockets at all, not even on loopback",
    };
    if (s->uid == 0) name_add(&c->missing, "pid-limit: root's processes are counted by the daemon only");
    for (size_t i = 0; i < COUNT(weaker); i++) name_add(&c->missing, "%s", weaker[i]);
    return true;
}
