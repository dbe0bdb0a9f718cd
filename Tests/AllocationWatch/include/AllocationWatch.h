#ifndef ALLOCATION_WATCH_H
#define ALLOCATION_WATCH_H

// Counts what threads of given names ask of the heap, and the locks that they take, by standing in for malloc and
// pthread_mutex_lock and their kin in the whole test program.

// Whether it does: sanitizers bring an allocator of their own.
int allocation_watch_is_live(void);

// Watches threads whose name (pthread_setname_np) begins with one of `prefixes`, between which there is a '|'; NULL
// watches nobody. Counts start at 0.
void allocation_watch_begin(const char *prefixes);

// Whether the thread that asks is one of them.
int allocation_watch_watches(void);

// Calls of malloc, calloc, realloc, free and their aligned kin since the beginning.
long allocation_watch_count(void);

// Mutexes and read-write locks asked for since the beginning, whether they were free or not.
long allocation_watch_locks(void);

// The first count without free: how often memory was taken, or made larger.
long allocation_watch_made(void);

// Bytes of the heap that the whole program has in use.
long allocation_watch_held(void);

// For C: a function that stands in for the next of its name, and counts in an atomic_long what watched threads ask of it.
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
