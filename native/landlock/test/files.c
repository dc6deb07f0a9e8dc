/* Reads and writes beneath the workspace, and no other. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../src/sha256.h"
#include "checks.h"

static struct asked a;

static struct cell_end *start(const char *name)
{
    return cell_start(shared_super(), &(struct want){.name = name});
}

static uint16_t sent(struct cell_end *c)
{
    CHECK(hear(c, ask_send(&a, c), 20000));
    return code_of(c);
}

static char *in(struct cell_end *c, const char *name) { return fmt("%s/%s", c->workspace, name); }

static void digest_of(const char *text, uint8_t digest[32])
{
    struct sha256 s;
    sha256_begin(&s);
    sha256_add(&s, text, strlen(text));
    sha256_end(&s, digest);
}

/* 68–70, P10 */
void a_write_is_whole_and_keeps_the_mode(void)
{
    struct cell_end *c = start("write");
    char text[200];
    CHECK(try_write(c, "f", "one\n") == 0);
    struct zap_obj file = cell_outcome_files_at(cell_outcome_files(cell_reply_outcome(c->last)), 0);
    CHECK(cell_file_outcome_mode(file) == 0644 && cell_file_outcome_created(file));
    CHECK(cell_file_outcome_size_bytes(file) == 4);
    uint8_t digest[32];
    digest_of("one\n", digest);
    CHECK(memcmp(cell_file_outcome_digest(file), digest, 32) == 0);
    chmod(in(c, "f"), 0755);
    struct stat before, after;
    stat(in(c, "f"), &before);
    CHECK(try_write(c, "f", "two\n") == 0);
    stat(in(c, "f"), &after);
    CHECK((after.st_mode & 07777) == 0755 && before.st_ino != after.st_ino);
    CHECK(try_read(c, "f", text, sizeof text) == 0 && strcmp(text, "two\n") == 0);
    /* A file of two names keeps both; a link stays a link. */
    CHECK(link(in(c, "f"), in(c, "g")) == 0 && symlink("f", in(c, "s")) == 0);
    CHECK(try_write(c, "s", "three\n") == 0);
    CHECK(strcmp(get_file(in(c, "g")), "three\n") == 0, "%s", get_file(in(c, "g")));
    CHECK(lstat(in(c, "s"), &after) == 0 && S_ISLNK(after.st_mode));
    CHECK(lstat(in(c, "f"), &after) == 0 && after.st_nlink == 2 && (after.st_mode & 07777) == 0755);
    /* Nothing is left beside. */
    CHECK(strcmp(run(c, "ls -A | tr '\\n' ' '").out, "f g s ") == 0, "%s", run(c, "ls -A").out);
}

static uint16_t write_expecting(struct cell_end *c, const char *path, const char *data,
                                const uint8_t *expected)
{
    ask_begin(&a, c, CELL_OP_WRITE, 0);
    uint32_t at = cell_request_new_write(&a.w, a.root);
    cell_write_set_path(&a.w, at, path, strlen(path));
    cell_write_set_has(&a.w, at, 2);
    cell_write_set_data(&a.w, at, data, strlen(data));
    cell_write_set_expected(&a.w, at, expected);
    cell_write_set_parents(&a.w, at, true);
    return sent(c);
}

/* E23 */
void a_write_can_name_what_it_replaces(void)
{
    static const uint8_t nothing[32];
    uint8_t digest[32];
    struct cell_end *c = start("expected");
    CHECK(write_expecting(c, "a/b/f", "one", nothing) == 0);
    CHECK(write_expecting(c, "a/b/f", "two", nothing) == CELL_REFUSAL_EXISTS);
    digest_of("one", digest);
    CHECK(write_expecting(c, "a/b/f", "two", digest) == 0);
    CHECK(write_expecting(c, "a/b/f", "three", digest) == CELL_REFUSAL_CONFLICT);
    CHECK(write_expecting(c, "a/b/g", "x", digest) == CELL_REFUSAL_CONFLICT);
    CHECK(strcmp(get_file(in(c, "a/b/f")), "two") == 0);
}

/* 74, 75, E3, E11, E22 */
void no_spelling_leads_out(void)
{
    static const char *const outside[] = {
        "../secret", "a/../../secret", "/etc/passwd", "out/secret", "outfile", "absolute", "inside",
        "out/../f", "dangling/x", "loop", "a/up/secret"};
    struct cell_end *c = start("paths");
    char text[200];
    put_file(fmt("%s/paths/secret", scratch), "secret");
    mkdir(in(c, "a"), 0755);
    put_file(in(c, "f"), "fine");
    CHECK(symlink("..", in(c, "out")) == 0 && symlink("../secret", in(c, "outfile")) == 0);
    CHECK(symlink("/etc/passwd", in(c, "absolute")) == 0 && symlink(in(c, "f"), in(c, "inside")) == 0);
    CHECK(symlink("../nowhere", in(c, "dangling")) == 0 && symlink("loop", in(c, "loop")) == 0);
    CHECK(symlink("../..", in(c, "a/up")) == 0 && symlink("../f", in(c, "a/good")) == 0);
    for (size_t i = 0; i < COUNT(outside); i++) {
        uint16_t read = try_read(c, outside[i], text, sizeof text);
        uint16_t wrote = try_write(c, outside[i], "evil");
        CHECK(read == CELL_REFUSAL_OUTSIDE, "read %s: %d", outside[i], read);
        CHECK(wrote == CELL_REFUSAL_OUTSIDE, "write %s: %d", outside[i], wrote);
        CHECK(run_how(c, "true", (struct how){.cwd = outside[i]}).is_refused, "%s", outside[i]);
    }
    CHECK(strcmp(get_file(fmt("%s/paths/secret", scratch)), "secret") == 0);
    CHECK(access(fmt("%s/paths/nowhere", scratch), F_OK) != 0);
    CHECK(strcmp(get_file(in(c, "f")), "fine") == 0);
    CHECK(try_read(c, "a/../f", text, sizeof text) == 0 && strcmp(text, "fine") == 0);
    CHECK(try_read(c, "a/good", text, sizeof text) == 0 && strcmp(text, "fine") == 0);
    CHECK(try_write(c, "a/good", "better") == 0 && strcmp(get_file(in(c, "f")), "better") == 0);
    mkfifo(in(c, "fifo"), 0644);
    CHECK(try_read(c, "fifo", text, sizeof text) == CELL_REFUSAL_NOT_REGULAR);
    CHECK(try_write(c, "fifo", "x") == CELL_REFUSAL_NOT_REGULAR);
    CHECK(try_read(c, "a", text, sizeof text) == CELL_REFUSAL_NOT_REGULAR);
    CHECK(try_read(c, "nothing", text, sizeof text) == CELL_REFUSAL_NOT_FOUND);
    CHECK(try_read(c, "f/x", text, sizeof text) == CELL_REFUSAL_NOT_DIRECTORY);
}

/* E3: the link is swapped while it is read and written. */
void a_link_swapped_in_a_race_never_leads_out(void)
{
    struct cell_end *c = start("race");
    char text[200];
    int stolen = 0, fine = 0;
    put_file(fmt("%s/race/secret", scratch), "secret");
    put_file(in(c, "f"), "fine");
    uint64_t request = exec_send(c, "for i in $(seq 600); do ln -sfn f l; ln -sfn ../secret l; done",
                                 (struct how){0});
    for (int i = 0; i < 3000; i++) {
        if (try_read(c, "l", text, sizeof text) == 0) {
            stolen += strcmp(text, "secret") == 0;
            fine++;
        }
        if (i % 10 == 0) try_write(c, "l", "fine");
    }
    (void)request;
    CHECK(stolen == 0 && strcmp(get_file(fmt("%s/race/secret", scratch)), "secret") == 0);
    CHECK(fine > 0);
}

/* 72, 73 */
void reads_are_by_range(void)
{
    struct cell_end *c = start("range");
    char text[200];
    CHECK(run(c, "head -c 200000 /dev/zero > big; printf 0123456789 > ten").exit == 0);
    CHECK(try_read(c, "big", text, sizeof text) == CELL_REFUSAL_TOO_LARGE);
    struct {
        const char *path;
        uint64_t offset;
        uint32_t length, code, bytes;
    } cases[] = {{"big", 100000, 98304, 0, 98304}, {"big", 150000, 0, 0, 50000},
                 {"ten", 3, 4, 0, 4},              {"ten", 10, 5, 0, 0},
                 {"ten", 11, 1, CELL_REFUSAL_PAST_END, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        ask_begin(&a, c, CELL_OP_READ, 0);
        uint32_t at = cell_request_new_read(&a.w, a.root);
        cell_read_set_path(&a.w, at, cases[i].path, strlen(cases[i].path));
        cell_read_set_offset(&a.w, at, cases[i].offset);
        cell_read_set_length(&a.w, at, cases[i].length);
        cell_read_set_whole_digest(&a.w, at, true);
        CHECK(sent(c) == cases[i].code, "case %zu: %d", i, code_of(c));
        struct zap_obj r = cell_reply_read(c->last);
        CHECK(cell_read_result_data(r).len == cases[i].bytes, "case %zu", i);
        if (i != 2) continue;
        uint8_t digest[32];
        digest_of("0123456789", digest);
        CHECK(memcmp(cell_read_result_digest(r), digest, 32) == 0);
        CHECK(memcmp(cell_read_result_data(r).at, "3456", 4) == 0);
    }
}

/* 77 */
void a_directory_of_4096_is_walked_by_pages(void)
{
    struct cell_end *c = start("list");
    CHECK(run(c, "mkdir d; cd d; seq -f 'name-%05g' 4096 | xargs touch; mkdir sub; ln -s x link").exit == 0);
    uint32_t seen = 0, pages = 0;
    char last[64] = "";
    for (;; pages++) {
        ask_begin(&a, c, CELL_OP_LIST, 0);
        uint32_t at = cell_request_new_list(&a.w, a.root);
        cell_list_set_path(&a.w, at, "d", 1);
        cell_list_set_offset(&a.w, at, seen);
        CHECK(sent(c) == 0);
        struct zap_obj r = cell_reply_list(c->last);
        struct zap_list l = cell_list_result_entries(r);
        CHECK(cell_list_result_total(r) == 4098, "%u", cell_list_result_total(r));
        for (uint32_t i = 0; i < l.count; i++) {
            struct zap_obj e = cell_list_result_entries_at(l, i);
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)cell_entry_name(e).len, cell_entry_name(e).at);
            CHECK(strcmp(last, name) < 0, "%s %s", last, name);
            if (strcmp(name, "link") == 0) CHECK(cell_entry_kind(e) == CELL_FILE_KIND_LINK);
            if (strcmp(name, "sub") == 0) CHECK(cell_entry_kind(e) == CELL_FILE_KIND_DIRECTORY);
            strcpy(last, name);
        }
        seen += l.count;
        if (l.count == 0) break;
    }
    CHECK(seen == 4098 && pages > 1, "%u in %u pages", seen, pages);
}

static uint16_t stage(struct cell_end *c, uint64_t action, const uint8_t digest[32], uint64_t size,
                      uint64_t offset, const void *p, size_t n)
{
    ask_begin(&a, c, CELL_OP_STAGE, action);
    uint32_t at = cell_request_new_stage(&a.w, a.root);
    uint32_t content = cell_stage_new_content(&a.w, at);
    cell_staged_set_digest(&a.w, content, digest);
    cell_staged_set_size_bytes(&a.w, content, size);
    cell_stage_set_offset(&a.w, at, offset);
    cell_stage_set_data(&a.w, at, p, n);
    return sent(c);
}

void what_is_larger_than_a_frame_is_staged_first(void)
{
    struct cell_end *c = start("stage");
    size_t size = 300000;
    uint8_t digest[32];
    char *data = calloc(1, size + 1);
    for (size_t i = 0; i < size; i++) data[i] = (char)('a' + i % 23);
    digest_of(data, digest);
    for (size_t at = 0; at < size; at += 98304) {
        size_t n = size - at < 98304 ? size - at : 98304;
        CHECK(stage(c, 50, digest, size, at, data + at, n) == 0);
        CHECK(stage(c, 50, digest, size, at, data + at, n) == 0, "a repeat");
    }
    CHECK(cell_stage_result_complete(cell_reply_stage(c->last)));
    ask_begin(&a, c, CELL_OP_WRITE, 50);
    uint32_t at = cell_request_new_write(&a.w, a.root);
    cell_write_set_path(&a.w, at, "f", 1);
    uint32_t content = cell_write_new_staged(&a.w, at);
    cell_staged_set_digest(&a.w, content, digest);
    cell_staged_set_size_bytes(&a.w, content, size);
    CHECK(sent(c) == 0);
    CHECK(strcmp(get_file(in(c, "f")), data) == 0);
    /* It was freed by that; as standard input it must come again. */
    for (int k = 0; k < 2; k++) {
        for (size_t from = 0; k && from < size; from += 98304)
            stage(c, 51, digest, size, from, data + from,
                  size - from < 98304 ? size - from : 98304);
        ask_begin(&a, c, CELL_OP_EXEC, 51);
        at = cell_request_new_exec(&a.w, a.root);
        cell_exec_set_command(&a.w, at, "wc -c", 5);
        content = cell_exec_new_staged(&a.w, at);
        cell_staged_set_digest(&a.w, content, digest);
        cell_staged_set_size_bytes(&a.w, content, size);
        struct result r = exec_result(c, ask_send(&a, c));
        if (k == 0) CHECK(r.code == CELL_REFUSAL_NOT_STAGED, "%d", r.code);
        if (k == 1) CHECK(strcmp(r.out, "300000\n") == 0, "%s", r.out);
    }
    CHECK(stage(c, 52, digest, 5, 0, "wrong", 5) == CELL_REFUSAL_DIGEST_MISMATCH);
    CHECK(stage(c, 52, digest, 1 << 30, 0, "x", 1) == CELL_REFUSAL_TOO_LARGE);
}

struct edit {
    uint16_t kind;
    const char *path, *target, *data;
};

static uint16_t apply(struct cell_end *c, const struct edit *edits, uint32_t n)
{
    ask_begin(&a, c, CELL_OP_APPLY, 0);
    uint32_t list = cell_apply_new_changes(&a.w, cell_request_new_apply(&a.w, a.root), n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = cell_apply_new_changes_at(&a.w, list, i);
        cell_change_set_kind(&a.w, at, edits[i].kind);
        cell_change_set_path(&a.w, at, edits[i].path, strlen(edits[i].path));
        if (edits[i].target)
            cell_change_set_target(&a.w, at, edits[i].target, strlen(edits[i].target));
        if (edits[i].data) cell_change_set_data(&a.w, at, edits[i].data, strlen(edits[i].data));
        cell_change_set_parents(&a.w, at, true);
    }
    return sent(c);
}

/* 78 */
void an_apply_does_all_or_nothing(void)
{
    enum { W = CELL_CHANGE_KIND_WRITE, R = CELL_CHANGE_KIND_REMOVE, M = CELL_CHANGE_KIND_RENAME };
    struct cell_end *c = start("apply");
    CHECK(run(c, "echo 1 > a; echo 2 > b; echo 3 > c; ln c c2; mkdir ro; ln -s a l").exit == 0);
    struct edit good[] = {{W, "a", 0, "one"}, {W, "new/x", 0, "x"}, {R, "b", 0, 0},
                          {M, "c2", "new/c3", 0}, {W, "c", 0, "three"}};
    CHECK(apply(c, good, COUNT(good)) == 0, "%d", code_of(c));
    CHECK(cell_outcome_files(cell_reply_outcome(c->last)).count == COUNT(good));
    CHECK(strcmp(run(c, "cat a new/x c new/c3; ls b c2 2>&1 | wc -l; ls -A | wc -l").out,
                 "onexthreethree2\n5\n") == 0, "%s", run(c, "cat a new/x c new/c3; ls -lA . new").out);
    struct edit bad[] = {{W, "a", 0, "evil"}, {W, "fresh", 0, "evil"}, {R, "c", 0, 0},
                         {M, "missing", "z", 0}};
    CHECK(apply(c, bad, COUNT(bad)) == CELL_REFUSAL_NOT_FOUND, "%d", code_of(c));
    /* The last of them fails when it is put in place: what went before is put back. */
    struct edit late[] = {{W, "a", 0, "evil"}, {W, "c", 0, "evil"}, {W, "fresh", 0, "evil"},
                          {R, "new/x", 0, 0}, {M, "new", "new/new", 0}};
    CHECK(apply(c, late, COUNT(late)) != 0);
    struct result r = run(c, "cat a c new/c3 new/x; ls -A | tr '\\n' ' '; ls -A new | tr '\\n' ' '");
    CHECK(strcmp(r.out, "onethreethreexa c l new ro c3 x ") == 0, "%s", r.out);
    struct edit twice[] = {{W, "a", 0, "x"}, {W, "./new/../a", 0, "y"}};
    CHECK(apply(c, twice, 2) == CELL_REFUSAL_INVALID);
    struct edit linked[] = {{W, "a", 0, "x"}, {W, "l", 0, "y"}};
    CHECK(apply(c, linked, 2) == CELL_REFUSAL_INVALID);
    struct edit out[] = {{W, "a", 0, "x"}, {W, "../y", 0, "y"}};
    CHECK(apply(c, out, 2) == CELL_REFUSAL_OUTSIDE);
    struct edit dir[] = {{R, "new", 0, 0}};
    CHECK(apply(c, dir, 1) == CELL_REFUSAL_NOT_REGULAR);
    CHECK(strcmp(run(c, "cat a").out, "one") == 0);
}

void removes_renames_and_directories(void)
{
    struct cell_end *c = start("remove");
    CHECK(run(c, "mkdir -p d/e/f; touch d/e/f/g x; ln -s d/e l").exit == 0);
    struct {
        uint16_t op, code;
        const char *path, *target;
        bool flag;
    } steps[] = {{CELL_OP_REMOVE, CELL_REFUSAL_NOT_EMPTY, "d", 0, false},
                 {CELL_OP_RENAME, CELL_REFUSAL_EXISTS, "x", "d/e/f/g", false},
                 {CELL_OP_RENAME, 0, "x", "d/e/f/g", true},
                 {CELL_OP_REMOVE, 0, "l", 0, true},
                 {CELL_OP_MKDIR, CELL_REFUSAL_EXISTS, "d", 0, false},
                 {CELL_OP_MKDIR, 0, "d", 0, true},
                 {CELL_OP_MKDIR, 0, "n/m", 0, true},
                 {CELL_OP_REMOVE, 0, "d", 0, true},
                 {CELL_OP_REMOVE, CELL_REFUSAL_NOT_FOUND, "d", 0, true},
                 {CELL_OP_REMOVE, 0, "n/m", 0, false},
                 {CELL_OP_REMOVE, CELL_REFUSAL_NOT_REGULAR, ".", 0, true},
                 {CELL_OP_REMOVE, CELL_REFUSAL_NOT_REGULAR, "n/..", 0, true}};
    for (size_t i = 0; i < COUNT(steps); i++) {
        ask_begin(&a, c, steps[i].op, 0);
        const char *p = steps[i].path;
        if (steps[i].op == CELL_OP_REMOVE) {
            uint32_t at = cell_request_new_remove(&a.w, a.root);
            cell_remove_set_path(&a.w, at, p, strlen(p));
            cell_remove_set_recursive(&a.w, at, steps[i].flag);
        } else if (steps[i].op == CELL_OP_RENAME) {
            uint32_t at = cell_request_new_rename(&a.w, a.root);
            cell_rename_set_path(&a.w, at, p, strlen(p));
            cell_rename_set_target(&a.w, at, steps[i].target, strlen(steps[i].target));
            cell_rename_set_replace(&a.w, at, steps[i].flag);
        } else {
            uint32_t at = cell_request_new_mkdir(&a.w, a.root);
            cell_mkdir_set_path(&a.w, at, p, strlen(p));
            cell_mkdir_set_parents(&a.w, at, steps[i].flag);
        }
        CHECK(sent(c) == steps[i].code, "step %zu: %d", i, code_of(c));
    }
    CHECK(strcmp(run(c, "ls -A").out, "n\n") == 0, "%s", run(c, "ls -A").out);
}

/* 71, E12 */
void what_a_killed_daemon_left_beside_files_is_swept_and_nothing_else(void)
{
    struct want w = {.name = "sweep"};
    struct cell_end *c = cell_start(shared_super(), &w);
    CHECK(try_write(c, "d", "x") == 0);
    super_order(shared_super(), SUPERVISOR_OP_KILL, "sweep", 0);
    put_file(in(c, ".cell-aabbcc-1"), "left over");
    put_file(in(c, ".cell-user"), "the user's");
    int fd = open(fmt("%s/sweep/spool/staged-names", scratch), O_WRONLY | O_APPEND | O_CREAT, 0600);
    CHECK(write(fd, ".cell-aabbcc-1\0../secret\0", 25) == 25);
    close(fd);
    put_file(fmt("%s/sweep/secret", scratch), "x");
    c = cell_start(shared_super(), &w);
    CHECK(strcmp(run(c, "ls -A | tr '\\n' ' '").out, ".cell-user d ") == 0, "%s", run(c, "ls -A").out);
    CHECK(access(fmt("%s/sweep/secret", scratch), F_OK) == 0);
}

void a_read_only_workspace_stays_as_it_is(void)
{
    make_dirs(fmt("%s/ro/ws", scratch), 0755);
    put_file(fmt("%s/ro/ws/f", scratch), "as it is");
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "ro", .read_only = true});
    char text[100];
    CHECK(try_read(c, "f", text, sizeof text) == 0 && strcmp(text, "as it is") == 0);
    CHECK(try_write(c, "f", "x") == CELL_REFUSAL_DENIED);
    CHECK(run(c, "echo x > f").exit != 0 && run(c, "rm f").exit != 0 && run(c, "touch g").exit != 0);
    CHECK(run(c, "echo x > $HOME/f && echo x > $TMPDIR/f").exit == 0);
    CHECK(strcmp(get_file(fmt("%s/ro/ws/f", scratch)), "as it is") == 0);
}
