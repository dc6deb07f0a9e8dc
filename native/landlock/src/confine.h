/* The layers of a cell. Each part answers false with a sentence when a required thing cannot be
 * had; what is only better is put on the cell's list of layers, or on its list of what is missing.
 * launch.c calls them in the one right order. */
#ifndef CONFINE_H
#define CONFINE_H

#include "cell.h"

/* mounts.c: the root a cell sees. First what is the same for every cell: the system, /etc, /dev,
 * /proc. Then, with a spec, workspace, home, extra paths and what it says of /tmp. */
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
bool tmpfs_resize(const char *at, uint64_t bytes, const char *mode);

/* The filter stands before the last mounts are made: those say its key as one argument more. */
extern uint64_t mount_key;
int keyed_mount(const char *from, const char *to, const char *type, unsigned long flags, const char *options);
int keyed_umount(const char *at); /* lazily */

/* network.c: the cell's own loopback. */
bool network_up(struct text *why);

/* drop.c */
bool drop_gains(struct text *why); /* of capabilities by exec; those that are held stay */
bool drop_ids_and_capabilities(struct cell *c, struct text *why);
bool no_new_privileges(struct text *why);
void command_limits(const struct limits *l); /* exits 125 when one cannot be set; without libc's state */

/* landlock.c: both rulesets. First what is the same for every cell. */
int landlock_abi(void);
bool landlock_begin(struct cell *c, struct text *why);
bool landlock_finish(const struct cell *c, struct text *why);
bool landlock_enter(int ruleset, struct text *why);

/* filter.c */
bool filter_enter(struct cell *c, struct text *why);
const char *filter_name(uint32_t arch, int number); /* of a call that is refused */
int filter_error(uint32_t arch, int number);        /* with what; 0: its caller is killed */

#endif
