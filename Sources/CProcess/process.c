#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <linux/magic.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/statfs.h>

int cprocess_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }

int cprocess_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int cprocess_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cprocess_is_memory(const char *folder) {
    struct statfs status;
    return statfs(folder, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}
