/* The searcher: walks a tree in the order of its names and looks through its files. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "search.h"

enum {
    DEPTH = 128,
    BLOCK_BYTES = 1 << 20, /* a longer line is looked at so far */
    LOOKED_AT = 32 << 10,  /* for a NUL */
    MATCH_COST = 48,       /* of a match in the reply, beside its bytes */
};

static const struct quest *quest;
static struct board *board;
static regex_t expression;
static char needle[PATTERN_BYTES + 1];
static size_t needle_bytes;
static bool needs_expression;
static char path[PATH_BYTES];
static size_t below; /* where in `path` the part below the place begins */
static char block[BLOCK_BYTES];

static bool is_over(void) { return board->ending != 0; }

static void found(uint32_t line, const char *text, size_t n)
{
    struct found f = {line, (uint32_t)strlen(path), n > TEXT_BYTES ? TEXT_BYTES : (uint32_t)n,
                      n > TEXT_BYTES};
    if (board->count == quest->limit) {
        board->ending = CELL_SEARCH_ENDING_LIMIT;
        return;
    }
    if (board->used + (board->count + 1) * (MATCH_COST - sizeof f) + sizeof f + f.path + f.text >
        sizeof board->bytes) {
        board->ending = CELL_SEARCH_ENDING_BYTES;
        return;
    }
    uint8_t *to = board->bytes + board->used;
    memcpy(to, &f, sizeof f);
    memcpy(to + sizeof f, path, f.path);
    if (f.text) memcpy(to + sizeof f + f.path, text, f.text);
    board->used += (uint32_t)sizeof f + f.path + f.text;
    board->count++;
}

/* ---- lines ---- */

static bool line_matches(const char *p, size_t n)
{
    regmatch_t all = {0, (regoff_t)n};
    return !needs_expression || regexec(&expression, p, 1, &all, REG_STARTEND) == 0;
}

static uint32_t count_lines(const char *from, const char *to)
{
    uint32_t n = 0;
    while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) n++, from++;
    return n;
}

/* Whole lines, the last one perhaps without its end; `line` is the number of the first. */
static void look_at(const char *p, const char *end, uint32_t line)
{
    const char *counted = p;
    while (p < end && !is_over()) {
        if (needle_bytes) {
            const char *hit = memmem(p, (size_t)(end - p), needle, needle_bytes);
            if (!hit) return;
            const char *start = memrchr(p, '\n', (size_t)(hit - p));
            p = start ? start + 1 : p;
        }
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        if (!stop) stop = end;
        size_t n = (size_t)(stop - p);
        if (line_matches(p, n)) {
            line += count_lines(counted, p);
            counted = p;
            found(line, p, n && p[n - 1] == '\r' ? n - 1 : n);
        }
        p = stop + 1;
    }
}

static void look_through(int fd)
{
    size_t have = 0;
    uint32_t line = 1;
    bool is_first = true, is_skipping = false;
    while (!is_over()) {
        ssize_t n = read(fd, block + have, sizeof block - have);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) board->unread++;
        if (n <= 0) break;
        size_t look = (size_t)n > LOOKED_AT ? LOOKED_AT : (size_t)n;
        if (is_first && memchr(block, 0, look)) {
            board->binary++;
            return;
        }
        is_first = false;
        have += (size_t)n;
        char *last = memrchr(block, '\n', have);
        if (!last && have < sizeof block) continue;
        char *end = last ? last + 1 : block + have;
        char *from = block;
        if (is_skipping) { /* the rest of a line that was looked at */
            char *stop = memchr(block, '\n', have);
            from = stop ? stop + 1 : end;
            line += stop != NULL;
        }
        look_at(from, end, line);
        line += count_lines(from, end);
        is_skipping = !last;
        have = (size_t)(block + have - end);
        memmove(block, end, have);
    }
    if (have && !is_skipping) look_at(block, block + have, line);
    board->files++;
}

/* ---- files and directories ---- */

static bool is_wanted(const char *name)
{
    if (!*quest->glob) return true;
    return glob_matches(quest->glob, strchr(quest->glob, '/') ? path + below : name);
}

static void look_at_file(int dir, const char *name)
{
    struct stat st;
    if (!is_wanted(name)) return;
    if (!*quest->pattern) {
        board->files++;
        found(0, NULL, 0);
        return;
    }
    int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > KEPT_BYTES)
        board->unread++;
    else
        look_through(fd);
    close_fd(&fd);
}

static unsigned char type_of(int dir, const struct name *n)
{
    struct stat st;
    if (n->type != DT_UNKNOWN) return n->type;
    return fstatat(dir, n->s, &st, AT_SYMLINK_NOFOLLOW) == 0 ? IFTODT(st.st_mode) : DT_UNKNOWN;
}

static void walk(int at, int depth)
{
    struct names_read all = {NULL, 0, 0};
    DIR *dir = at < 0 ? NULL : fdopendir(at);
    if (!dir) {
        close_fd(&at);
        board->unread++;
        return;
    }
    names_read(dir, &all);
    size_t n = strlen(path);
    for (uint32_t i = 0; i < all.count && !is_over(); i++) {
        const char *name = all.item[i].s;
        size_t length = strlen(name), slash = n > 0;
        unsigned char type = type_of(at, &all.item[i]);
        if (type != DT_REG && (type != DT_DIR || strcmp(name, ".git") == 0)) continue;
        if (n + slash + length >= sizeof path || depth == DEPTH) {
            board->unread++;
            continue;
        }
        path[n] = '/';
        memcpy(path + n + slash, name, length + 1);
        if (type == DT_REG)
            look_at_file(at, name);
        else
            walk(openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), depth + 1);
        path[n] = 0;
    }
    names_free(&all);
    closedir(dir);
}

/* Of a text every byte that an expression reads otherwise gets a backslash. */
static void quote(const char *text, char to[2 * PATTERN_BYTES + 1])
{
    for (; *text; text++) {
        if (strchr(".[]()*+?{}|^$\\", *text)) *to++ = '\\';
        *to++ = *text;
    }
    *to = 0;
}

/* Answers false when it cannot be read. */
static bool prepare(void)
{
    static char quoted[2 * PATTERN_BYTES + 1];
    const struct quest *q = quest;
    needs_expression = *q->pattern && !(q->is_literal && !q->ignores_case);
    if (!needs_expression) {
        memcpy(needle, q->pattern, sizeof needle);
    } else {
        setlocale(LC_CTYPE, "C.UTF-8");
        if (q->is_literal) quote(q->pattern, quoted);
        int flags = REG_EXTENDED | (q->ignores_case ? REG_ICASE : 0);
        int error = regcomp(&expression, q->is_literal ? quoted : q->pattern, flags);
        if (error) {
            regerror(error, &expression, board->fault, sizeof board->fault);
            return false;
        }
        if (!q->ignores_case) needle_of(q->pattern, needle, sizeof needle);
    }
    needle_bytes = strlen(needle);
    return true;
}

void seek(const struct quest *q)
{
    quest = q;
    board = q->board;
    if (!prepare()) return;
    memcpy(path, q->path, sizeof path);
    size_t n = strlen(path);
    if (q->is_file) {
        const char *slash = strrchr(path, '/');
        below = slash ? (size_t)(slash + 1 - path) : 0;
        look_at_file(q->at, q->name);
    } else {
        below = n ? n + 1 : 0;
        walk(q->at, 0);
    }
    if (!is_over()) board->ending = CELL_SEARCH_ENDING_WHOLE;
}
