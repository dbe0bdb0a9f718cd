import Glibc

/// Wakes one thread. What rings before it sleeps is not lost.
///
/// A pipe: ringing is one system call that never blocks.
final class Bell: Sendable {
    private let near: Int32
    private let far: Int32

    init() throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw CommandError("no descriptor is left for a bell: \(SystemError.last)")
        }
        (near, far) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(far, F_SETFL, O_NONBLOCK)
    }

    deinit {
        Glibc.close(near)
        Glibc.close(far)
    }

    /// A full pipe refuses the byte: then the thread is being woken anyway.
    func ring() {
        var byte: UInt8 = 1
        _ = unsafe write(far, &byte, 1)
    }

    /// Sleeps until it has rung since the last return.
    func wait() {
        var bytes = InlineArray<64, UInt8>(repeating: 0)
        _ = unsafe withUnsafeMutableBytes(of: &bytes) { unsafe read(near, $0.baseAddress, $0.count) }
    }
}
