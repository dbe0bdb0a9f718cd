#define _GNU_SOURCE
#include "pinning.h"

#include <sched.h>

int pin_to_processor(int processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    return sched_setaffinity(0, sizeof only, &only);
}
