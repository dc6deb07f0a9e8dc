/* Hooks and configuration of the workspace's repository, where no read-only mount protects them:
 * what they were is remembered before a command and put back after it, and a repository that a
 * command makes is looked through. With a mount namespace this is for repositories that were made
 * after the cell began; the others are protected by mounts. */
#ifndef GUARD_H
#define GUARD_H

#include "daemon.h"

void guard_init(void);
void guard_remember(void); /* when no command is running */
/* Puts back what differs; answers how many paths, and their names by guard_reverted(i). */
uint32_t guard_restore(void);
const char *guard_reverted(uint32_t i);

/* Whether the daemon itself must refuse to change this name. */
bool guard_forbids(int dir, const char *name);

#endif
