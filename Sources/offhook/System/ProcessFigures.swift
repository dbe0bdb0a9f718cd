import CProcess
import Glibc
import Platform

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
