import Glibc

/// Owns one file descriptor and closes it exactly once, when its owner is destroyed.
public struct FileDescriptor: ~Copyable, Sendable {
    public let number: Int32

    /// - Precondition: it is open, and no other code closes it.
    public init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is open")
        self.number = number
    }

    /// Opens a file. A program that is started later does not inherit the descriptor.
    /// - Parameter failure: Makes an error from an `errno`.
    public init<Failure: Error>(
        _ path: String, _ flags: Int32, mode: mode_t = 0, failure: (_ code: Int32) -> Failure
    ) throws(Failure) {
        var opened = unsafe open(path, flags | O_CLOEXEC, mode)
        // A signal interrupted the opening of a slow device.
        while opened < 0, errno == EINTR { opened = unsafe open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else { throw failure(errno) }
        number = opened
    }

    deinit { _ = close(number) }

    /// Passes the descriptor to the caller, who must close it.
    public consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }
}
