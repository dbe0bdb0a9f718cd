#ifndef PINNING_H
#define PINNING_H

/// Keeps the calling thread on that processor, counted from 0. Returns 0, or -1 with errno set: glibc hides sets of
/// processors from Swift.
int pin_to_processor(int processor);

#endif
