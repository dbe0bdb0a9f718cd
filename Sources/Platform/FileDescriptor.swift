import Glibc

/// Owns one file descriptor: closed exactly once, when its owner goes.
public struct FileDescriptor: ~Copyable, Sendable {
    public let number: Int32

    /// - Precondition: it is open, and nobody else closes it.
    public init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is open")
        self.number = number
    }

    /// Opens a file. No program that is started inherits it.
    /// - Parameter failure: Makes an error of an `errno`.
    public init<Failure: Error>(
        _ path: String, _ flags: Int32, mode: mode_t = 0, failure: (_ code: Int32) -> Failure
    ) throws(Failure) {
        var opened = unsafe open(path, flags | O_CLOEXEC, mode)
        // A signal came while a slow device was opened.
        while opened < 0, errno == EINTR { opened = unsafe open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { throw failure(errno) }
        number = opened
    }

    deinit { _ = close(number) }

    /// Gives the descriptor to somebody else, who closes it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
