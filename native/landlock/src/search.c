/* A search from request to answer; see search.h. */
#include "search.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"

enum {
    DEFAULT_LIMIT = 200,
    DEFAULT_MILLIS = 30000,
    MOST_MILLIS = 120000,
    AT_ONCE = 4, /* further ones wait their turn */
    MEMORY_BYTES = 256 << 20,
};

struct search {
    struct quest *quest; /* until it begins */
    pid_t pid;           /* 0: it has not begun */
    uint64_t number, action;
    uint32_t millis;
    struct board *board;
    struct timer deadline;
    bool is_late;
    struct search *next;
};

static struct search *searches; /* in the order in which they came */

static void free_quest(struct search *s)
{
    if (s->quest) close_fd(&s->quest->at);
    free(s->quest);
    s->quest = NULL;
}

static void free_search(struct search *s)
{
    free_quest(s);
    for (struct search **p = &searches; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    timer_stop(&s->deadline);
    if (s->board) munmap(s->board, sizeof *s->board);
    free(s);
}

/* ---- the answer ---- */

/* What stands at `at` of the board, or false: a searcher may have written anything. */
static bool match_at(const struct board *b, uint32_t *at, struct found *f, const uint8_t **bytes)
{
    if (*at > sizeof b->bytes || sizeof b->bytes - *at < sizeof *f) return false;
    memcpy(f, b->bytes + *at, sizeof *f);
    if (f->path >= PATH_BYTES || f->text > TEXT_BYTES ||
        sizeof b->bytes - *at - sizeof *f < (size_t)f->path + f->text)
        return false;
    *bytes = b->bytes + *at + sizeof *f;
    *at += (uint32_t)sizeof *f + f->path + f->text;
    return true;
}

static void answer(struct search *s)
{
    static struct board b; /* as it is now, whatever is written to it meanwhile */
    struct reply r;
    struct found f;
    const uint8_t *bytes;
    uint32_t at = 0, count = 0;
    memcpy(&b, s->board, sizeof b);
    while (count < b.count && count < MOST_MATCHES && match_at(&b, &at, &f, &bytes)) count++;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, CELL_OP_SEARCH, s->number, s->action);
    uint32_t result = cell_reply_new_search(&r.w, r.root);
    uint32_t list = cell_search_result_new_matches(&r.w, result, count);
    at = 0;
    for (uint32_t i = 0; i < count && match_at(&b, &at, &f, &bytes); i++) {
        uint32_t one = cell_search_result_new_matches_at(&r.w, list, i);
        cell_match_set_path(&r.w, one, bytes, f.path);
        cell_match_set_line(&r.w, one, f.line);
        cell_match_set_text(&r.w, one, bytes + f.path, f.text);
        cell_match_set_cut(&r.w, one, f.cut != 0);
    }
    bool is_whole = b.ending == CELL_SEARCH_ENDING_LIMIT || b.ending == CELL_SEARCH_ENDING_BYTES;
    cell_search_result_set_ending(&r.w, result,
                                  s->is_late ? CELL_SEARCH_ENDING_TIMED_OUT
                                  : is_whole ? (uint16_t)b.ending
                                             : CELL_SEARCH_ENDING_WHOLE);
    cell_search_result_set_files(&r.w, result, b.files);
    cell_search_result_set_binary(&r.w, result, b.binary);
    cell_search_result_set_unread(&r.w, result, b.unread);
    if (zap_end(&r.w))
        reply_send(&r);
    else
        refuse_number(s->number, s->action, CELL_OP_SEARCH, CELL_REFUSAL_IO,
                      "the search gave more than an answer can hold");
}

static void refuse_search(const struct search *s, uint16_t code, const char *message)
{
    refuse_number(s->number, s->action, CELL_OP_SEARCH, code, message);
}

static void begin_next(void);

bool search_child_gone(pid_t pid, int status)
{
    struct search *s = searches;
    while (s && s->pid != pid) s = s->next;
    if (!s) return false; /* its connection has ended, perhaps */
    struct text why;
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    s->board->fault[sizeof s->board->fault - 1] = 0;
    if (ended && *s->board->fault) {
        say(&why, "the pattern cannot be read: %s", s->board->fault);
        refuse_search(s, CELL_REFUSAL_INVALID, why.s);
    } else if (ended || s->is_late) {
        answer(s);
    } else {
        refuse_search(s, CELL_REFUSAL_RESOURCES,
                      "the search came to an end of its own: make the pattern simpler");
    }
    free_search(s);
    begin_next();
    return true;
}

void search_reset(void)
{
    while (searches) {
        if (searches->pid) kill(searches->pid, SIGKILL);
        free_search(searches); /* its end is nobody's then */
    }
}

static void on_deadline(struct timer *t)
{
    struct search *s = t->owner;
    s->is_late = true;
    kill(s->pid, SIGKILL);
}

/* ---- the start ---- */

static void become_searcher(struct quest *quest) __attribute__((noreturn));

static void become_searcher(struct quest *quest)
{
    const struct cell *cell = the_daemon.cell;
    struct rlimit memory = {MEMORY_BYTES, MEMORY_BYTES};
    signals_for_command();
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    command_limits(&cell->spec->limits);
    if (cell->spec->limits.memory > MEMORY_BYTES && setrlimit(RLIMIT_DATA, &memory) != 0) _exit(125);
    if (syscall(SYS_landlock_restrict_self, cell->domains[DOMAIN_COMMAND], 0) != 0) _exit(125);
    quest->at = dup3(quest->at, FD_HOST, O_CLOEXEC);
    if (quest->at < 0) _exit(125);
    sys_close_range(FD_HOST + 1, ~0u);
    seek(quest);
    _exit(0);
}

/* The place to look at; answers false when the request is refused. */
static bool open_place(const struct request *q, const char *asked, struct quest *quest)
{
    struct stat st;
    uint16_t code = CELL_REFUSAL_NOT_REGULAR;
    struct text why;
    int fd = path_open(asked, O_PATH);
    bool ok = fd >= 0 && fstat(fd, &st) == 0;
    close_fd(&fd);
    if (!ok) return path_failed(asked, &code, &why) || (refuse(q, code, "%s", why.s), false);
    if (S_ISDIR(st.st_mode)) {
        quest->at = path_open(asked, O_RDONLY | O_DIRECTORY);
        ok = quest->at >= 0 || path_failed(asked, &code, &why);
    } else if (S_ISREG(st.st_mode)) {
        struct place p;
        ok = place_find(asked, true, false, &p, &code, &why);
        quest->is_file = true;
        if (ok) {
            quest->at = p.dir;
            memcpy(quest->name, p.name, sizeof quest->name);
        }
    } else {
        ok = say(&why, "%.300s is neither a file nor a directory", asked);
    }
    if (!ok) refuse(q, code, "%s", why.s);
    return ok;
}

static bool take_text(const struct request *q, const char *what, struct zap_run r, char *to, size_t cap)
{
    if (r.len >= cap || (r.len && (memchr(r.at, 0, r.len) || memchr(r.at, '\n', r.len)))) {
        refuse(q, CELL_REFUSAL_INVALID, "a %s is one line of at most %zu bytes", what, cap - 1);
        return false;
    }
    if (r.len) memcpy(to, r.at, r.len);
    to[r.len] = 0;
    return true;
}

/* Without what leads nowhere: "./a/" is told as "a". */
static void tidy(const char *asked, char to[PATH_BYTES])
{
    while (asked[0] == '.' && asked[1] == '/') {
        asked += 2;
        while (*asked == '/') asked++;
    }
    size_t n = strlen(asked);
    while (n && asked[n - 1] == '/') n--;
    if (n == 1 && *asked == '.') n = 0;
    memcpy(to, asked, n);
    to[n] = 0;
}

static bool build(const struct request *q, struct zap_obj o, struct quest *quest)
{
    char asked[PATH_BYTES];
    uint16_t code;
    struct text why;
    uint32_t limit = cell_search_limit(o);
    if (!take_text(q, "pattern", cell_search_pattern(o), quest->pattern, sizeof quest->pattern) ||
        !take_text(q, "glob", cell_search_glob(o), quest->glob, sizeof quest->glob))
        return false;
    if (limit > MOST_MATCHES || cell_search_timeout_millis(o) > MOST_MILLIS) {
        refuse(q, CELL_REFUSAL_INVALID, "a search gives at most %d matches within %d ms", MOST_MATCHES,
               MOST_MILLIS);
        return false;
    }
    quest->limit = limit ? limit : DEFAULT_LIMIT;
    quest->is_literal = cell_search_literal(o);
    quest->ignores_case = cell_search_ignore_case(o);
    if (!path_take(cell_search_path(o), asked, &code, &why)) {
        refuse(q, code, "%s", why.s);
        return false;
    }
    tidy(asked, quest->path);
    return open_place(q, asked, quest);
}

/* Answers false and errno when there is no process to be had. */
static bool begin(struct search *s)
{
    void *board = mmap(NULL, sizeof *s->board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED) return false;
    s->board = s->quest->board = board;
    s->pid = fork();
    if (s->pid == 0) become_searcher(s->quest);
    if (s->pid < 0) return false;
    free_quest(s);
    timer_start(&s->deadline, s->millis, on_deadline, s);
    return true;
}

static void begin_next(void)
{
    uint32_t running = 0;
    for (struct search *s = searches; s; s = s->next) running += s->pid > 0;
    for (struct search *s = searches, *next; s && running < AT_ONCE; s = next) {
        next = s->next;
        if (s->pid) continue;
        if (begin(s)) {
            running++;
            continue;
        }
        refuse_search(s, CELL_REFUSAL_RESOURCES, "no process can be started for the search: try again");
        free_search(s);
    }
}

void do_search(const struct request *q)
{
    struct zap_obj o = cell_request_search(q->o);
    uint32_t millis = cell_search_timeout_millis(o), count = 0;
    struct search **last = &searches;
    for (; *last; last = &(*last)->next) count++;
    if (count >= WINDOW) {
        refuse(q, CELL_REFUSAL_BUSY, "%d searches are running or wait", WINDOW);
        return;
    }
    struct search *s = grab(sizeof *s);
    s->quest = grab(sizeof *s->quest);
    s->quest->at = -1;
    s->number = q->number;
    s->action = q->action;
    s->millis = millis ? millis : DEFAULT_MILLIS;
    *last = s;
    if (build(q, o, s->quest))
        begin_next();
    else
        free_search(s);
}
