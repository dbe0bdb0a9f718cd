import Glibc

/// The three descriptors that every program expects to be there.
enum StandardDescriptors {
    /// Opens what whoever started us had closed. Otherwise the first sockets and the vault would get the numbers 0 to 2,
    /// and what is printed would go into them.
    static func open() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = unsafe Glibc.open("/dev/null", O_RDWR)
        }
    }
}
