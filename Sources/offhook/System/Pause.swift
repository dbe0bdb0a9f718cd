import Glibc

/// Waiting, for commands that imitate a person.
enum Pause {
    static func milliseconds(_ count: Int64) {
        _ = poll(nil, 0, Int32(clamping: count))
    }
}
