import Base

/// Decides how much sound waits in the playback buffer: as little as has proved safe. Pure.
///
/// It is filled to `target` whenever one quantum fits. Each underrun adds a quantum; some time without underrun removes
/// one.
package struct PlaybackTarget: Equatable, Sendable {
    private static let holdTime = Duration.seconds(20)

    private let buffer: Int
    private let quantum: Int
    private let lowest: Int
    private let highest: Int
    private var changed: Instant?
    /// Samples in the buffer right after writing.
    package private(set) var target: Int

    /// - Parameters:
    ///   - period: samples that the device moves at a time. At least one period and one quantum must be in the buffer.
    ///   - quantum: samples that we write at a time.
    package init(buffer: Int, period: Int, quantum: Int) {
        precondition(
            buffer >= quantum && quantum > 0 && period > 0, "a buffer holds at least what is written at a time")
        self.buffer = buffer
        self.quantum = quantum
        highest = buffer / quantum * quantum
        lowest = min(highest, max(2 * quantum, (period + quantum - 1) / quantum * quantum + quantum))
        target = lowest
    }

    /// The number of free samples at which the device should wake the thread.
    package var wakeup: Int { buffer - target + quantum }

    /// Raises the level after an underrun. True if the level changed.
    package mutating func underrun(at now: Instant) -> Bool {
        changed = now
        guard target < highest else { return false }
        target += quantum
        return true
    }

    /// Lowers the level if it has been safe for long. True if the level changed.
    package mutating func settle(at now: Instant) -> Bool {
        guard target > lowest, let changed, now - changed >= Self.holdTime else { return false }
        self.changed = now
        target -= quantum
        return true
    }
}
