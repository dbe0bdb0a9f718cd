#ifndef REFERENCE_WATCH_H
#define REFERENCE_WATCH_H

// Counts how often the threads that AllocationWatch watches count a reference to an object, by standing in for
// swift_retain, swift_release and their kin in the whole test program. A target of its own, as it slows every Swift
// program a little that has it.

// References counted up or down since the program began. Always 0 with a sanitizer.
long reference_watch_count(void);

#endif
