import Base
import RTPCore

/// Measures how many samples a playback device takes at one moment.
///
/// Of the last eight times the second largest counts. So one late wake-up, or the first fill of a buffer, does not
/// lengthen the delay. Cost: O(1), no allocation.
package struct BurstMeter: Sendable {
    private var sizes = InlineArray<8, Int>(repeating: 0)
    private var next = 0
    private var moment = Instant.zero
    private var taken = 0
    private var usual = 0

    package init() {}

    /// - Returns: What a jitter buffer needs to know about the quantum that the device requests at `now`.
    package func burst(at now: Instant) -> JitterBuffer.DeviceBurst {
        JitterBuffer.DeviceBurst(before: now == moment ? taken : 0, atOnce: usual)
    }

    package mutating func take(_ count: Int, at now: Instant) {
        guard now != moment else {
            taken += count
            return
        }
        sizes[next] = taken
        next = (next + 1) % sizes.count
        var (largest, second) = (0, 0)
        for index in sizes.indices {
            second = max(second, min(largest, sizes[index]))
            largest = max(largest, sizes[index])
        }
        usual = second
        (moment, taken) = (now, count)
    }
}
