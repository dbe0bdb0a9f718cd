import Base
import Platform

/// Beats of equal length in real time. A beat that came late makes the next one come sooner, so that a machine that
/// stands still for a moment does not turn a sender into one whose clock is slow.
struct Metronome {
    private let interval: Duration
    private var next = MonotonicClock.now()

    init(milliseconds: Int) { interval = .milliseconds(milliseconds) }

    mutating func wait() {
        next = next + interval
        MonotonicClock.sleep(next - MonotonicClock.now())
    }
}
