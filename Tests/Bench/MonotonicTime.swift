import Base
import Platform

/// The bench's clock: the same as that of the phones.
public enum MonotonicTime {
    public static var now: Instant { MonotonicClock.now() }

    /// Sleeps the bench's thread for so long, despite signals.
    public static func sleep(_ duration: Duration) { MonotonicClock.sleep(duration) }
}
