#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int cprocess_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }

void cprocess_share_arena(void) { mallopt(M_ARENA_MAX, 1); }

int cprocess_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int cprocess_join(pthread_t thread, int64_t nanoseconds) {
    struct timespec end = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end);
}

int cprocess_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cprocess_is_memory(const char *folder) {
    struct statfs status;
    return statfs(folder, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

int cprocess_spawn(pid_t *identifier, char *const arguments[], char *const variables[], int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure == 0) {
        if ((failure = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)) == 0 &&
            (failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)) == 0 &&
            (failure = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)) == 0 &&
            (failure = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)) == 0 &&
            (failure = posix_spawn_file_actions_addchdir_np(&actions, "/")) == 0 &&
            (failure = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
            (failure = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
            (failure = posix_spawnattr_setpgroup(&attributes, 0)) == 0 &&
            (failure = posix_spawnattr_setflags(
                 &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)) == 0)
            failure = posix_spawn(identifier, arguments[0], &actions, &attributes, arguments, variables);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int cprocess_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cprocess_open_process(pid_t identifier) { return (int)syscall(SYS_pidfd_open, identifier, 0); }

double cprocess_processor_time(void) {
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

long cprocess_wakeups(void) {
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}
