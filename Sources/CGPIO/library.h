#ifndef CGPIO_LIBRARY_H
#define CGPIO_LIBRARY_H

#include "include/CGPIO.h"

#include <gpiod.h>

/* libgpiod 1.x defines GPIOD_BIT in gpiod.h; 2.x does not. */
#ifdef GPIOD_BIT
#define CGPIO_LIBRARY 1
#else
#define CGPIO_LIBRARY 2
#endif

/* The kernel accepts at most 64 lines in one request. */
#define CGPIO_LINES_MAXIMUM 64

#define CGPIO_EDGES_MAXIMUM 64

void cgpio_copy_text(char destination[CGPIO_TEXT_SIZE], const char *source);

#endif
