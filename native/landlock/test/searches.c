/* Searching: lines and files, in order and within bounds. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/search.h"
#include "checks.h"

static struct asked a;

struct looked {
    uint16_t code, ending;
    uint32_t count, files, binary, unread;
    char lines[60000]; /* path:line:text, one a line */
};

struct ask {
    const char *path, *pattern, *glob;
    uint32_t limit, millis;
    bool is_literal, ignores_case;
};

static uint64_t search_send(struct cell_end *c, struct ask w)
{
    ask_begin(&a, c, CELL_OP_SEARCH, 0);
    uint32_t at = cell_request_new_search(&a.w, a.root);
    if (w.path) cell_search_set_path(&a.w, at, w.path, strlen(w.path));
    if (w.pattern) cell_search_set_pattern(&a.w, at, w.pattern, strlen(w.pattern));
    if (w.glob) cell_search_set_glob(&a.w, at, w.glob, strlen(w.glob));
    cell_search_set_limit(&a.w, at, w.limit);
    cell_search_set_timeout_millis(&a.w, at, w.millis);
    cell_search_set_literal(&a.w, at, w.is_literal);
    cell_search_set_ignore_case(&a.w, at, w.ignores_case);
    return ask_send(&a, c);
}

static struct looked *looked(struct cell_end *c)
{
    static struct looked l;
    memset(&l, 0, sizeof l);
    l.code = code_of(c);
    if (l.code) return &l;
    struct zap_obj o = cell_reply_search(c->last);
    struct zap_list all = cell_search_result_matches(o);
    l.ending = cell_search_result_ending(o);
    l.files = cell_search_result_files(o);
    l.binary = cell_search_result_binary(o);
    l.unread = cell_search_result_unread(o);
    l.count = all.count;
    size_t n = 0;
    for (uint32_t i = 0; i < all.count && n < sizeof l.lines - 5000; i++) {
        struct zap_obj m = cell_search_result_matches_at(all, i);
        struct zap_run path = cell_match_path(m), text = cell_match_text(m);
        n += (size_t)snprintf(l.lines + n, sizeof l.lines - n, "%.*s:%u:%.*s%s\n", (int)path.len,
                              (const char *)path.at, cell_match_line(m), (int)text.len,
                              (const char *)text.at, cell_match_cut(m) ? "…" : "");
    }
    return &l;
}

static struct looked *look(struct cell_end *c, struct ask w)
{
    CHECK(hear(c, search_send(c, w), 60000));
    return looked(c);
}

#define FINDS(c, text, ...)                                                                        \
    do {                                                                                           \
        struct looked *l = look(c, (struct ask){__VA_ARGS__});                                     \
        CHECK(l->code == 0 && strcmp(l->lines, text) == 0, "%u: %s", l->code, l->lines);            \
    } while (0)

static struct cell_end *start(const char *name)
{
    return cell_start(shared_super(), &(struct want){.name = name});
}

void a_search_gives_lines_in_the_order_of_names(void)
{
    struct cell_end *c = start("search");
    run(c, "mkdir -p b/c .git .hid; printf 'one\\ntwo foo\\nfoo' > b/x.c; printf 'foo\\r\\n' > b/c/y.h;"
           "echo foo > .git/z; echo foo > .hid/q; echo 'a.b' > a; echo 'acb' >> a; printf 'FOO Foo\\n' > B");
    FINDS(c, ".hid/q:1:foo\nb/c/y.h:1:foo\nb/x.c:2:two foo\nb/x.c:3:foo\n", .pattern = "foo");
    FINDS(c, "b/x.c:3:foo\n", .pattern = "^foo$", .glob = "*.c");
    FINDS(c, "b/c/y.h:1:foo\n", .pattern = "f(o|x)+", .path = "./b//", .glob = "**/*.h");
    FINDS(c, "b/x.c:2:two foo\nb/x.c:3:foo\n", .pattern = "o{2}", .path = "b/x.c");
    FINDS(c, "a:1:a.b\n", .pattern = "a.b", .is_literal = true);
    FINDS(c, "a:1:a.b\na:2:acb\n", .pattern = "a.b");
    FINDS(c, "B:1:FOO Foo\n", .pattern = "FOO|nothing", .path = "B");
    FINDS(c, "B:1:FOO Foo\n", .pattern = "foo foo", .is_literal = true, .ignores_case = true);
    FINDS(c, "b/c/y.h:0:\nb/x.c:0:\n", .glob = "*.{c,h}");
    FINDS(c, "b/c/y.h:0:\n", .glob = "b/**/*.h");
    FINDS(c, "", .pattern = "nothing at all");
    FINDS(c, ".git/z:1:foo\n", .pattern = "foo", .path = ".git");
    struct looked *l = look(c, (struct ask){.pattern = "foo"});
    CHECK(l->ending == CELL_SEARCH_ENDING_WHOLE && l->files == 5, "%u files", l->files);
}

void a_search_meets_nothing_that_holds_it(void)
{
    struct cell_end *c = start("hostile");
    run(c, "mkdir d; mkfifo d/fifo; ln -s . d/loop; ln -s /etc/passwd d/out; ln -s ../d d/up;"
           "printf 'needle\\0' > d/binary; truncate -s 5G d/huge; echo needle > d/plain;"
           "head -c 3000000 /dev/zero | tr '\\0' x > d/long; echo needle >> d/long; echo needle >> d/long;"
           "echo needle > d/shut; chmod 000 d/shut; printf 'needle \\351\\n' > d/latin;"
           "printf 'needle\\n' > \"d/$(printf 'na\\377me')\"; ln -s d/plain link");
    struct looked *l = look(c, (struct ask){.pattern = "needle"});
    CHECK(l->code == 0 && l->ending == CELL_SEARCH_ENDING_WHOLE);
    CHECK(strcmp(l->lines, "d/latin:1:needle \351\nd/long:2:needle\nd/na\377me:1:needle\nd/plain:1:needle\n") == 0 ||
              geteuid() == 0, "%s", l->lines);
    CHECK(strstr(l->lines, "d/long:2:needle\n") && !strstr(l->lines, "binary"));
    CHECK(l->binary == 1 && l->unread >= 1, "%u %u", l->binary, l->unread);
    l = look(c, (struct ask){.pattern = "^x+$", .path = "d/long"});
    CHECK(l->count == 1 && strstr(l->lines, "…"), "%u", l->count);
    FINDS(c, "link:1:needle\n", .pattern = "needle", .path = "link");
    static const struct {
        const char *path;
        uint16_t code;
    } wrong[] = {{"../x", CELL_REFUSAL_OUTSIDE},    {"/etc", CELL_REFUSAL_OUTSIDE},
                 {"d/out", CELL_REFUSAL_OUTSIDE},   {"d/fifo", CELL_REFUSAL_NOT_REGULAR},
                 {"none", CELL_REFUSAL_NOT_FOUND},  {"d/plain/x", CELL_REFUSAL_NOT_DIRECTORY}};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        l = look(c, (struct ask){.pattern = "x", .path = wrong[i].path});
        CHECK(l->code == wrong[i].code, "%s: %u", wrong[i].path, l->code);
    }
    static const struct ask bad[] = {
        {.pattern = "a("}, {.pattern = "a\nb"}, {.pattern = "a", .limit = 2001},
        {.pattern = "a", .millis = 120001}};
    for (size_t i = 0; i < COUNT(bad); i++)
        CHECK(look(c, bad[i])->code == CELL_REFUSAL_INVALID, "%zu: %u", i, looked(c)->code);
    CHECK(strcmp(run(c, "echo on").out, "on\n") == 0);
}

void a_search_is_bounded(void)
{
    struct cell_end *c = start("bounds");
    run(c, "seq 5000 > many; mkdir deep; cd deep; i=0; while [ $i -lt 200 ]; do mkdir d; cd d; echo 77 > f;"
           "i=$((i+1)); done");
    struct looked *l = look(c, (struct ask){.pattern = "77", .path = "deep", .limit = 2000});
    CHECK(l->count == 127 && l->unread > 0, "%u %u", l->count, l->unread);
    l = look(c, (struct ask){.pattern = "7", .path = "many"});
    CHECK(l->count == 200 && l->ending == CELL_SEARCH_ENDING_LIMIT);
    l = look(c, (struct ask){.pattern = "^77*$", .path = "many", .limit = 3});
    CHECK(l->count == 3 && l->ending == CELL_SEARCH_ENDING_WHOLE, "%u", l->count);
    run(c, "yes long $(seq 100) | head -3000 > wide");
    l = look(c, (struct ask){.pattern = "long", .path = "wide", .limit = 2000});
    CHECK(l->ending == CELL_SEARCH_ENDING_BYTES && l->count > 200, "%u", l->count);
}

/* The daemon answers others meanwhile, and has its own memory. */
void a_search_that_takes_for_ever_ends_in_time(void)
{
    static const char hard[] = "(a*)*(a*)*\\1\\2[c]";
    struct super *s = super_start("slow-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "slow"});
    run(c, "echo a first > a; head -c 900000 /dev/zero | tr '\\0' a > z");
    uint64_t slow = search_send(c, (struct ask){.pattern = "first$|(a*)*(a*)*\\1\\2[c]", .millis = 700});
    ask_begin(&a, c, CELL_OP_STATUS, 1);
    CHECK(hear(c, ask_send(&a, c), 600), "the daemon is not held up");
    CHECK(hear(c, slow, 20000));
    struct looked *l = looked(c);
    CHECK((l->code == 0 && l->ending == CELL_SEARCH_ENDING_TIMED_OUT && l->count == 1) ||
              l->code == CELL_REFUSAL_RESOURCES, "%u %u %s", l->code, l->ending, l->lines);
    l = look(c, (struct ask){.pattern = "((((a{1,255}){1,255}){1,255}){1,255}){1,255}", .millis = 3000});
    CHECK(l->code == CELL_REFUSAL_RESOURCES || l->code == CELL_REFUSAL_INVALID ||
              l->ending == CELL_SEARCH_ENDING_TIMED_OUT, "%u %u", l->code, l->ending);
    /* What is too much is said at once, and all of it ends with its connection. */
    for (int i = 0; i < 65; i++) search_send(c, (struct ask){.pattern = hard, .path = "z", .millis = 60000});
    CHECK(hear(c, 0, 20000) && code_of(c) == CELL_REFUSAL_BUSY);
    close(c->fd);
    CHECK(super_adopt(s, "slow", 2, &c->fd) == SUPERVISOR_REPLY_KIND_ADOPTED);
    c->epoch = 2;
    CHECK(hear(c, 0, 5000) && cell_reply_op(c->last) == CELL_OP_HELLO);
    FINDS(c, "a:1:a first\n", .pattern = "first");
    super_stop(s);
}

void a_glob_means_what_it_says(void)
{
    static const struct {
        const char *glob, *text;
        bool matches;
    } all[] = {{"*.c", "a.c", true},        {"*.c", "d/a.c", false},     {"**/*.c", "a.c", true},
               {"**/*.c", "d/e/a.c", true}, {"d/**", "d/e/f", true},     {"d/**/f", "d/f", true},
               {"d/**/f", "d/e/g/f", true}, {"a?c", "abc", true},        {"a?c", "a/c", false},
               {"[a-c]x", "bx", true},      {"[!a-c]x", "bx", false},    {"[]x", "[]x", true},
               {"{a,b{c,d}}e", "bde", true}, {"{a,b}e", "ce", false},    {"\\*", "*", true},
               {"\\*", "x", false},         {"{a", "{a", true},          {"", "", true},
               {"**", "a/b", true},         {"*", "", true},             {"[", "[", true}};
    for (size_t i = 0; i < COUNT(all); i++)
        CHECK(glob_matches(all[i].glob, all[i].text) == all[i].matches, "%s of %s", all[i].glob, all[i].text);
}

void a_needle_is_in_every_line_that_matches(void)
{
    static const char *const all[][2] = {
        {"foo", "foo"},       {"a.*long word$", "long word"}, {"one|another", ""}, {"ab*cd", "cd"},
        {"ab+cd", "ab"},      {"(foo|x)bar", "bar"},          {"a\\.b\\(", "a.b("}, {"\\bword\\b", "word"},
        {"[abc]x", "x"},      {"x{2}y", "y"},                 {"[]|]z", "z"},      {"[[:alpha:]]|q", ""},
        {"\\<a\\>", "a"},     {"xy?", "x"},                   {"", ""},            {"a(b|c)*d(", "a"}};
    for (size_t i = 0; i < COUNT(all); i++) {
        char to[100];
        needle_of(all[i][0], to, sizeof to);
        CHECK(strcmp(to, all[i][1]) == 0, "%s gave %s", all[i][0], to);
    }
}
