#ifndef CPROCESS_H
#define CPROCESS_H

#include <poll.h>

/// Calls that the C library declares in a way that Swift cannot see.

/// Keeps the process's memory from every other program that does not run as root: no core dump, no debugger, no reading of
/// /proc/PID/mem (PR_SET_DUMPABLE, prctl(2)).
/// - Returns: 0, or an `errno`.
int cprocess_hide(void);

/// Names the calling thread, as `top` and debuggers show it.
/// - Parameter name: 15 bytes at most.
/// - Returns: 0, or an `errno`.
int cprocess_name_thread(const char *name);

/// Makes an eventfd that never blocks and that no program started from here gets (eventfd(2)).
/// - Returns: its descriptor, or -1 with `errno`.
int cprocess_eventfd(void);

/// Whether the files of a folder are in memory only, and gone with the power.
int cprocess_is_memory(const char *folder);

#endif
