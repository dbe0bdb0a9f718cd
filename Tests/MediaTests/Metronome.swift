import Base
import Platform

/// Beats of equal length in real time. A late beat makes the next one come sooner, so a stalled machine does not look
/// like a sender with a slow clock.
struct Metronome {
    private let interval: Duration
    private var next = MonotonicClock.now()

    init(milliseconds: Int) { interval = .milliseconds(milliseconds) }

    mutating func wait() {
        next = next + interval
        MonotonicClock.sleep(next - MonotonicClock.now())
    }
}
