import Glibc
import Platform

/// Keeps what the phone has used in memory: a page that the system took away is missed in the middle of a word.
enum MemoryLock {
    /// Locks every page, now and later, from its first use on; the phone grows no larger by it.
    /// - Returns: nil, or why not, for people.
    static func take() -> String? {
        var limit = rlimit()
        unsafe getrlimit(Int32(__RLIMIT_MEMLOCK.rawValue), &limit)
        let limited = limit.rlim_cur == .max ? "" : "; RLIMIT_MEMLOCK is \(limit.rlim_cur / 1_024) KiB, not infinite"
        guard mlockall(Int32(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0 else { return SystemError.last + limited }
        guard limit.rlim_cur != .max, !mayMap(Int(limit.rlim_cur) + 1) else { return nil }
        // Where the limit holds, the kernel would deny memory once it is met, which is worse than paging.
        munlockall()
        return "it would end" + limited
    }

    /// Whether the limit does not hold for us, as with CAP_IPC_LOCK.
    private static func mayMap(_ octets: Int) -> Bool {
        let memory = unsafe mmap(nil, octets, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard unsafe memory != MAP_FAILED else { return false }
        unsafe munmap(memory, octets)
        return true
    }
}
