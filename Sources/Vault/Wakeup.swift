import Base
import Glibc

/// Wakes one sleeping thread. Ringing it takes a lock that is never held for longer than a few instructions.
///
/// - Note: `@unchecked Sendable` because `isRung` is touched under the lock only, and lock and condition are made
///   for use by several threads and never move.
@safe
final class Wakeup: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var isRung = false

    init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        let results = unsafe [
            pthread_mutex_init(lock, nil), pthread_condattr_init(&attributes),
            // A wait must not stretch when somebody sets the wall clock.
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), pthread_cond_init(condition, &attributes),
            pthread_condattr_destroy(&attributes),
        ]
        precondition(results.allSatisfy { $0 == 0 }, "a private lock and condition can always be made")
    }

    deinit {
        _ = unsafe pthread_cond_destroy(condition)
        _ = unsafe pthread_mutex_destroy(lock)
        unsafe condition.deallocate()
        unsafe lock.deallocate()
    }

    func ring() {
        _ = unsafe pthread_mutex_lock(lock)
        isRung = true
        _ = unsafe pthread_cond_signal(condition)
        _ = unsafe pthread_mutex_unlock(lock)
    }

    /// Sleeps until rung since the last return, or for at most `limit`.
    func wait(atMost limit: Duration?) {
        var end = timespec()
        if let limit {
            _ = unsafe clock_gettime(CLOCK_MONOTONIC, &end)
            let nanoseconds = Int64(end.tv_nsec) + limit.nanoseconds
            end.tv_sec += Int(nanoseconds / 1_000_000_000)
            end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        _ = unsafe pthread_mutex_lock(lock)
        var isLate = false
        while !isRung, !isLate {
            if limit == nil {
                _ = unsafe pthread_cond_wait(condition, lock)
            } else {
                isLate = unsafe pthread_cond_timedwait(condition, lock, &end) == ETIMEDOUT
            }
        }
        isRung = false
        _ = unsafe pthread_mutex_unlock(lock)
    }
}
