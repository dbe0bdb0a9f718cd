#ifndef CPROCESS_H
#define CPROCESS_H

#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

/// Calls whose declarations in the C library Swift cannot import.

/// Protects the process's memory from all programs that do not run as root: no core dump, no debugger, no reading of
/// /proc/PID/mem (PR_SET_DUMPABLE, prctl(2)).
/// - Returns: 0, or an `errno`.
int cprocess_hide(void);

/// Makes all threads share one arena of the heap (M_ARENA_MAX, mallopt(3)).
void cprocess_share_arena(void);

/// Names the calling thread, for `top` and debuggers.
/// - Parameter name: 15 bytes at most.
/// - Returns: 0, or an `errno`.
int cprocess_name_thread(const char *name);

/// Makes an eventfd that never blocks and that started programs do not inherit (eventfd(2)).
/// - Returns: its descriptor, or -1 with `errno`.
int cprocess_eventfd(void);

/// Whether the files of a folder exist only in memory, and are lost with the power.
int cprocess_is_memory(const char *folder);

/// Starts a program in its own process group, in the root folder, with no signal blocked or ignored. It inherits only
/// its input (0) and its output (1 and 2).
/// - Parameter arguments: The first is the program's path. Both lists end with a null pointer.
/// - Returns: 0, or an `errno`.
int cprocess_spawn(pid_t *identifier, char *const arguments[], char *const variables[], int input, int output);

/// Makes a pipe that started programs do not inherit (pipe(2)): a read end, then a write end.
/// - Returns: 0, or -1 with `errno`.
int cprocess_pipe(int ends[2]);

/// A descriptor that becomes readable when a child has ended (pidfd_open(2)).
/// - Returns: the descriptor, or -1 with `errno`.
int cprocess_open_process(pid_t identifier);

/// The processor time of all threads, in seconds.
double cprocess_processor_time(void);

/// Waits until a thread has ended, but not beyond this time of CLOCK_MONOTONIC.
/// - Returns: 0, or an `errno`: ETIMEDOUT if it has not ended.
int cprocess_join(pthread_t thread, int64_t nanoseconds);

/// How often the calling thread went to sleep and was woken up.
long cprocess_wakeups(void);

#endif
