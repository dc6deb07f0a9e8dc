/* Changes to files: prepared beside their targets, then put in place by renames that can be undone
 * until the last one is done. A write, a removal or a rename alone is a list of one. */
#ifndef CHANGE_H
#define CHANGE_H

#include <sys/stat.h>

#include "paths.h"

struct change {
    uint16_t kind; /* CELL_CHANGE_KIND_* */
    char path[PATH_BYTES];
    struct place place, target; /* target: of a rename */
    char staged[64];            /* write: the new content; remove: where the old went; "" = none */
    char backup[64];            /* of a file with several names: its old content */
    bool has_mode, has_expected, parents, replaces, in_place, is_done, allow_replace;
    uint32_t mode;
    const uint8_t *expected;
    uint8_t digest[32]; /* of what is there now */
    uint64_t size;
    struct stat before;
};

/* What to write: bytes, or the stage's. */
struct content {
    struct zap_run data;
    struct zap_obj staged;
};

struct failure {
    uint16_t code;
    struct text why;
};

/* Checks and stages; nothing that anyone sees has changed but missing parents made. */
bool change_prepare(struct change *c, const struct content *content, struct failure *f);
bool change_commit(struct change *c, struct failure *f);
bool change_undo(struct change *c); /* after commit or prepare; false: it could not be undone */
void change_finish(struct change *c);  /* all is done: what was kept for undoing goes */
void change_close(struct change *c);

bool refused_path(struct failure *f, const char *path); /* from errno */

/* What an earlier daemon left beside targets when it was killed. */
void change_sweep(void);

#endif
