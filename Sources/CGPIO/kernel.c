/* Calls of Linux that Swift's Glibc module does not show. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "include/CGPIO.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int cgpio_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* Clears the bell and tells whether one of the others is gone. */
static int outcome(const struct pollfd *polled, size_t count)
{
    uint64_t rings;
    ssize_t result = read(polled[0].fd, &rings, sizeof(rings));

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

int cgpio_wait(int bell, const int *others, size_t count, int64_t timeout_nanoseconds)
{
    struct pollfd polled[1 + CGPIO_WAIT_MAXIMUM];
    struct timespec timeout = {.tv_sec = timeout_nanoseconds / 1000000000, .tv_nsec = timeout_nanoseconds % 1000000000};

    if (count > CGPIO_WAIT_MAXIMUM) {
        errno = EINVAL;
        return -1;
    }
    memset(polled, 0, sizeof(polled));
    polled[0] = (struct pollfd){.fd = bell, .events = POLLIN};
    for (size_t index = 0; index < count; index++)
        polled[index + 1] = (struct pollfd){.fd = others[index], .events = POLLIN};
    if (ppoll(polled, count + 1, timeout_nanoseconds < 0 ? NULL : &timeout, NULL) < 0 && errno != EINTR)
        return -1;
    return outcome(polled, count + 1);
}

void cgpio_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
