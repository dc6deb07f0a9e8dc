/* Paths of requests: always beneath the workspace. */
#ifndef PATHS_H
#define PATHS_H

#include "daemon.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 256 };

/* Checks the string; "" becomes ".". */
bool path_take(struct zap_run r, char to[PATH_BYTES], uint16_t *code, struct text *why);

/* openat2 beneath the workspace; -1 and errno. */
int path_open(const char *path, uint64_t flags);

/* Where a name is kept: its directory, and the name in it. */
struct place {
    int dir;
    char name[NAME_BYTES];
};

/* The directory of the last part of `path`. With `follow`, a link there is followed, beneath, to
 * what it names, there or not. With `parents`, missing directories are made. */
bool place_find(const char *path, bool follow, bool parents, struct place *to, uint16_t *code,
                struct text *why);
void place_close(struct place *p);

/* Sets *code from errno, says it with the path in front, answers false. */
bool path_failed(const char *path, uint16_t *code, struct text *why);

#endif
