#include "change.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sha256.h"

/* The names in use are written down in the spool before they are made. */
#define NAMES "staged-names"

static bool because(struct failure *f, uint16_t code, const char *path, const char *words)
{
    f->code = code;
    return say(&f->why, "%.300s: %s", path, words);
}

bool refused_path(struct failure *f, const char *path) { return path_failed(path, &f->code, &f->why); }

static int rename_at(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

/* A name nobody has, beside the target; its way is noted so that a later daemon can sweep it. */
static void staged_name(const struct change *c, char to[64])
{
    static unsigned counter;
    const uint8_t *r = the_daemon.cell->spec->incarnation;
    snprintf(to, 64, ".cell-%02x%02x%02x%02x%02x%02x-%u", r[0], r[1], r[2], r[3], r[4], r[5],
             ++counter);
    const char *slash = strrchr(c->path, '/');
    int dir = slash ? (int)(slash - c->path) + 1 : 0;
    char line[PATH_BYTES + 80];
    int n = snprintf(line, sizeof line, "%.*s%s", dir, c->path, to) + 1;
    int fd = openat(FD_SPOOL, NAMES, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0 && !write_all(fd, line, (size_t)n)) unlinkat(c->place.dir, to, 0);
    close_fd(&fd);
}

void change_sweep(void)
{
    char path[PATH_BYTES + 80];
    size_t n = 0;
    int fd = openat(FD_SPOOL, NAMES, O_RDONLY | O_CLOEXEC);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
    if (!f) return;
    for (int c; (c = fgetc(f)) != EOF;) {
        if (n < sizeof path) path[n++] = (char)c;
        if (c != 0) continue;
        struct place p;
        struct failure why;
        if (n <= PATH_BYTES && place_find(path, false, false, &p, &why.code, &why.why)) {
            if (strncmp(p.name, ".cell-", 6) == 0) unlinkat(p.dir, p.name, 0);
            place_close(&p);
        }
        n = 0;
    }
    fclose(f);
    unlinkat(FD_SPOOL, NAMES, 0);
}

/* ---- content ---- */

static bool copy_bytes(int from, int to)
{
    off_t at = 0;
    struct stat st;
    if (fstat(from, &st) != 0) return false;
    while (at < st.st_size) {
        ssize_t n = sendfile(to, from, &at, (size_t)(st.st_size - at));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
    }
    return true;
}

static bool digest_of(int dir, const char *name, uint8_t digest[32], uint64_t *size)
{
    static uint8_t chunk[65536];
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return false;
    struct sha256 s;
    ssize_t n;
    *size = 0;
    sha256_begin(&s);
    while ((n = read(fd, chunk, sizeof chunk)) > 0) {
        sha256_add(&s, chunk, (size_t)n);
        *size += (uint64_t)n;
    }
    sha256_end(&s, digest);
    close(fd);
    return n == 0;
}

static void digest_content(struct change *c, const struct content *content)
{
    if (content->staged.buf) {
        memcpy(c->digest, cell_staged_digest(content->staged), 32);
        c->size = cell_staged_size_bytes(content->staged);
        return;
    }
    struct sha256 s;
    sha256_begin(&s);
    sha256_add(&s, content->data.at, content->data.len);
    sha256_end(&s, c->digest);
    c->size = content->data.len;
}

static bool fill(int fd, const struct content *content)
{
    if (!content->staged.buf) return write_all(fd, content->data.at, content->data.len);
    int from = stage_find(cell_staged_digest(content->staged),
                          cell_staged_size_bytes(content->staged));
    return copy_bytes(from, fd);
}

/* ---- prepare ---- */

static bool stage_content(struct change *c, const struct content *content, struct failure *f)
{
    uint32_t mode = c->has_mode ? c->mode & 07777 : c->replaces ? c->before.st_mode & 07777 : 0644;
    staged_name(c, c->staged);
    int fd = openat(c->place.dir, c->staged, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        *c->staged = 0;
        return refused_path(f, c->path);
    }
    bool ok = fill(fd, content) && fchmod(fd, mode) == 0 && fsync(fd) == 0;
    int error = errno;
    close(fd);
    errno = error;
    c->mode = mode;
    digest_content(c, content);
    return ok || refused_path(f, c->path);
}

/* A file of several names keeps them all: it is written in place, its old content kept beside. */
static bool stage_backup(struct change *c, struct failure *f)
{
    staged_name(c, c->backup);
    int to = openat(c->place.dir, c->backup, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int from = openat(c->place.dir, c->place.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ok = to >= 0 && from >= 0 && copy_bytes(from, to) && fsync(to) == 0;
    int error = errno;
    close_fd(&to);
    close_fd(&from);
    errno = error;
    return ok || refused_path(f, c->path);
}

static bool check_expected(struct change *c, struct failure *f)
{
    static const uint8_t nothing[32];
    uint8_t digest[32];
    uint64_t size;
    if (!c->has_expected) return true;
    bool wants_nothing = memcmp(c->expected, nothing, 32) == 0;
    if (wants_nothing && !c->replaces) return true;
    if (wants_nothing) return because(f, CELL_REFUSAL_EXISTS, c->path, "it is there already");
    if (!c->replaces) return because(f, CELL_REFUSAL_CONFLICT, c->path, "it is not there any more");
    if (S_ISREG(c->before.st_mode) && digest_of(c->place.dir, c->place.name, digest, &size) &&
        memcmp(digest, c->expected, 32) == 0)
        return true;
    return because(f, CELL_REFUSAL_CONFLICT, c->path, "its content is not what was expected");
}

static bool look(struct change *c, struct failure *f)
{
    c->replaces = fstatat(c->place.dir, c->place.name, &c->before, AT_SYMLINK_NOFOLLOW) == 0;
    if (!c->replaces && errno != ENOENT) return refused_path(f, c->path);
    return true;
}

static bool prepare_write(struct change *c, const struct content *content, struct failure *f)
{
    if (content->staged.buf && content->data.len)
        return because(f, CELL_REFUSAL_INVALID, c->path, "its content is given twice");
    if (content->staged.buf && stage_find(cell_staged_digest(content->staged),
                                          cell_staged_size_bytes(content->staged)) < 0)
        return because(f, CELL_REFUSAL_NOT_STAGED, c->path, "its content is not staged");
    if (!look(c, f) || !check_expected(c, f)) return false;
    if (c->replaces && !S_ISREG(c->before.st_mode))
        return because(f, CELL_REFUSAL_NOT_REGULAR, c->path, "it is no regular file");
    uint64_t size = content->staged.buf ? cell_staged_size_bytes(content->staged) : content->data.len;
    if (size > the_daemon.cell->spec->limits.file)
        return because(f, CELL_REFUSAL_NO_SPACE, c->path, "it is larger than a file may be here");
    if (!stage_content(c, content, f)) return false;
    c->in_place = c->replaces && c->before.st_nlink > 1;
    return !c->in_place || stage_backup(c, f);
}

static bool prepare_rename(struct change *c, struct failure *f)
{
    struct stat st;
    if (!look(c, f) || !check_expected(c, f)) return false;
    if (!c->replaces) return because(f, CELL_REFUSAL_NOT_FOUND, c->path, "it is not there");
    if (fstatat(c->target.dir, c->target.name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !c->allow_replace)
        return because(f, CELL_REFUSAL_EXISTS, c->path, "its new name is taken");
    return true;
}

static bool prepare_remove(struct change *c, struct failure *f)
{
    if (!look(c, f) || !check_expected(c, f)) return false;
    if (!c->replaces) return because(f, CELL_REFUSAL_NOT_FOUND, c->path, "it is not there");
    if (S_ISDIR(c->before.st_mode))
        return because(f, CELL_REFUSAL_NOT_REGULAR, c->path, "it is a directory");
    return true;
}

static bool prepare_mkdir(struct change *c, struct failure *f)
{
    if (!look(c, f)) return false;
    if (c->replaces && c->parents && S_ISDIR(c->before.st_mode)) return true;
    if (c->replaces) return because(f, CELL_REFUSAL_EXISTS, c->path, "it is there already");
    if (mkdirat(c->place.dir, c->place.name, 0755) != 0) return refused_path(f, c->path);
    c->is_done = true;
    if (c->has_mode && fchmodat(c->place.dir, c->place.name, c->mode & 07777, 0) != 0)
        return refused_path(f, c->path);
    return true;
}

bool change_prepare(struct change *c, const struct content *content, struct failure *f)
{
    switch (c->kind) {
    case CELL_CHANGE_KIND_WRITE: return prepare_write(c, content, f);
    case CELL_CHANGE_KIND_REMOVE: return prepare_remove(c, f);
    case CELL_CHANGE_KIND_RENAME: return prepare_rename(c, f);
    case CELL_CHANGE_KIND_MKDIR: return prepare_mkdir(c, f);
    default: return because(f, CELL_REFUSAL_INVALID, c->path, "there is no such kind of change");
    }
}

/* ---- commit and undo ---- */

static bool overwrite(struct change *c, const char *from_name)
{
    int from = openat(c->place.dir, from_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int to = openat(c->place.dir, c->place.name, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ok = from >= 0 && to >= 0 && copy_bytes(from, to) && fsync(to) == 0;
    int error = errno;
    close_fd(&from);
    close_fd(&to);
    errno = error;
    return ok;
}

static bool commit_write(struct change *c)
{
    int dir = c->place.dir;
    if (c->in_place)
        return overwrite(c, c->staged) && (!c->has_mode || fchmodat(dir, c->place.name, c->mode, 0) == 0);
    if (c->replaces) return rename_at(dir, c->staged, dir, c->place.name, RENAME_EXCHANGE) == 0;
    return rename_at(dir, c->staged, dir, c->place.name, RENAME_NOREPLACE) == 0;
}

bool change_commit(struct change *c, struct failure *f)
{
    bool ok = true;
    switch (c->kind) {
    case CELL_CHANGE_KIND_WRITE:
        ok = commit_write(c);
        if (!c->in_place && !c->replaces && ok) *c->staged = 0;
        c->is_done = ok || c->in_place;
        break;
    case CELL_CHANGE_KIND_REMOVE:
        staged_name(c, c->staged);
        ok = rename_at(c->place.dir, c->place.name, c->place.dir, c->staged, RENAME_NOREPLACE) == 0;
        if (!ok) *c->staged = 0;
        c->is_done = ok;
        break;
    case CELL_CHANGE_KIND_RENAME:
        ok = rename_at(c->place.dir, c->place.name, c->target.dir, c->target.name,
                       c->allow_replace ? 0 : RENAME_NOREPLACE) == 0;
        c->is_done = ok;
        break;
    default: return true;
    }
    return ok || refused_path(f, c->path);
}

static bool undo_done(struct change *c)
{
    int dir = c->place.dir;
    switch (c->kind) {
    case CELL_CHANGE_KIND_WRITE:
        if (c->in_place)
            return overwrite(c, c->backup) &&
                   fchmodat(dir, c->place.name, c->before.st_mode & 07777, 0) == 0;
        if (c->replaces) return rename_at(dir, c->staged, dir, c->place.name, RENAME_EXCHANGE) == 0;
        return unlinkat(dir, c->place.name, 0) == 0;
    case CELL_CHANGE_KIND_REMOVE: {
        bool ok = rename_at(dir, c->staged, dir, c->place.name, RENAME_NOREPLACE) == 0;
        if (ok) *c->staged = 0;
        return ok;
    }
    case CELL_CHANGE_KIND_RENAME:
        return rename_at(c->target.dir, c->target.name, dir, c->place.name, RENAME_NOREPLACE) == 0;
    case CELL_CHANGE_KIND_MKDIR: return unlinkat(dir, c->place.name, AT_REMOVEDIR) == 0;
    default: return true;
    }
}

static void unlink_staged(struct change *c)
{
    if (*c->staged) unlinkat(c->place.dir, c->staged, 0);
    if (*c->backup) unlinkat(c->place.dir, c->backup, 0);
    *c->staged = *c->backup = 0;
}

bool change_undo(struct change *c)
{
    bool ok = !c->is_done || undo_done(c);
    c->is_done = !ok;
    if (ok) unlink_staged(c);
    return ok;
}

static void sync_dir(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) fsync(fd);
    close_fd(&fd);
}

void change_finish(struct change *c)
{
    unlink_staged(c);
    sync_dir(c->place.dir);
    if (c->target.dir >= 0) sync_dir(c->target.dir);
}

void change_close(struct change *c)
{
    place_close(&c->place);
    place_close(&c->target);
}
