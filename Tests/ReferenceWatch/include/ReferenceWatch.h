#ifndef REFERENCE_WATCH_H
#define REFERENCE_WATCH_H

// Counts the reference counting of the threads that AllocationWatch watches. It replaces swift_retain, swift_release and
// related functions in the whole test program. A separate target, because it slows every Swift program a little.

// References counted up or down since the program began. Always 0 with a sanitizer.
long reference_watch_count(void);

#endif
