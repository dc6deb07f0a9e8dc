/* Starting a cell: the supervisor's side, and the order of the layers inside. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "cell.h"

struct launch {
    const struct spec *spec; /* NULL: all that needs none of it is built, then one is waited for */
    uid_t uid;
    gid_t gid;
    const char *base; /* a directory of ours, where the cell's root is mounted at first */
    enum variant variant;
    int abi;
    bool is_probe;      /* go through all of it, tell what is in force, and end */
    int journal, spool; /* -1 without a spec; the caller closes its copies after */
};

/* Our ends of a cell that is being built. */
struct launched {
    pid_t pid;
    int pidfd;
    int status;        /* end of file: it stands; a sentence: it failed */
    int host, control; /* the host's end of the pair, and where orders are sent */
    int go;            /* of one that waits for its spec; else -1 */
};

/* Makes the directories of the spec and opens spool and journal. */
bool launch_prepare(struct spec *s, int *spool, int *journal, struct text *why);
bool launch_start(const struct launch *l, struct launched *to, struct text *why);
void launched_close(struct launched *l); /* all of its descriptors */

/* Gives one that waits for it its spec. On false it is of no use any more. */
bool launch_give(struct launched *l, const struct spec *s, int journal, int spool);

/* control messages, supervisor to daemon */
enum { CONTROL_ADOPT = 1, CONTROL_ORPHANED = 2, CONTROL_KILL = 3, CONTROL_NETWORK = 4 };
struct control {
    uint32_t kind;
    uint32_t zero;
    uint64_t value; /* adopt: epoch, with the new descriptor; orphaned: grace in ms; network: nothing,
                     * with the new descriptor */
};

/* The daemon, as the first process of its cell. What needs no spec comes first; daemon_run does not
 * return. */
void daemon_prepare(struct cell *c);
void daemon_run(struct cell *c) __attribute__((noreturn));

#endif
