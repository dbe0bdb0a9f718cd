#ifndef ALLOCATION_WATCH_H
#define ALLOCATION_WATCH_H

// Counts what threads of a given name ask of the heap, by standing in for malloc in the whole test program.

// Whether it does: sanitizers bring an allocator of their own.
int allocation_watch_is_live(void);

// Watches threads whose name (pthread_setname_np) begins with `prefix`; NULL watches nobody. Counts start at 0.
void allocation_watch_begin(const char *prefix);

// Calls of malloc, calloc, realloc, free and their aligned kin since the beginning.
long allocation_watch_count(void);

// The same without free: how often memory was taken, or made larger.
long allocation_watch_made(void);

// Bytes of the heap that the whole program has in use.
long allocation_watch_held(void);

#endif
