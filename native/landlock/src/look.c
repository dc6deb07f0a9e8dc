/* Reading: files, facts, directories. Never recorded, always done again. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "paths.h"
#include "sha256.h"

static uint8_t chunk[CHUNK_BYTES];

static int64_t mtime(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static uint16_t kind_of(mode_t mode)
{
    if (S_ISREG(mode)) return CELL_FILE_KIND_FILE;
    if (S_ISDIR(mode)) return CELL_FILE_KIND_DIRECTORY;
    if (S_ISLNK(mode)) return CELL_FILE_KIND_LINK;
    return CELL_FILE_KIND_OTHER;
}

/* ---- read ---- */

/* Opened without blocking and looked at before a byte is read: a FIFO would hold us for ever. */
static int open_regular(const struct request *q, const char *path, struct stat *st)
{
    int fd = path_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) {
        bool is_special = errno == ENXIO;
        refuse(q, is_special ? CELL_REFUSAL_NOT_REGULAR : refusal_of(errno), "%.300s: %s", path,
               is_special ? "it is no regular file" : words_of(errno));
        return -1;
    }
    if (fstat(fd, st) == 0 && S_ISREG(st->st_mode)) return fd;
    refuse(q, CELL_REFUSAL_NOT_REGULAR, "%.300s is no regular file", path);
    close(fd);
    return -1;
}

static bool digest_file(int fd, uint8_t digest[32])
{
    struct sha256 s;
    off_t at = 0;
    ssize_t n;
    sha256_begin(&s);
    while ((n = pread(fd, chunk, sizeof chunk, at)) > 0) {
        sha256_add(&s, chunk, (size_t)n);
        at += n;
    }
    sha256_end(&s, digest);
    return n == 0;
}

static bool range_fits(const struct request *q, const char *path, uint64_t size, uint64_t offset,
                       uint64_t *length)
{
    unsigned long long bytes = size;
    if (offset > size) {
        refuse(q, CELL_REFUSAL_PAST_END, "%.300s has %llu bytes", path, bytes);
        return false;
    }
    if (*length == 0 || *length > size - offset) *length = size - offset;
    if (*length <= CHUNK_BYTES) return true;
    refuse(q, CELL_REFUSAL_TOO_LARGE,
           "%.300s has %llu bytes and one read gives at most %d: read it by ranges", path, bytes,
           CHUNK_BYTES);
    return false;
}

static void answer_read(const struct request *q, const char *path, int fd, const struct stat *st)
{
    struct zap_obj o = cell_request_read(q->o);
    uint64_t offset = cell_read_offset(o), length = cell_read_length(o);
    uint8_t digest[32] = {0};
    if (!range_fits(q, path, (uint64_t)st->st_size, offset, &length)) return;
    if (cell_read_whole_digest(o)) {
        if (st->st_size > KEPT_BYTES) {
            refuse(q, CELL_REFUSAL_TOO_LARGE, "%.300s is too large for a digest", path);
            return;
        }
        if (!digest_file(fd, digest)) {
            refuse(q, CELL_REFUSAL_IO, "%.300s: %s", path, strerror(errno));
            return;
        }
    }
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    uint32_t at = cell_reply_new_read(&r.w, r.root);
    uint8_t *room = zap_room(&r.w, length);
    ssize_t n = room ? pread(fd, room, length, (off_t)offset) : -1;
    if (n < 0) {
        refuse(q, CELL_REFUSAL_IO, "%.300s: %s", path, strerror(errno));
        return;
    }
    cell_read_result_set_data(&r.w, at, room, (size_t)n);
    cell_read_result_set_size_bytes(&r.w, at, (uint64_t)st->st_size);
    cell_read_result_set_mtime_nanos(&r.w, at, mtime(st));
    cell_read_result_set_mode(&r.w, at, st->st_mode & 07777);
    cell_read_result_set_digest(&r.w, at, digest);
    reply_send(&r);
}

void do_read(const struct request *q)
{
    char path[PATH_BYTES];
    uint16_t code;
    struct text why;
    struct stat st;
    if (!path_take(cell_read_path(cell_request_read(q->o)), path, &code, &why)) {
        refuse(q, code, "%s", why.s);
        return;
    }
    int fd = open_regular(q, path, &st);
    if (fd < 0) return;
    answer_read(q, path, fd, &st);
    close(fd);
}

/* ---- stat and list ---- */

static void put_entry(struct zap_out *w, uint32_t at, const struct stat *st, const char *name)
{
    cell_entry_set_kind(w, at, kind_of(st->st_mode));
    cell_entry_set_mode(w, at, st->st_mode & 07777);
    cell_entry_set_size_bytes(w, at, (uint64_t)st->st_size);
    cell_entry_set_mtime_nanos(w, at, mtime(st));
    cell_entry_set_name(w, at, name, strlen(name));
}

void do_stat(const struct request *q)
{
    struct zap_obj o = cell_request_stat(q->o);
    char path[PATH_BYTES];
    uint16_t code;
    struct text why;
    struct stat st;
    if (!path_take(cell_stat_path(o), path, &code, &why)) {
        refuse(q, code, "%s", why.s);
        return;
    }
    int fd = path_open(path, O_PATH | (cell_stat_link(o) ? O_NOFOLLOW : 0));
    if (fd < 0 || fstat(fd, &st) != 0) {
        refuse(q, refusal_of(errno), "%.300s: %s", path, words_of(errno));
        close_fd(&fd);
        return;
    }
    close(fd);
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    put_entry(&r.w, cell_reply_new_stat(&r.w, r.root), &st, "");
    reply_send(&r);
}

/* How many entries from `from` fit: each is a cell, a struct, its name and padding. */
static uint32_t that_fit(const struct names_read *n, uint32_t from, uint32_t limit)
{
    uint32_t bytes = 0, count = 0;
    while (from + count < n->count && (!limit || count < limit)) {
        bytes += 4 + 32 + 8 + (uint32_t)strlen(n->item[from + count].s);
        if (bytes > CHUNK_BYTES) break;
        count++;
    }
    return count;
}

static void answer_list(const struct request *q, int fd, const struct names_read *n)
{
    struct zap_obj o = cell_request_list(q->o);
    uint32_t from = cell_list_offset(o);
    if (from > n->count) {
        refuse(q, CELL_REFUSAL_PAST_END, "the directory has %u entries", n->count);
        return;
    }
    uint32_t count = that_fit(n, from, cell_list_limit(o));
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    uint32_t at = cell_reply_new_list(&r.w, r.root);
    cell_list_result_set_total(&r.w, at, n->count);
    uint32_t entries = cell_list_result_new_entries(&r.w, at, count);
    for (uint32_t i = 0; i < count; i++) {
        struct stat st;
        const char *name = n->item[from + i].s;
        /* Gone since it was listed: shown as something else, so that no page is short. */
        if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) memset(&st, 0, sizeof st);
        put_entry(&r.w, cell_list_result_new_entries_at(&r.w, entries, i), &st, name);
    }
    reply_send(&r);
}

void do_list(const struct request *q)
{
    char path[PATH_BYTES];
    uint16_t code;
    struct text why;
    if (!path_take(cell_list_path(cell_request_list(q->o)), path, &code, &why)) {
        refuse(q, code, "%s", why.s);
        return;
    }
    int fd = path_open(path, O_RDONLY | O_DIRECTORY);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        refuse(q, refusal_of(errno), "%.300s: %s", path, words_of(errno));
        close_fd(&fd);
        return;
    }
    struct names_read n = {NULL, 0, 0};
    names_read(dir, &n);
    answer_list(q, fd, &n);
    names_free(&n);
    closedir(dir);
}
