/* What every part needs: sentences, whole reads and writes, clocks, calls that libc lacks. */
#ifndef BASE_H
#define BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A sentence for a person, or empty. Never longer than this, cut if need be. */
struct text {
    char s[512];
};

/* Sets it and answers false, so that a failure is one statement. */
bool say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Allocation that ends the process when there is no memory: nothing here can go on without. */
void *grab(size_t n);
void *regrab(void *p, size_t n);
char *copy_string(const void *p, size_t n);
char *join(const char *a, const char *b);

int64_t now_millis(void);      /* monotonic */
int64_t wall_millis(void);     /* since 1970 */
bool write_all(int fd, const void *p, size_t n);
bool write_file(const char *path, const char *s);
ssize_t read_file(const char *path, char *buf, size_t cap); /* NUL-terminated; -1 on error */
bool make_dirs(const char *path, mode_t mode);             /* mkdir -p */
bool is_beneath(const char *path, const char *dir);        /* equal counts */

/* Makes the pages that will be written next the process's own and present, so that it need not stop
 * for each when it is in a hurry. After a fork they are shared. */
void touch_memory(void);

int sys_close_range(unsigned from, unsigned to);
int sys_pidfd_open(pid_t pid);
int sys_pidfd_kill(int pidfd, int signal);
/* A sixth argument that openat2(2) does not have: the filter knows by it whether the daemon asks. */
extern uint64_t open_key;
int open_beneath(int dir, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve);
void close_fd(int *fd);

#endif
