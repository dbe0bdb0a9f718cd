import Glibc

/// What the last system call said, for people.
enum SystemError {
    static var last: String { unsafe String(cString: strerror(errno)) }
}
