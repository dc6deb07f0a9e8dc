/* Watches of directories: what happens, put together, within bounds, for one connection. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks.h"

static struct asked a;

static uint64_t watch_start_of(struct cell_end *c, const char *path)
{
    ask_begin(&a, c, CELL_OP_WATCH, 0);
    cell_watch_set_path(&a.w, cell_request_new_watch(&a.w, a.root), path, strlen(path));
    CHECK(hear(c, ask_send(&a, c), 10000));
    return code_of(c) ? 0 : cell_watch_result_handle(cell_reply_watch(c->last));
}

static uint16_t about(struct cell_end *c, uint16_t op, uint64_t handle)
{
    ask_begin(&a, c, op, handle);
    if (op == CELL_OP_CREDIT)
        cell_credit_set_bytes(&a.w, cell_request_new_credit(&a.w, a.root), 1);
    else
        cell_request_new_kill(&a.w, a.root);
    CHECK(hear(c, ask_send(&a, c), 10000));
    return code_of(c);
}

/* "name:cwar " of the next push, with "rescan" or "ended" behind. */
static const char *told(struct cell_end *c, uint64_t handle, int millis)
{
    static char text[20000];
    size_t n = 0;
    if (!hear(c, 0, millis)) return "silence";
    if (cell_reply_kind(c->last) != CELL_REPLY_KIND_PUSH || cell_reply_action(c->last) != handle)
        return "something else";
    struct zap_obj o = cell_reply_changes(c->last);
    struct zap_list all = cell_changes_entries(o);
    *text = 0;
    for (uint32_t i = 0; i < all.count && n < sizeof text - 300; i++) {
        struct zap_obj e = cell_changes_entries_at(all, i);
        struct zap_run name = cell_changed_name(e);
        n += (size_t)snprintf(text + n, sizeof text - n, "%.*s:%s%s%s%s ", (int)name.len,
                              (const char *)name.at, cell_changed_created(e) ? "c" : "",
                              cell_changed_written(e) ? "w" : "", cell_changed_attributes(e) ? "a" : "",
                              cell_changed_removed(e) ? "r" : "");
    }
    snprintf(text + n, sizeof text - n, "%s%s", cell_changes_rescan(o) ? "rescan" : "",
             cell_changes_ended(o) ? "ended" : "");
    return text;
}

#define TOLD(c, handle, what)                                                                      \
    do {                                                                                           \
        const char *t = told(c, handle, 10000);                                                    \
        CHECK(strcmp(t, what) == 0, "%s", t);                                                       \
    } while (0)

static struct cell_end *start(const char *name)
{
    return cell_start(shared_super(), &(struct want){.name = name});
}

static void nap(int millis) { CHECK(usleep((unsigned)millis * 1000) == 0); }

/* 81 */
void a_watch_tells_of_names_and_closes_once(void)
{
    struct cell_end *c = start("watch");
    run(c, "mkdir d; ln -s d l; echo x > d/old; mkdir d/deep");
    uint64_t h = watch_start_of(c, "l");
    struct zap_run where = cell_watch_result_path(cell_reply_watch(c->last));
    CHECK(h >> 63 && where.len == 1 && *where.at == 'd');
    CHECK(cell_watch_result_directory(cell_reply_watch(c->last)));
    put_file(fmt("%s/d/new", c->workspace), "x");
    TOLD(c, h, "new:cw ");
    CHECK(cell_changes_sequence(cell_reply_changes(c->last)) == 1);
    /* Nothing without credit, and then all of it at once, each name once. */
    chmod(fmt("%s/d/new", c->workspace), 0600);
    rename(fmt("%s/d/old", c->workspace), fmt("%s/d/older", c->workspace));
    put_file(fmt("%s/d/deep/unseen", c->workspace), "x");
    CHECK(!hear(c, 0, 300), "no push without credit");
    CHECK(about(c, CELL_OP_CREDIT, h) == 0);
    TOLD(c, h, "new:a old:r older:c ");
    CHECK(about(c, CELL_OP_KILL, h) == 0 && about(c, CELL_OP_KILL, h) == CELL_REFUSAL_NOT_RUNNING);
    CHECK(about(c, CELL_OP_CREDIT, h) == CELL_REFUSAL_NOT_RUNNING);
    put_file(fmt("%s/d/after", c->workspace), "x");
    CHECK(!hear(c, 0, 200), "closed");
    CHECK(watch_start_of(c, "d") == h + 1);
}

void a_watch_of_a_file_tells_of_its_name_alone(void)
{
    struct cell_end *c = start("watch-file");
    put_file(fmt("%s/f", c->workspace), "1");
    uint64_t h = watch_start_of(c, "f"), all = watch_start_of(c, ".");
    CHECK(h && all == h + 1);
    put_file(fmt("%s/g", c->workspace), "2");
    TOLD(c, all, "g:cw ");
    put_file(fmt("%s/f.new", c->workspace), "3");
    rename(fmt("%s/f.new", c->workspace), fmt("%s/f", c->workspace));
    TOLD(c, h, "f:c ");
    /* Both look at the same directory: one ends, the other goes on. */
    CHECK(about(c, CELL_OP_KILL, all) == 0 && about(c, CELL_OP_CREDIT, h) == 0);
    unlink(fmt("%s/f", c->workspace));
    TOLD(c, h, "f:r ");
}

void a_watch_that_cannot_keep_up_says_rescan(void)
{
    struct cell_end *c = start("watch-many");
    run(c, "mkdir d e gone");
    uint64_t h = watch_start_of(c, "d");
    put_file(fmt("%s/d/first", c->workspace), "x");
    TOLD(c, h, "first:cw ");
    for (int i = 0; i < 300; i++) put_file(fmt("%s/d/%d", c->workspace, i), "x");
    nap(100); /* all of it has been put together by now */
    CHECK(about(c, CELL_OP_CREDIT, h) == 0);
    TOLD(c, h, "rescan");
    put_file(fmt("%s/d/0", c->workspace), "y");
    CHECK(about(c, CELL_OP_CREDIT, h) == 0);
    TOLD(c, h, "0:w ");
    uint64_t moved = watch_start_of(c, "e"), gone = watch_start_of(c, "gone");
    rename(fmt("%s/e", c->workspace), fmt("%s/e2", c->workspace));
    TOLD(c, moved, "ended");
    CHECK(about(c, CELL_OP_KILL, moved) == CELL_REFUSAL_NOT_RUNNING);
    rmdir(fmt("%s/gone", c->workspace));
    TOLD(c, gone, "ended");
    CHECK(about(c, CELL_OP_KILL, gone) == CELL_REFUSAL_NOT_RUNNING);
    for (int i = 0; i < 63; i++) CHECK(watch_start_of(c, "d") != 0);
    CHECK(!watch_start_of(c, "d") && code_of(c) == CELL_REFUSAL_BUSY);
}

void a_watch_stays_within_the_workspace_and_its_connection(void)
{
    struct super *s = super_start("watch-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "w"});
    run(c, "mkdir d; ln -s /etc out; mkfifo fifo");
    static const char *const outside[] = {"..", "/etc", "out", "d/../../x"};
    for (size_t i = 0; i < COUNT(outside); i++)
        CHECK(!watch_start_of(c, outside[i]) && code_of(c) == CELL_REFUSAL_OUTSIDE, "%s", outside[i]);
    CHECK(!watch_start_of(c, "none") && code_of(c) == CELL_REFUSAL_NOT_FOUND);
    CHECK(watch_start_of(c, "fifo"), "of a FIFO only its name is looked at");
    uint64_t h = watch_start_of(c, "d");
    CHECK(h != 0);
    close(c->fd);
    super_connect(s);
    CHECK(super_adopt(s, "w", 2, &c->fd) == SUPERVISOR_REPLY_KIND_ADOPTED);
    c->epoch = 2;
    CHECK(hear(c, 0, 5000) && cell_reply_op(c->last) == CELL_OP_HELLO);
    put_file(fmt("%s/d/x", c->workspace), "x");
    nap(100);
    CHECK(about(c, CELL_OP_KILL, h) == CELL_REFUSAL_NOT_RUNNING);
    CHECK(watch_start_of(c, "d") > h, "a handle is never used again");
    super_stop(s);
}
