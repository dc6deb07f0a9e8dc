/* Starting a cell: the supervisor's side, and the order of the layers inside. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "cell.h"

struct launch {
    const struct spec *spec;
    enum variant variant;
    int abi;
    bool is_probe; /* go through all of it, tell what is in force, and end */
    int host, control, journal, spool; /* cell ends; the caller closes its copies after */
};

struct launched {
    pid_t pid;
    int pidfd;
    int status; /* end of file: it stands; a sentence: it failed */
};

/* Makes the directories of the spec and opens spool and journal. */
bool launch_prepare(struct spec *s, int *spool, int *journal, struct text *why);
bool launch_start(const struct launch *l, struct launched *to, struct text *why);

/* control messages, supervisor to daemon */
enum { CONTROL_ADOPT = 1, CONTROL_ORPHANED = 2, CONTROL_KILL = 3 };
struct control {
    uint32_t kind;
    uint32_t zero;
    uint64_t value; /* adopt: epoch, with the new descriptor; orphaned: grace in ms */
};

/* The daemon, as the first process of its cell; does not return. */
void daemon_run(struct cell *c) __attribute__((noreturn));

#endif
