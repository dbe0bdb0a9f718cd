import Base

/// How much sound waits in the playback buffer: as little as has proved safe. Pure.
///
/// It is filled to `target` whenever one quantum fits. Each underrun adds a quantum, a while without takes one off.
package struct PlaybackTarget: Equatable, Sendable {
    private static let patience = Duration.seconds(20)

    private let buffer: Int
    private let quantum: Int
    private let lowest: Int
    private let highest: Int
    private var changed: Instant?
    /// Samples that wait right after writing.
    package private(set) var target: Int

    /// - Parameters:
    ///   - period: samples that the device moves at a time; less than two of them cannot be kept.
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

    /// Free samples at which the device should wake us.
    package var wakeup: Int { buffer - target + quantum }

    /// It ran dry. True if the level changed.
    package mutating func underrun(at now: Instant) -> Bool {
        changed = now
        guard target < highest else { return false }
        target += quantum
        return true
    }

    /// True if the level changed, because it has been safe for long.
    package mutating func settle(at now: Instant) -> Bool {
        guard target > lowest, let changed, now - changed >= Self.patience else { return false }
        self.changed = now
        target -= quantum
        return true
    }
}
