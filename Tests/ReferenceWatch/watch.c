#define _GNU_SOURCE // RTLD_NEXT

#include "ReferenceWatch.h"

#include <AllocationWatch.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_long count;

long reference_watch_count(void) { return atomic_load(&count); }

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WATCH_IS_OFF 1
#endif
#endif

#ifndef WATCH_IS_OFF

// The runtime's own, which is the next of that name.
#define STAND_IN(result, function, parameters, arguments)                                                              \
    result function parameters {                                                                                       \
        static _Atomic(result(*) parameters) real;                                                                     \
        result(*known) parameters = atomic_load_explicit(&real, memory_order_relaxed);                                 \
        if (!known) {                                                                                                  \
            known = (result(*) parameters)dlsym(RTLD_NEXT, #function);                                                 \
            atomic_store_explicit(&real, known, memory_order_relaxed);                                                 \
        }                                                                                                              \
        if (allocation_watch_watches()) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);                    \
        return known arguments;                                                                                        \
    }

#define ONE(result, function) STAND_IN(result, function, (void *object), (object))
#define MANY(result, function) STAND_IN(result, function, (void *object, uint32_t times), (object, times))

ONE(void *, swift_retain)
ONE(void, swift_release)
ONE(void *, swift_bridgeObjectRetain)
ONE(void, swift_bridgeObjectRelease)
ONE(void *, swift_unownedRetain)
ONE(void, swift_unownedRelease)
ONE(void *, swift_unownedRetainStrong)
MANY(void *, swift_retain_n)
MANY(void, swift_release_n)
MANY(void *, swift_bridgeObjectRetain_n)
MANY(void, swift_bridgeObjectRelease_n)

#endif
