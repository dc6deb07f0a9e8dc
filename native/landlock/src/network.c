/* A cell has a network of its own with nothing in it but loopback. */
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"

bool network_up(struct text *why)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    bool ok = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    if (!ok) say(why, "the cell's loopback cannot be brought up: %s", strerror(errno));
    close_fd(&fd);
    return ok;
}
