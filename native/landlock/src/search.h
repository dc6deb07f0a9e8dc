/* Looking for lines or files. The daemon starts a searcher for each request: a process of its own, in
 * the domain of a command, so that neither a hostile expression nor a hostile tree holds up or
 * reaches the daemon. Both share a board; nothing that stands on it is trusted. */
#ifndef SEARCH_H
#define SEARCH_H

#include "paths.h"

enum {
    PATTERN_BYTES = 4096,
    TEXT_BYTES = 512, /* of a line that is told */
    MOST_MATCHES = 2000,
};

struct board {
    uint32_t ending; /* CELL_SEARCH_ENDING_*; 0: it has not come to an end */
    uint32_t files, binary, unread;
    uint32_t count, used; /* matches, and their bytes */
    char fault[200];      /* the expression cannot be read: why */
    uint8_t bytes[CHUNK_BYTES];
};

/* On the board, before the bytes of path and text. */
struct found {
    uint32_t line, path, text, cut;
};

struct quest {
    int at; /* the directory, or the one that the file is in */
    bool is_file;
    char name[NAME_BYTES]; /* of the file, with all links followed */
    char path[PATH_BYTES]; /* as asked; "" is the workspace */
    char pattern[PATTERN_BYTES + 1], glob[PATH_BYTES];
    bool is_literal, ignores_case;
    uint32_t limit;
    struct board *board;
};

/* seek.c: all of the searcher's work. */
void seek(const struct quest *q);

/* glob.c: * and ? stop at a '/', ** does not; [...]; {a,b}; \ before any of these. */
bool glob_matches(const char *glob, const char *s);

/* needle.c: what every line that matches the extended expression must hold, or "". */
void needle_of(const char *expression, char *to, size_t cap);

#endif
