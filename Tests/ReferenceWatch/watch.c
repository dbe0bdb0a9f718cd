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

#define ONE(result, function) STAND_IN(count, result, function, (void *object), (object))
#define MANY(result, function) STAND_IN(count, result, function, (void *object, uint32_t times), (object, times))

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
