import Glibc

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
