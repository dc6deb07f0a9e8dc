#include "paths.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BENEATH (RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS)
enum { MOST_LINKS = 40 };

uint16_t refusal_of(int error)
{
    switch (error) {
    case EXDEV:
    case ELOOP: return CELL_REFUSAL_OUTSIDE;
    case ENOENT: return CELL_REFUSAL_NOT_FOUND;
    case ENOTDIR: return CELL_REFUSAL_NOT_DIRECTORY;
    case EISDIR: return CELL_REFUSAL_NOT_REGULAR;
    case EEXIST: return CELL_REFUSAL_EXISTS;
    case ENOTEMPTY: return CELL_REFUSAL_NOT_EMPTY;
    case EACCES:
    case EPERM: return CELL_REFUSAL_DENIED;
    case EROFS: return the_daemon.cell->spec->writable ? CELL_REFUSAL_PROTECTED : CELL_REFUSAL_DENIED;
    case EBUSY: return CELL_REFUSAL_PROTECTED; /* a mount point: .git and what is fixed in it */
    case ENOSPC:
    case EDQUOT:
    case EFBIG: return CELL_REFUSAL_NO_SPACE;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN: return CELL_REFUSAL_RESOURCES;
    case ENAMETOOLONG:
    case EINVAL: return CELL_REFUSAL_INVALID;
    default: return CELL_REFUSAL_IO;
    }
}

const char *words_of(int error)
{
    switch (refusal_of(error)) {
    case CELL_REFUSAL_OUTSIDE: return "it leads out of the workspace";
    case CELL_REFUSAL_PROTECTED: return "it is protected: commands may not change it";
    default: return strerror(error);
    }
}

bool path_failed(const char *path, uint16_t *code, struct text *why)
{
    int error = errno;
    *code = refusal_of(error);
    return say(why, "%.300s: %s", path, words_of(error));
}

bool path_take(struct zap_run r, char to[PATH_BYTES], uint16_t *code, struct text *why)
{
    *code = CELL_REFUSAL_INVALID;
    if (r.len >= PATH_BYTES) return say(why, "a path of %u bytes is too long", r.len);
    if (r.len && memchr(r.at, 0, r.len)) return say(why, "a path cannot hold a NUL");
    if (r.len == 0) {
        memcpy(to, ".", 2);
        return true;
    }
    memcpy(to, r.at, r.len);
    to[r.len] = 0;
    if (to[0] != '/') return true;
    *code = CELL_REFUSAL_OUTSIDE;
    return say(why, "%.300s is absolute: paths are relative to the workspace", to);
}

int path_open(const char *path, uint64_t flags)
{
    return open_beneath(the_daemon.cell->workspace, path, flags, 0, BENEATH);
}

/* Opens the directory `path`, making what is missing of it, one part after the other. */
static int make_way(const char *path)
{
    char part[PATH_BYTES];
    int fd = path_open(path, O_PATH | O_DIRECTORY);
    if (fd >= 0 || errno != ENOENT) return fd;
    for (const char *end = path;; end++) {
        end += strcspn(end, "/");
        size_t n = (size_t)(end - path);
        memcpy(part, path, n);
        part[n] = 0;
        fd = n ? path_open(part, O_PATH | O_DIRECTORY) : -1;
        if (n && fd < 0) {
            struct place p;
            uint16_t code;
            struct text why;
            if (errno != ENOENT || !place_find(part, true, false, &p, &code, &why)) return -1;
            int made = mkdirat(p.dir, p.name, 0755), error = errno;
            place_close(&p);
            errno = error;
            if (made != 0 && errno != EEXIST) return -1;
            fd = path_open(part, O_PATH | O_DIRECTORY);
            if (fd < 0) return -1;
        }
        if (!*end) return fd;
        close_fd(&fd);
    }
}

/* Splits off the last part; the kernel resolves what is before it. */
static bool split(const char *path, char dir[PATH_BYTES], char name[NAME_BYTES])
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') n--;
    size_t at = n;
    while (at > 0 && path[at - 1] != '/') at--;
    size_t length = n - at;
    if (length == 0 || length >= NAME_BYTES) {
        errno = length ? ENAMETOOLONG : EISDIR;
        return false;
    }
    memcpy(name, path + at, length);
    name[length] = 0;
    memcpy(dir, at ? path : ".", at ? at : 1);
    dir[at ? at : 1] = 0;
    bool is_dots = strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    if (is_dots) errno = EISDIR;
    return !is_dots;
}

/* The text of the link at p, put after its own directory; false and errno when it leads nowhere
 * that may be followed. ENODATA: there is no link. */
static bool follow_link(const struct place *p, const char *dir, char to[PATH_BYTES])
{
    struct stat st;
    char text[PATH_BYTES], whole[2 * PATH_BYTES];
    if (fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(st.st_mode)) {
        errno = ENODATA;
        return false;
    }
    ssize_t n = readlinkat(p->dir, p->name, text, sizeof text - 1);
    if (n < 0) return false;
    text[n] = 0;
    size_t d = strlen(dir);
    errno = text[0] == '/' ? EXDEV : ENAMETOOLONG;
    if (text[0] == '/' || d + 1 + (size_t)n >= PATH_BYTES) return false;
    memcpy(whole, dir, d);
    whole[d] = '/';
    memcpy(whole + d + 1, text, (size_t)n + 1);
    memcpy(to, whole, d + (size_t)n + 2);
    return true;
}

bool place_find(const char *path, bool follow, bool parents, struct place *to, uint16_t *code,
                struct text *why)
{
    char now[PATH_BYTES], dir[PATH_BYTES];
    memcpy(now, path, strlen(path) + 1);
    for (int links = 0; links < MOST_LINKS; links++) {
        to->dir = -1;
        if (!split(now, dir, to->name)) return path_failed(path, code, why);
        to->dir = parents ? make_way(dir) : path_open(dir, O_PATH | O_DIRECTORY);
        if (to->dir < 0) return path_failed(path, code, why);
        if (!follow) return true;
        if (!follow_link(to, dir, now)) {
            if (errno == ENODATA) return true;
            bool ok = path_failed(path, code, why);
            place_close(to);
            return ok;
        }
        place_close(to);
    }
    errno = ELOOP;
    return path_failed(path, code, why);
}

void place_close(struct place *p) { close_fd(&p->dir); }
