#include "pair.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PASS_RIGHTS 83 /* SO_PASSRIGHTS, Linux 6.16 */
enum { SEND_BYTES = 512 << 10 };

bool pair_make(int pair[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return false;
    int size = SEND_BYTES, none = 0;
    for (int i = 0; i < 2; i++) setsockopt(pair[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    setsockopt(pair[0], SOL_SOCKET, PASS_RIGHTS, &none, sizeof none);
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    return true;
}

void pair_fence(int *host_end)
{
    char byte;
    if (*host_end < 0) return;
    shutdown(*host_end, SHUT_RDWR);
    while (recv(*host_end, &byte, 1, MSG_DONTWAIT) > 0) continue;
    close_fd(host_end);
}

int packet_send(int socket, const void *p, size_t n, int fd)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {(void *)p, n};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0) {
        memset(&control, 0, sizeof control);
        m.msg_control = &control;
        m.msg_controllen = sizeof control.space;
        control.head.cmsg_len = CMSG_LEN(sizeof(int));
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
    }
    for (;;) {
        if (sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return 0;
        if (errno != EINTR) return errno;
    }
}

ssize_t packet_receive(int socket, void *p, size_t cap, int *fd)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(4 * sizeof(int))];
    } control;
    struct iovec part = {p, cap};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control.space};
    *fd = -1;
    ssize_t n;
    do n = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC | MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n < 0) return n;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        int got[4];
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(got, CMSG_DATA(c), count * sizeof(int));
        for (size_t i = 0; i < count; i++) {
            if (*fd < 0)
                *fd = got[i];
            else
                close(got[i]);
        }
    }
    return n;
}
