/* A spec on its way to a cell that was kept ready: its strings one after the other, each with its
 * length before it, then its numbers. Both sides are this binary. */
#include <stdlib.h>
#include <string.h>

#include "spec.h"

struct packing {
    uint8_t *at, *end; /* at is NULL once it does not fit */
};

static void put(struct packing *p, const void *v, size_t n)
{
    if (!p->at || (size_t)(p->end - p->at) < n) {
        p->at = NULL;
        return;
    }
    memcpy(p->at, v, n);
    p->at += n;
}

static void put_string(struct packing *p, const char *s)
{
    uint32_t n = (uint32_t)strlen(s);
    put(p, &n, sizeof n);
    put(p, s, n);
}

static void put_pairs(struct packing *p, const struct path_pair *pairs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put_string(p, pairs[i].source);
        put_string(p, pairs[i].target);
    }
}

size_t spec_pack(const struct spec *s, void *to, size_t cap)
{
    struct packing p = {to, (uint8_t *)to + cap};
    put(&p, s, sizeof *s);
    put_string(&p, s->workspace);
    put_string(&p, s->home);
    put_string(&p, s->tmp);
    put_string(&p, s->spool);
    put_string(&p, s->journal);
    put_pairs(&p, s->read_only, s->read_only_count);
    put_pairs(&p, s->caches, s->cache_count);
    for (uint32_t i = 0; i < s->env_count; i++) put_string(&p, s->env[i]);
    return p.at ? (size_t)(p.at - (uint8_t *)to) : 0;
}

struct unpacking {
    const uint8_t *at, *end; /* at is NULL once there is not enough */
};

static char *take_string(struct unpacking *u)
{
    uint32_t n = 0;
    if (u->at && (size_t)(u->end - u->at) >= sizeof n) {
        memcpy(&n, u->at, sizeof n);
        u->at += sizeof n;
        if ((size_t)(u->end - u->at) >= n) {
            char *s = copy_string(u->at, n);
            u->at += n;
            return s;
        }
    }
    u->at = NULL;
    return copy_string("", 0);
}

static struct path_pair *take_pairs(struct unpacking *u, uint32_t count)
{
    struct path_pair *pairs = grab(sizeof *pairs * count);
    for (uint32_t i = 0; i < count; i++) {
        pairs[i].source = take_string(u);
        pairs[i].target = take_string(u);
    }
    return pairs;
}

bool spec_unpack(const void *from, size_t n, struct spec *s)
{
    struct unpacking u = {from, (const uint8_t *)from + n};
    if (n < sizeof *s) return false;
    memcpy(s, from, sizeof *s);
    u.at += sizeof *s;
    s->workspace = take_string(&u);
    s->home = take_string(&u);
    s->tmp = take_string(&u);
    s->spool = take_string(&u);
    s->journal = take_string(&u);
    s->read_only = take_pairs(&u, s->read_only_count);
    s->caches = take_pairs(&u, s->cache_count);
    s->env = grab(sizeof *s->env * (s->env_count + 1u));
    for (uint32_t i = 0; i < s->env_count; i++) s->env[i] = take_string(&u);
    return u.at == u.end;
}
