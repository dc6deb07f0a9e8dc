/* The effects on files: one change or many, all or nothing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change.h"
#include "guard.h"

enum { MOST_CHANGES = 1024, MOST_DEPTH = 512 };

struct batch {
    struct change *change;
    struct content *content;
    uint32_t count, prepared, committed;
};

static bool same_place(const struct place *a, const struct place *b)
{
    struct stat x, y;
    return strcmp(a->name, b->name) == 0 && fstat(a->dir, &x) == 0 && fstat(b->dir, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Under whatever spelling. */
static bool is_twice(const struct batch *b, uint32_t i)
{
    const struct change *c = &b->change[i];
    for (uint32_t k = 0; k < i; k++) {
        const struct change *d = &b->change[k];
        if (same_place(&c->place, &d->place) ||
            (d->target.dir >= 0 && same_place(&c->place, &d->target)) ||
            (c->target.dir >= 0 && same_place(&c->target, &d->place)) ||
            (c->target.dir >= 0 && d->target.dir >= 0 && same_place(&c->target, &d->target)))
            return true;
    }
    return false;
}

static bool take_place(struct change *c, struct zap_run path, struct zap_run target,
                       struct failure *f)
{
    bool follow = c->kind == CELL_CHANGE_KIND_WRITE;
    c->place.dir = c->target.dir = -1;
    if (!path_take(path, c->path, &f->code, &f->why) ||
        !place_find(c->path, follow, c->parents, &c->place, &f->code, &f->why))
        return false;
    errno = EBUSY; /* protected */
    if (guard_forbids(c->place.dir, c->place.name)) return refused_path(f, c->path);
    if (c->kind != CELL_CHANGE_KIND_RENAME) return true;
    char to[PATH_BYTES];
    if (!path_take(target, to, &f->code, &f->why) ||
        !place_find(to, false, c->parents, &c->target, &f->code, &f->why))
        return false;
    errno = EBUSY;
    return !guard_forbids(c->target.dir, c->target.name) || refused_path(f, to);
}

static void undo_all(struct batch *b, struct failure *f)
{
    bool ok = true;
    for (uint32_t i = b->prepared; i-- > 0;) ok = change_undo(&b->change[i]) && ok;
    if (ok) return;
    struct text before = f->why;
    say(&f->why, "%.300s; and what was changed before it could not be put back", before.s);
}

static bool run_all(struct batch *b, struct failure *f)
{
    for (uint32_t i = 0; i < b->count; i++) {
        b->prepared = i + 1;
        if (!change_prepare(&b->change[i], &b->content[i], f)) {
            undo_all(b, f);
            return false;
        }
    }
    for (uint32_t i = 0; i < b->count; i++)
        if (!change_commit(&b->change[i], f)) {
            undo_all(b, f);
            return false;
        }
    for (uint32_t i = 0; i < b->count; i++) change_finish(&b->change[i]);
    return true;
}

static void put_files(struct zap_out *w, uint32_t outcome, const struct batch *b)
{
    uint32_t list = cell_outcome_new_files(w, outcome, b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct change *c = &b->change[i];
        const struct place *p = c->kind == CELL_CHANGE_KIND_RENAME ? &c->target : &c->place;
        uint32_t at = cell_outcome_new_files_at(w, list, i);
        struct stat st;
        if (c->kind == CELL_CHANGE_KIND_REMOVE ||
            fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        cell_file_outcome_set_mode(w, at, st.st_mode & 07777);
        cell_file_outcome_set_created(w, at, !c->replaces);
        if (c->kind != CELL_CHANGE_KIND_WRITE) continue;
        cell_file_outcome_set_digest(w, at, c->digest);
        cell_file_outcome_set_size_bytes(w, at, c->size);
    }
}

static bool left_changed(const struct batch *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (b->change[i].is_done) return true;
    return false;
}

/* A batch that failed and was put back is refused; one that could not be put back is an outcome. */
static void settle(struct effect *e, struct batch *b, bool ok, const struct failure *f)
{
    struct reply r;
    if (!ok && !left_changed(b)) {
        effect_refuse(e, f->code, "%s", f->why.s);
    } else {
        uint32_t at = outcome_begin(&r, e);
        if (!ok) {
            cell_outcome_set_failure(&r.w, at, f->code);
            cell_outcome_set_message(&r.w, at, f->why.s, strlen(f->why.s));
        }
        put_files(&r.w, at, b);
        outcome_end(&r, e);
    }
    for (uint32_t i = 0; i < b->count; i++) change_close(&b->change[i]);
    free(b->change);
    free(b->content);
}

static struct batch batch_of(uint32_t count)
{
    struct batch b = {.count = count};
    b.change = grab(sizeof *b.change * count);
    b.content = grab(sizeof *b.content * count);
    for (uint32_t i = 0; i < count; i++) b.change[i].place.dir = b.change[i].target.dir = -1;
    return b;
}

static void run_one(struct effect *e, struct batch *b, struct zap_run path, struct zap_run target)
{
    struct failure f = {0, {""}};
    bool ok = take_place(b->change, path, target, &f) && run_all(b, &f);
    settle(e, b, ok, &f);
}

void do_write(const struct request *q)
{
    static const struct zap_run none;
    struct zap_obj o = cell_request_write(q->o);
    struct effect *e = effect_admit(q);
    if (!e) return;
    struct batch b = batch_of(1);
    struct change *c = b.change;
    c->kind = CELL_CHANGE_KIND_WRITE;
    c->has_mode = cell_write_has(o) & 1;
    c->mode = cell_write_mode(o);
    c->has_expected = cell_write_has(o) & 2;
    c->expected = cell_write_expected(o);
    c->parents = cell_write_parents(o);
    b.content[0] = (struct content){cell_write_data(o), cell_write_staged(o)};
    run_one(e, &b, cell_write_path(o), none);
}

void do_rename(const struct request *q)
{
    struct zap_obj o = cell_request_rename(q->o);
    struct effect *e = effect_admit(q);
    if (!e) return;
    struct batch b = batch_of(1);
    struct change *c = b.change;
    c->kind = CELL_CHANGE_KIND_RENAME;
    c->has_expected = cell_rename_has(o) & 1;
    c->expected = cell_rename_expected(o);
    c->allow_replace = cell_rename_replace(o);
    run_one(e, &b, cell_rename_path(o), cell_rename_target(o));
}

void do_mkdir(const struct request *q)
{
    static const struct zap_run none;
    struct zap_obj o = cell_request_mkdir(q->o);
    struct effect *e = effect_admit(q);
    if (!e) return;
    struct batch b = batch_of(1);
    struct change *c = b.change;
    c->kind = CELL_CHANGE_KIND_MKDIR;
    c->has_mode = cell_mkdir_has(o) & 1;
    c->mode = cell_mkdir_mode(o);
    c->parents = cell_mkdir_parents(o);
    run_one(e, &b, cell_mkdir_path(o), none);
}

static void take_change(struct batch *b, uint32_t i, struct zap_obj o)
{
    struct change *c = &b->change[i];
    c->kind = cell_change_kind(o);
    c->has_mode = cell_change_has(o) & 1;
    c->mode = cell_change_mode(o);
    c->has_expected = cell_change_has(o) & 2;
    c->expected = cell_change_expected(o);
    c->parents = cell_change_parents(o);
    b->content[i] = (struct content){cell_change_data(o), cell_change_staged(o)};
}

void do_apply(const struct request *q)
{
    struct zap_list l = cell_apply_changes(cell_request_apply(q->o));
    struct effect *e = effect_admit(q);
    if (!e) return;
    if (l.count == 0 || l.count > MOST_CHANGES) {
        effect_refuse(e, CELL_REFUSAL_INVALID, "apply takes 1 to %d changes", MOST_CHANGES);
        return;
    }
    struct batch b = batch_of(l.count);
    struct failure f = {0, {""}};
    bool ok = true;
    for (uint32_t i = 0; ok && i < l.count; i++) {
        struct zap_obj o = cell_apply_changes_at(l, i);
        take_change(&b, i, o);
        ok = take_place(&b.change[i], cell_change_path(o), cell_change_target(o), &f);
        if (ok && is_twice(&b, i)) {
            f.code = CELL_REFUSAL_INVALID;
            ok = say(&f.why, "%.300s is named twice", b.change[i].path);
        }
    }
    ok = ok && run_all(&b, &f);
    settle(e, &b, ok, &f);
}

/* ---- remove, which may take a whole tree ---- */

static bool remove_tree(int dir, const char *name, int depth)
{
    if (unlinkat(dir, name, 0) == 0) return true;
    if (errno != EISDIR && errno != EPERM) return false;
    if (unlinkat(dir, name, AT_REMOVEDIR) == 0) return true;
    if (errno != ENOTEMPTY && errno != EEXIST) return false;
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 || depth > MOST_DEPTH ? NULL : fdopendir(fd);
    if (!d) {
        close_fd(&fd);
        return false;
    }
    bool ok = true;
    for (struct dirent *e; ok && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ok = remove_tree(fd, e->d_name, depth + 1);
    int error = errno;
    closedir(d);
    errno = error;
    return ok && unlinkat(dir, name, AT_REMOVEDIR) == 0;
}

static void remove_dir(struct effect *e, const struct change *c, bool recursive)
{
    struct reply r;
    struct failure f;
    bool ok = recursive ? remove_tree(c->place.dir, c->place.name, 0)
                        : unlinkat(c->place.dir, c->place.name, AT_REMOVEDIR) == 0;
    if (!ok) refused_path(&f, c->path);
    if (!ok && !recursive) {
        effect_refuse(e, f.code, "%s", f.why.s);
        return;
    }
    uint32_t at = outcome_begin(&r, e);
    if (!ok) {
        cell_outcome_set_failure(&r.w, at, f.code);
        cell_outcome_set_message(&r.w, at, f.why.s, strlen(f.why.s));
    }
    outcome_end(&r, e);
}

void do_remove(const struct request *q)
{
    static const struct zap_run none;
    struct zap_obj o = cell_request_remove(q->o);
    struct effect *e = effect_admit(q);
    if (!e) return;
    struct batch b = batch_of(1);
    struct change *c = b.change;
    struct failure f = {0, {""}};
    struct stat st;
    c->kind = CELL_CHANGE_KIND_REMOVE;
    c->has_expected = cell_remove_has(o) & 1;
    c->expected = cell_remove_expected(o);
    bool ok = take_place(c, cell_remove_path(o), none, &f);
    if (ok && !c->has_expected &&
        fstatat(c->place.dir, c->place.name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode)) {
        remove_dir(e, c, cell_remove_recursive(o));
        change_close(c);
        free(b.change);
        free(b.content);
        return;
    }
    settle(e, &b, ok && run_all(&b, &f), &f);
}
