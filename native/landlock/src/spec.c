#include "spec.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dev_zap.h"

static bool take_path(struct zap_run r, const char *what, bool optional, char **to,
                      struct text *why)
{
    if (r.len == 0 && optional) {
        *to = copy_string("", 0);
        return true;
    }
    if (r.len == 0) return say(why, "the cell's %s is missing", what);
    if (r.at[0] != '/') return say(why, "the cell's %s must be an absolute path", what);
    if (r.len >= PATH_MAX || memchr(r.at, 0, r.len))
        return say(why, "the cell's %s is no usable path", what);
    *to = copy_string(r.at, r.len);
    for (size_t n = strlen(*to); n > 1 && (*to)[n - 1] == '/'; n--) (*to)[n - 1] = 0;
    return true;
}

static bool take_session(struct zap_run r, char *to, struct text *why)
{
    if (r.len < 1 || r.len > 64) return say(why, "a session id has 1 to 64 characters");
    for (uint32_t i = 0; i < r.len; i++) {
        uint8_t c = r.at[i];
        bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-';
        if (!ok) return say(why, "a session id consists of letters, digits, _ and -");
    }
    memcpy(to, r.at, r.len);
    return true;
}

static bool take_pairs(struct zap_list l, struct path_pair **to, uint32_t *count, struct text *why)
{
    *to = grab(sizeof **to * l.count);
    for (uint32_t i = 0; i < l.count; i++) {
        struct zap_obj p = cell_spec_read_only_at(l, i);
        struct path_pair *pair = &(*to)[i];
        *count = i + 1;
        if (!take_path(cell_path_source(p), "extra path", false, &pair->source, why) ||
            !take_path(cell_path_target(p), "target of an extra path", true, &pair->target, why))
            return false;
        if (!*pair->target) {
            free(pair->target);
            pair->target = copy_string(pair->source, strlen(pair->source));
        }
        if (strcmp(pair->target, "/") == 0 || strcmp(pair->source, "/") == 0 ||
            is_beneath(pair->target, "/proc") || is_beneath(pair->target, "/dev") ||
            is_beneath(pair->target, "/sys"))
            return say(why, "%s cannot be an extra path of a cell", pair->source);
    }
    return true;
}

static bool take_env(struct zap_list l, struct spec *s, struct text *why)
{
    s->env = grab(sizeof *s->env * (l.count + 1u));
    for (uint32_t i = 0; i < l.count; i++) {
        struct zap_obj v = cell_spec_env_at(l, i);
        struct zap_run name = env_var_name(v), value = env_var_value(v);
        if (name.len == 0 || memchr(name.at, '=', name.len) || memchr(name.at, 0, name.len) ||
            (value.len && memchr(value.at, 0, value.len)))
            return say(why, "an environment variable of the cell has an impossible name or value");
        char *pair = grab((size_t)name.len + value.len + 2);
        memcpy(pair, name.at, name.len);
        pair[name.len] = '=';
        if (value.len) memcpy(pair + name.len + 1, value.at, value.len);
        s->env[s->env_count++] = pair;
    }
    return true;
}

static uint64_t or_default(uint64_t v, uint64_t otherwise) { return v ? v : otherwise; }

static void take_limits(struct zap_obj o, struct limits *l)
{
    l->memory = or_default(cell_limits_memory_bytes(o), 4ull << 30);
    l->file = or_default(cell_limits_file_bytes(o), 4ull << 30);
    l->disk = or_default(cell_limits_disk_bytes(o), DEFAULT_DISK_BYTES);
    l->cpu_seconds = cell_limits_cpu_seconds(o);
    l->processes = (uint32_t)or_default(cell_limits_processes(o), DEFAULT_PROCESSES);
    l->files = (uint32_t)or_default(cell_limits_open_files(o), 4096);
    if (l->processes < 16) l->processes = 16;
    if (l->files < 64) l->files = 64;
}

/* The workspace by its real path, and whose processes the cell's are: the workspace owner's. */
static bool settle_workspace(struct spec *s, struct text *why)
{
    char *real = realpath(s->workspace, NULL);
    struct stat st;
    if (!real || stat(real, &st) != 0)
        return say(why, "the workspace %s cannot be opened: %s", s->workspace, strerror(errno));
    free(s->workspace);
    s->workspace = real;
    if (!S_ISDIR(st.st_mode)) return say(why, "the workspace %s is no directory", real);
    static const char *const never[] = {"/",     "/usr", "/etc", "/bin", "/sbin", "/lib",
                                        "/lib64", "/proc", "/sys", "/dev", "/boot", "/run"};
    for (size_t i = 0; i < COUNT(never); i++)
        if (strcmp(real, never[i]) == 0 || (i >= 1 && is_beneath(real, never[i])))
            return say(why, "%s is a system directory and cannot be a workspace", real);
    if (s->has_ids) return true;
    bool is_root = geteuid() == 0;
    s->uid = is_root ? st.st_uid : geteuid();
    s->gid = is_root ? st.st_gid : getegid();
    return true;
}

bool spec_read(struct zap_obj o, struct spec *s, struct text *why)
{
    memset(s, 0, sizeof *s);
    s->epoch = cell_spec_epoch(o);
    s->writable = cell_spec_writable(o);
    s->required = cell_spec_required(o);
    s->has_ids = cell_spec_has(o) & 1;
    s->uid = cell_spec_uid(o);
    s->gid = cell_spec_gid(o);
    s->grace_millis = or_default(cell_spec_orphan_grace_millis(o), 600000);
    take_limits(cell_spec_limits(o), &s->limits);
    if (s->has_ids && geteuid() != 0 && (s->uid != geteuid() || s->gid != getegid()))
        return say(why, "only root can give a cell another user id");
    if (getrandom(s->incarnation, sizeof s->incarnation, 0) != sizeof s->incarnation)
        return say(why, "the kernel gives no random bytes");
    return take_session(cell_spec_session(o), s->session, why) &&
           take_path(cell_spec_workspace(o), "workspace", false, &s->workspace, why) &&
           take_path(cell_spec_home(o), "home", false, &s->home, why) &&
           take_path(cell_spec_tmp(o), "tmp", true, &s->tmp, why) &&
           take_path(cell_spec_spool(o), "spool", false, &s->spool, why) &&
           take_path(cell_spec_journal(o), "journal", true, &s->journal, why) &&
           take_pairs(cell_spec_read_only(o), &s->read_only, &s->read_only_count, why) &&
           take_pairs(cell_spec_caches(o), &s->caches, &s->cache_count, why) &&
           take_env(cell_spec_env(o), s, why) && settle_workspace(s, why);
}

static void free_pairs(struct path_pair *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(p[i].source);
        free(p[i].target);
    }
    free(p);
}

void spec_free(struct spec *s)
{
    free(s->workspace);
    free(s->home);
    free(s->tmp);
    free(s->spool);
    free(s->journal);
    free_pairs(s->read_only, s->read_only_count);
    free_pairs(s->caches, s->cache_count);
    for (uint32_t i = 0; i < s->env_count; i++) free(s->env[i]);
    free(s->env);
    memset(s, 0, sizeof *s);
}
