/* The pair between host and daemon, and packets with descriptors. */
#ifndef PAIR_H
#define PAIR_H

#include "base.h"

/* pair[0] is the host's end (non-blocking, accepts no descriptors), pair[1] the cell's. */
bool pair_make(int pair[2]);

/* Ends the old pair for whoever holds it: nothing more goes in, what is queued is thrown away. */
void pair_fence(int *host_end);

enum { MOST_DESCRIPTORS = 4 };

/* Answers 0, or an errno. fd -1: none goes along. */
int packet_send(int socket, const void *p, size_t n, int fd);
int packet_send_with(int socket, const void *p, size_t n, const int *fds, size_t count);

/* The packet's true length (0: end of file, -1: errno); *fd is -1 when none came. More than were
 * asked for are closed. */
ssize_t packet_receive(int socket, void *p, size_t cap, int *fd);
ssize_t packet_receive_with(int socket, void *p, size_t cap, int *fds, size_t count);

#endif
