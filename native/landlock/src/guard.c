#include "guard.h"

#include "git_config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 64, MOST_BYTES = 1 << 20 };

struct kept {
    char *path; /* beneath the workspace */
    uint8_t *data;
    size_t size;
    mode_t mode;
};

static const char *const fixed[] = {".git/config", ".git/config.worktree"};
static const char hooks[] = ".git/hooks";

/* Names that lead git to configuration elsewhere. Where they are missing no mount can protect them. */
static const char *const leads[] = {".git/commondir", ".git/config.worktree"};
static bool has_lead[COUNT(leads)];

static bool is_needed, was_there, is_repository, has_hooks;
static struct kept kept[MOST_FILES];
static uint32_t kept_count;
static char *reverted[MOST_FILES + 8];
static uint32_t reverted_count;

static int open_at(const char *path, int flags)
{
    uint64_t more = flags & O_PATH ? O_NOFOLLOW : O_NOFOLLOW | O_NONBLOCK;
    return open_beneath(the_daemon.cell->workspace, path, (uint64_t)flags | more, 0,
                        RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
}

/* A file, a link that is not followed, or a directory. */
static bool has(const char *path)
{
    int fd = open_at(path, O_PATH);
    bool found = fd >= 0;
    close_fd(&fd);
    return found;
}

static bool has_directory(const char *path)
{
    int fd = open_at(path, O_RDONLY | O_DIRECTORY);
    bool found = fd >= 0;
    close_fd(&fd);
    return found;
}

static bool load(const char *path, struct kept *k)
{
    struct stat st;
    int fd = open_at(path, O_RDONLY);
    bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MOST_BYTES;
    if (ok) {
        k->data = grab((size_t)st.st_size);
        ssize_t n = read(fd, k->data, (size_t)st.st_size);
        k->size = n < 0 ? 0 : (size_t)n;
        k->mode = st.st_mode & 07777;
        k->path = copy_string(path, strlen(path));
    }
    close_fd(&fd);
    return ok;
}

static void forget(struct kept *k)
{
    free(k->path);
    free(k->data);
    memset(k, 0, sizeof *k);
}

static void keep(const char *path)
{
    if (kept_count < MOST_FILES && load(path, &kept[kept_count])) kept_count++;
}

/* Runs `on` for each name in .git/hooks; answers whether there is such a directory. */
static bool each_hook(void (*on)(const char *path))
{
    int fd = open_at(hooks, O_RDONLY | O_DIRECTORY);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        close_fd(&fd);
        return false;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char path[300];
        memcpy(path, hooks, sizeof hooks - 1);
        path[sizeof hooks - 1] = '/';
        memcpy(path + sizeof hooks, e->d_name, strlen(e->d_name) + 1);
        on(path);
    }
    closedir(dir);
    return true;
}

/* A repository that is there at the start is protected by mounts where there are namespaces; one
 * that a command makes later is not, so it is looked after here. */
void guard_init(void)
{
    bool is_mounted = has_directory(".git") && has_namespaces(the_daemon.cell);
    is_needed = !is_mounted && the_daemon.cell->spec->writable;
}

void guard_remember(void)
{
    was_there = has(".git");
    for (size_t i = 0; i < COUNT(leads); i++) has_lead[i] = was_there && has(leads[i]);
    if (!is_needed) return;
    for (uint32_t i = 0; i < kept_count; i++) forget(&kept[i]);
    kept_count = 0;
    is_repository = was_there && has_directory(".git");
    /* A file that names the repository: a linked worktree, a submodule. */
    if (was_there && !is_repository) keep(".git");
    if (!is_repository) return;
    for (size_t i = 0; i < COUNT(fixed); i++) keep(fixed[i]);
    has_hooks = each_hook(keep);
}

static void note(const char *path)
{
    if (reverted_count < COUNT(reverted)) reverted[reverted_count++] = copy_string(path, strlen(path));
}

const char *guard_reverted(uint32_t i) { return reverted[i]; }

static const struct kept *find(const char *path)
{
    for (uint32_t i = 0; i < kept_count; i++)
        if (strcmp(kept[i].path, path) == 0) return &kept[i];
    return NULL;
}

/* Whatever is there now: a file, a link, a directory with all in it. */
static void remove_at(int dir, const char *name, int depth)
{
    if (unlinkat(dir, name, 0) == 0 || errno == ENOENT || depth > 32) return;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove_at(fd, e->d_name, depth + 1);
    if (d) closedir(d);
    unlinkat(dir, name, AT_REMOVEDIR);
}

static void remove_path(const char *path)
{
    char *parent = copy_string(path, strlen(path)), *slash = strrchr(parent, '/');
    if (!slash) {
        remove_at(the_daemon.cell->workspace, path, 0);
        free(parent);
        return;
    }
    *slash = 0;
    int dir = open_at(parent, O_RDONLY | O_DIRECTORY);
    if (dir >= 0) remove_at(dir, slash + 1, 0);
    close_fd(&dir);
    free(parent);
}

/* It may be a file of the user's that was moved there: set aside rather than lost. */
static void set_aside(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    int git = open_at(".git", O_RDONLY | O_DIRECTORY), from = open_at(hooks, O_RDONLY | O_DIRECTORY);
    if (git >= 0) mkdirat(git, "refused-hooks", 0755);
    int to = open_at(".git/refused-hooks", O_RDONLY | O_DIRECTORY);
    if (from >= 0 && to >= 0) renameat(from, name, to, name);
    /* Two names of one file: rename(2) then succeeds and leaves both. */
    if (from >= 0) remove_at(from, name, 0);
    close_fd(&git);
    close_fd(&from);
    close_fd(&to);
}

static void drop_new_hook(const char *path)
{
    if (find(path)) return;
    set_aside(path);
    note(path);
}

/* Git's own examples are never run. */
static void drop_fresh_hook(const char *path)
{
    static const char sample[] = ".sample";
    size_t n = strlen(path);
    if (n > sizeof sample && strcmp(path + n - (sizeof sample - 1), sample) == 0) return;
    drop_new_hook(path);
}

static bool is_as_kept(const struct kept *k)
{
    struct kept now = {0};
    bool same = load(k->path, &now) && now.size == k->size && now.mode == k->mode &&
                memcmp(now.data, k->data, k->size) == 0;
    forget(&now);
    return same;
}

static void put_back(const struct kept *k)
{
    remove_path(k->path);
    int fd = open_beneath(the_daemon.cell->workspace, k->path, O_WRONLY | O_CREAT | O_EXCL, k->mode,
                          RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS);
    if (fd >= 0 && write_all(fd, k->data, k->size)) fchmod(fd, k->mode);
    close_fd(&fd);
    note(k->path);
}

/* A repository that was made just now: what was put into it beside what git makes is taken out. */
static void look_at_fresh(void)
{
    if (!has_directory(".git")) {
        if (has(".git")) {
            remove_path(".git");
            note(".git");
        }
        return;
    }
    if (!each_hook(drop_fresh_hook)) remove_path(hooks);
    for (size_t i = 0; i < COUNT(fixed); i++) {
        struct kept now = {0};
        bool changed = false, is_file = load(fixed[i], &now);
        if (is_file) now.size = git_config_filter((char *)now.data, now.size, &changed);
        if (is_file && changed) put_back(&now);
        if (!is_file) remove_path(fixed[i]);
        forget(&now);
    }
}

static bool make_hooks(void)
{
    int git = open_at(".git", O_RDONLY | O_DIRECTORY);
    bool ok = git >= 0 && mkdirat(git, "hooks", 0755) == 0;
    close_fd(&git);
    return ok;
}

uint32_t guard_restore(void)
{
    for (uint32_t i = 0; i < reverted_count; i++) free(reverted[i]);
    reverted_count = 0;
    if (!was_there && !has(".git")) return 0;
    for (size_t i = 0; i < COUNT(leads) && the_daemon.cell->spec->writable; i++) {
        if (has_lead[i] || !has(leads[i])) continue;
        remove_path(leads[i]);
        note(leads[i]);
    }
    if (!is_needed) return reverted_count;
    if (!was_there) {
        look_at_fresh();
        return reverted_count;
    }
    if (!is_repository) {
        for (uint32_t i = 0; i < kept_count; i++)
            if (!is_as_kept(&kept[i])) put_back(&kept[i]);
        return reverted_count;
    }
    if (!has_directory(".git")) {
        /* Moved away; something else in its place is no repository of the user's. */
        remove_path(".git");
        note(".git");
        return reverted_count;
    }
    for (size_t i = 0; i < COUNT(fixed); i++) {
        struct kept now = {0};
        if (!find(fixed[i]) && load(fixed[i], &now)) {
            remove_path(fixed[i]);
            note(fixed[i]);
        }
        forget(&now);
    }
    if (!each_hook(drop_new_hook)) {
        remove_path(hooks);
        if (has_hooks) make_hooks();
        note(hooks);
    }
    for (uint32_t i = 0; i < kept_count; i++)
        if (!is_as_kept(&kept[i])) put_back(&kept[i]);
    return reverted_count;
}

static bool is_dir(int dir, const char *path)
{
    struct stat a, b;
    int fd = open_at(path, O_PATH | O_DIRECTORY);
    bool same = fd >= 0 && fstat(fd, &a) == 0 && fstat(dir, &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino;
    close_fd(&fd);
    return same;
}

bool guard_forbids(int dir, const char *name)
{
    if (!is_needed) return false;
    if (strcmp(name, ".git") == 0 && is_dir(dir, ".")) return has_directory(".git");
    bool is_fixed = strcmp(name, "config") == 0 || strcmp(name, "config.worktree") == 0 ||
                    strcmp(name, "hooks") == 0;
    return (is_fixed && is_dir(dir, ".git")) || is_dir(dir, hooks);
}
