/* Linux calls that Swift's Glibc module lacks. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "include/CGPIO.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Clears the wake-up signal. Fails with ENODEV if one of the others is gone. */
static int outcome(const struct pollfd *polled, size_t count)
{
    uint64_t times;
    ssize_t result = read(polled[0].fd, &times, sizeof(times));

    if (result < 0 && errno != EAGAIN)
        return -1;
    for (size_t index = 0; index < count; index++) {
        if (polled[index].revents & (POLLERR | POLLHUP | POLLNVAL)) {
            errno = ENODEV;
            return -1;
        }
    }
    return 0;
}

int cgpio_wait(int wake, const int *others, size_t count, int64_t timeout_nanoseconds)
{
    struct pollfd polled[1 + CGPIO_WAIT_MAXIMUM];
    struct timespec timeout = {.tv_sec = timeout_nanoseconds / 1000000000, .tv_nsec = timeout_nanoseconds % 1000000000};

    if (count > CGPIO_WAIT_MAXIMUM) {
        errno = EINVAL;
        return -1;
    }
    memset(polled, 0, sizeof(polled));
    polled[0] = (struct pollfd){.fd = wake, .events = POLLIN};
    for (size_t index = 0; index < count; index++)
        polled[index + 1] = (struct pollfd){.fd = others[index], .events = POLLIN};
    if (ppoll(polled, count + 1, timeout_nanoseconds < 0 ? NULL : &timeout, NULL) < 0 && errno != EINTR)
        return -1;
    return outcome(polled, count + 1);
}
