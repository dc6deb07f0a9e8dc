/* The processes below one: found by /proc, for a command may leave its session and its group, but
 * as long as its minder lives its orphans come back to the minder. `proc` is a descriptor of a /proc
 * that shows them. */
#ifndef TREE_H
#define TREE_H

#include "base.h"

/* Living ones below `top`, itself not counted. */
uint32_t tree_count(int proc, pid_t top);

/* Kills them and answers how many; those for which `spares` holds are left alone, with all below
 * them. One pass: what is born meanwhile needs another. */
uint32_t tree_kill(int proc, pid_t top, bool (*spares)(pid_t));

/* The first of a process and those above it for which `is` holds, or 0. */
pid_t tree_ancestor(int proc, pid_t pid, bool (*is)(pid_t));

#endif
