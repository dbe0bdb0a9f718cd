import Glibc
import Platform

/// Keeps the phone's used pages in memory, because reloading a page would interrupt the sound.
enum MemoryLock {
    /// Locks every present and future page from its first use. So the phone needs no more memory than without locking.
    /// - Returns: Nil, or the reason of the failure, for people.
    static func take() -> String? {
        var limit = rlimit()
        unsafe getrlimit(Int32(__RLIMIT_MEMLOCK.rawValue), &limit)
        let limited = limit.rlim_cur == .max ? "" : "; RLIMIT_MEMLOCK is \(limit.rlim_cur / 1_024) KiB, not infinite"
        guard mlockall(Int32(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0 else { return SystemError.last + limited }
        guard limit.rlim_cur != .max, !mayMap(Int(limit.rlim_cur) + 1) else { return nil }
        // If the limit applies, allocations fail at the limit. That is worse than paging.
        munlockall()
        return "locked memory would run out" + limited
    }

    /// Whether this process may exceed the limit, as with CAP_IPC_LOCK.
    private static func mayMap(_ octets: Int) -> Bool {
        let memory = unsafe mmap(nil, octets, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard unsafe memory != MAP_FAILED else { return false }
        unsafe munmap(memory, octets)
        return true
    }
}
