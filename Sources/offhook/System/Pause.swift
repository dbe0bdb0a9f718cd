import Glibc

/// Sleeps, for commands that act like a person at the panel.
enum Pause {
    static func milliseconds(_ count: Int64) {
        _ = poll(nil, 0, Int32(clamping: count))
    }
}
