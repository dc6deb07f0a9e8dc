/* One cell being built, and then the daemon's own facts. Lives in the cell's first process. */
#ifndef CELL_H
#define CELL_H

#include "spec.h"

/* Descriptors of the cell's first process, the same in every cell. */
enum {
    FD_HOST = 3,    /* requests: the cell end of the pair */
    FD_CONTROL = 4, /* the supervisor */
    FD_JOURNAL = 5, /* outcomes */
    FD_SPOOL = 6,   /* directory of what commands print */
    FD_STATUS = 7,  /* to the supervisor until the cell stands: a sentence means it failed */
    FD_GO = 8,      /* from the supervisor: the ids are mapped */
    FD_FIRST_FREE = 9
};

/* Landlock: for the daemon once, then one more for each command. */
enum domain { DOMAIN_DAEMON, DOMAIN_COMMAND };

/* How much a cell is kept apart: which of the ways the machine allows. */
enum variant { WITHOUT_NAMESPACES, PLAIN_NAMESPACES, USER_NAMESPACES };

/* Names of what is in force (or, in `missing`, is not), as hello and selftest show them. */
struct names {
    char *item[48];
    uint32_t count;
};

void name_add(struct names *n, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct cell {
    const struct spec *spec;
    enum variant variant;
    int abi;         /* Landlock's */
    int proc;        /* descriptor of a /proc that hides nothing from the daemon, or -1 */
    int workspace;   /* descriptor */
    int domains[2];  /* Landlock rulesets, by enum domain; every command enters the second */
    int refusals;    /* descriptor on which seccomp tells of refused calls, or -1 */
    bool has_pid_limit; /* of DEFAULT_PROCESSES */
    char *tmp;       /* as commands see it */
    char user[40];   /* its name */
    struct names layers, missing;
};

static inline bool has_namespaces(const struct cell *c) { return c->variant != WITHOUT_NAMESPACES; }

#endif
