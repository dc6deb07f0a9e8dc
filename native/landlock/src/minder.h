/* A minder and its command until the command execs, in the daemon's own memory: to copy that, page
 * by page, would take longer than most commands do. */
#ifndef MINDER_H
#define MINDER_H

#include "run.h"

enum { STACK_BYTES = 16 << 10 };

/* What both need; made and freed by the daemon (ready.c). */
struct room {
    struct room *next;
    pid_t minder;
    int theirs[4];          /* ends of go, stdout, stderr, report */
    struct command command; /* written before it is told to go */
    volatile bool is_left;  /* the command has memory of its own, or is dead */
    _Alignas(16) uint8_t minder_stack[STACK_BYTES];
    _Alignas(16) uint8_t command_stack[STACK_BYTES];
};

/* The first function of a minder. Its room is its argument. */
void minder_run(void *room);

#endif
