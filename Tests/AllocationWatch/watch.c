#define _GNU_SOURCE // RTLD_NEXT

#include "AllocationWatch.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WATCH_IS_OFF 1
#endif
#endif

static char watched_prefixes[64];
static atomic_int round_number; // 0: nobody is watched
static atomic_long calls, made, locks;

void allocation_watch_begin(const char *prefixes) {
    static int rounds;
    atomic_store(&round_number, 0);
    if (!prefixes) return;
    strncpy(watched_prefixes, prefixes, sizeof watched_prefixes - 1);
    atomic_store(&calls, 0);
    atomic_store(&made, 0);
    atomic_store(&locks, 0);
    atomic_store(&round_number, ++rounds);
}

long allocation_watch_count(void) { return atomic_load(&calls); }

long allocation_watch_made(void) { return atomic_load(&made); }

long allocation_watch_locks(void) { return atomic_load(&locks); }

long allocation_watch_held(void) { return (long)mallinfo2().uordblks; }

#ifdef WATCH_IS_OFF

int allocation_watch_is_live(void) { return 0; }

int allocation_watch_watches(void) { return 0; }

#else

int allocation_watch_is_live(void) { return 1; }

static int begins_as_watched(const char *name) {
    const char *prefix = watched_prefixes;
    for (;;) {
        size_t length = strcspn(prefix, "|");
        if (strncmp(name, prefix, length) == 0) return 1;
        if (prefix[length] == 0) return 0;
        prefix += length + 1;
    }
}

// A thread looks its name up once in a round; prctl does not allocate.
int allocation_watch_watches(void) {
    static _Thread_local int known_round, answer;
    int current = atomic_load_explicit(&round_number, memory_order_acquire);
    if (current == 0) return 0;
    if (known_round != current) {
        char name[16] = {0};
        prctl(PR_GET_NAME, name);
        answer = begins_as_watched(name);
        known_round = current;
    }
    return answer;
}

static void note(int takes) {
    if (!allocation_watch_watches()) return;
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    if (takes) atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
}

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

void *malloc(size_t size) { return note(1), __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return note(1), __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return note(1), __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return note(1), __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return note(1), __libc_memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note(1);
    *memory = __libc_memalign(alignment, size);
    return *memory || size == 0 ? 0 : ENOMEM;
}

void free(void *memory) {
    if (!memory) return;
    note(0);
    __libc_free(memory);
}

#define LOCK(function, kind) STAND_IN(locks, int, function, (kind *lock), (lock))

LOCK(pthread_mutex_lock, pthread_mutex_t)
LOCK(pthread_mutex_trylock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)

#endif
