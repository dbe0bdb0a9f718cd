#ifndef ALLOCATION_WATCH_H
#define ALLOCATION_WATCH_H

// Counts the heap requests and locks of threads with given names. It replaces malloc, pthread_mutex_lock and related
// functions in the whole test program.

// Whether it works: sanitizers have their own allocator.
int allocation_watch_is_live(void);

// Watches threads whose name (pthread_setname_np) begins with one of `prefixes`, between which there is a '|'; NULL
// watches no thread. Counts start at 0.
void allocation_watch_begin(const char *prefixes);

// Whether the calling thread is one of them.
int allocation_watch_watches(void);

// Calls of malloc, calloc, realloc, free and their aligned variants since the beginning.
long allocation_watch_count(void);

// Mutex and read-write lock requests since the beginning, of free and taken locks.
long allocation_watch_locks(void);

// The first count without free: how often memory was taken, or made larger.
long allocation_watch_made(void);

// Bytes of the heap that the whole program has in use.
long allocation_watch_held(void);

// For C: a function that replaces the next of its name, and counts the calls of watched threads in an atomic_long.
// Needs dlfcn.h with _GNU_SOURCE and stdatomic.h. Looking the next one up locks nothing.
#define STAND_IN(counter, result, function, parameters, arguments)                                                     \
    result function parameters {                                                                                       \
        static _Atomic(result(*) parameters) real;                                                                     \
        result(*known) parameters = atomic_load_explicit(&real, memory_order_relaxed);                                 \
        if (!known) {                                                                                                  \
            known = (result(*) parameters)dlsym(RTLD_NEXT, #function);                                                 \
            atomic_store_explicit(&real, known, memory_order_relaxed);                                                 \
        }                                                                                                              \
        if (allocation_watch_watches()) atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);                  \
        return known arguments;                                                                                        \
    }

#endif
