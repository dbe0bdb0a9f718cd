import CProcess
import Glibc
import Platform

/// The process's environment.
enum Environment {
    static subscript(name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }
}

/// The three descriptors that every program expects to be open.
enum StandardDescriptors {
    /// Opens descriptors that the parent process had closed. Otherwise the first sockets and the vault would get the
    /// numbers 0 to 2, and printed text would go into them.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The system gives the lowest free number, so it is this one.
            _ = unsafe Glibc.open("/dev/null", O_RDWR)
        }
    }
}

/// Sets alsa-lib's environment. Must run before the first thread exists.
enum SoundLibrary {
    /// Switches off alsa-lib's locks. Otherwise it locks in each call of a device that is not the kernel's own, in case
    /// several threads share it. In this program one thread owns each device, and the audio thread takes no locks.
    static func prepare() { unsafe setenv("LIBASOUND_THREAD_SAFE", "0", 0) }
}

/// The C library's heap.
enum Heap {
    /// Makes all threads share one arena. Must run before the second thread exists, because a thread keeps its arena.
    ///
    /// Otherwise almost every thread of the phone gets an arena, with free memory that no other thread uses. An arena
    /// also grows by a system call for a few pages. The real-time threads rarely wait for the one arena's lock, because
    /// they do not allocate. The exception is the first packet of an SSRC in a protected call (`SRTPSession`).
    static func shareArena() { cprocess_share_arena() }
}

/// Keeps the phone's used pages in memory, because reloading a page would interrupt the sound.
enum MemoryLock {
    /// Locks the pages in use, and every other page from its first use. So the phone needs no more memory than without
    /// locking. Must run before the threads of sound start.
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

/// Hides the memory, with its passwords and keys, from other programs of the same user and from core dumps.
///
/// Only root can still read it. The kernel denies `/proc/PID/mem` and debuggers to all other users, and to programs of
/// the same user.
enum PrivateMemory {
    /// - Returns: Nil, or the reason of the failure, for people.
    static func hide() -> String? {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard unsafe setrlimit(Int32(RLIMIT_CORE.rawValue), &none) == 0 else { return SystemError.last }
        let refusal = cprocess_hide()
        return refusal == 0 ? nil : SystemError.text(refusal)
    }
}

/// The kernel's figures of this process and of the calling thread.
struct ProcessFigures {
    /// The processor time of all threads, in seconds.
    let processorTime = cprocess_processor_time()
    /// How often this thread has slept and was woken up.
    let wakeups = cprocess_wakeups()
    let residentBytes: Int
    let anonymousBytes: Int

    /// Takes some ten microseconds.
    init() {
        let status = Self.status()
        residentBytes = Self.bytes(of: "VmRSS:", in: status)
        anonymousBytes = Self.bytes(of: "RssAnon:", in: status)
    }

    /// `/proc/self/status`, which is one page; empty if the file does not exist.
    private static func status() -> Substring {
        guard let file = try? FileDescriptor(named: "/proc/self/status", O_RDONLY) else { return "" }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(file.number, &bytes, bytes.count)
        return Substring(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// `VmRSS:      9184 kB`
    private static func bytes(of key: String, in status: Substring) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) }
        let number = line?.dropFirst(key.count).split(whereSeparator: \.isWhitespace).first
        return number.flatMap { Int($0) }.map { $0 * 1_024 } ?? 0
    }
}

/// A user of this machine, by name.
struct UserEntry: Equatable {
    let identifier: uid_t
    let group: gid_t
    /// All groups of the user.
    let groups: Set<gid_t>

    /// Nil: the user does not exist.
    init?(_ name: String) {
        guard let entry = unsafe getpwnam(name) else { return nil }
        unsafe (identifier, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        var groups = [gid_t](repeating: 0, count: 64)
        var count = Int32(groups.count)
        let found = unsafe getgrouplist(name, group, &groups, &count)
        self.groups = Set(groups.prefix(max(0, Int(found))))
    }

    /// Whether the user may read a file with this status.
    func mayRead(_ status: stat) -> Bool {
        if identifier == 0 { return true }
        if status.st_uid == identifier { return status.st_mode & S_IRUSR != 0 }
        if groups.contains(status.st_gid) { return status.st_mode & S_IRGRP != 0 }
        return status.st_mode & S_IROTH != 0
    }
}
