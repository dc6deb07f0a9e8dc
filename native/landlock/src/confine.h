/* The layers of a cell. Each part answers false with a sentence when a required thing cannot be
 * had; what is only better is put on the cell's list of layers, or on its list of what is missing.
 * launch.c calls them in the one right order. */
#ifndef CONFINE_H
#define CONFINE_H

#include "cell.h"

/* mounts.c: the root a cell sees. First what is the same for every cell: the system, /etc, /dev,
 * /proc. Then, with a spec, /tmp, workspace, home and extra paths. */
bool mounts_begin(struct cell *c, uid_t uid, const char *base, struct text *why);
bool mounts_finish(struct cell *c, struct text *why);

/* paths_plain.c: home and tmp without a mount namespace. */
bool paths_prepare_plain(struct cell *c, struct text *why);

/* etc.c: the few files of /etc that tools need; `old` is where the machine's root is. */
bool etc_is_toolchain(const char *name); /* an entry of /etc that a toolchain needs */
bool etc_share(const char *old, struct text *why);
void etc_user(const char *old, uid_t uid, char *to, size_t cap); /* its name, or "cell" */
bool etc_users(const struct cell *c, struct text *why);         /* passwd and group */

/* bind.c: mounts `from` at `to`, which is made when missing. */
enum bind_mode { BIND_WRITABLE, BIND_READ_ONLY, BIND_DEVICE };
bool bind_at(const char *from, const char *to, enum bind_mode mode);
bool mount_set_read_only(const char *at);
bool tmpfs_at(const char *to, uint64_t bytes, const char *mode);

/* network.c: the cell's own loopback. */
bool network_up(struct text *why);

/* drop.c */
bool drop_gains(struct text *why); /* of capabilities by exec; those that are held stay */
bool drop_ids_and_capabilities(struct cell *c, struct text *why);
bool no_new_privileges(struct text *why);
void command_limits(const struct limits *l); /* exits 125 when one cannot be set; without libc's state */

/* landlock.c: for the daemon once, then one more domain for each command. */
enum domain { DOMAIN_DAEMON, DOMAIN_COMMAND };
int landlock_abi(void);
bool landlock_rulesets(const struct cell *c, int to[2], struct text *why); /* by enum domain */
bool landlock_enter(int ruleset, struct text *why);

/* filter.c */
bool filter_enter(struct cell *c, struct text *why);
const char *filter_name(int number); /* of a call that is refused */
int filter_error(int number);        /* with what */

#endif
