import Glibc

/// Standard output for those who read it while it is written.
enum StandardOutput {
    static func flush() { fflush(nil) }
}
