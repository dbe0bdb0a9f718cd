#ifndef CCARES_SHIM_H
#define CCARES_SHIM_H

#include <ares.h>

// Macros with arguments, which Swift cannot import.
static inline int ccares_reads(int mask, int index) { return ARES_GETSOCK_READABLE(mask, index) != 0; }
static inline int ccares_writes(int mask, int index) { return ARES_GETSOCK_WRITABLE(mask, index) != 0; }

#endif
