#ifndef CCARES_SHIM_H
#define CCARES_SHIM_H

// Debian 13's c-ares has newer functions beside those of Debian 12, which it marks as deprecated.
#define CARES_NO_DEPRECATED
#include <ares.h>

// Macros in Debian 12, an enumeration in Debian 13.
static const int ccares_success = ARES_SUCCESS;
static const int ccares_no_data = ARES_ENODATA;
static const int ccares_not_found = ARES_ENOTFOUND;

// Macros with arguments, which Swift cannot import.
static inline int ccares_reads(int mask, int index) { return ARES_GETSOCK_READABLE(mask, index) != 0; }
static inline int ccares_writes(int mask, int index) { return ARES_GETSOCK_WRITABLE(mask, index) != 0; }

#endif
