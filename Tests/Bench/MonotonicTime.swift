import Base
import Platform

/// The bench's clock: that of the phones that it watches.
public enum MonotonicTime {
    public static var now: Instant { MonotonicClock.now() }

    /// Sleeps the bench's thread for so long, through signals.
    public static func sleep(_ duration: Duration) { MonotonicClock.sleep(duration) }
}
