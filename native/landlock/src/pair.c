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
    return packet_send_with(socket, p, n, &fd, fd >= 0 ? 1 : 0);
}

int packet_send_with(int socket, const void *p, size_t n, const int *fds, size_t count)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {(void *)p, n};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (count) {
        memset(&control, 0, sizeof control);
        m.msg_control = &control;
        m.msg_controllen = CMSG_SPACE(count * sizeof(int));
        control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
    }
    for (;;) {
        if (sendmsg(socket, &m, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) return 0;
        if (errno != EINTR) return errno;
    }
}

ssize_t packet_receive(int socket, void *p, size_t cap, int *fd)
{
    return packet_receive_with(socket, p, cap, fd, 1);
}

ssize_t packet_receive_with(int socket, void *p, size_t cap, int *fds, size_t count)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    } control;
    struct iovec part = {p, cap};
    struct msghdr m = {.msg_iov = &part,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control.space};
    size_t taken = 0;
    for (size_t i = 0; i < count; i++) fds[i] = -1;
    ssize_t n;
    do n = recvmsg(socket, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC | MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n < 0) return n;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        int got[MOST_DESCRIPTORS];
        size_t come = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(got, CMSG_DATA(c), come * sizeof(int));
        for (size_t i = 0; i < come; i++) {
            if (taken < count)
                fds[taken++] = got[i];
            else
                close(got[i]);
        }
    }
    return n;
}
