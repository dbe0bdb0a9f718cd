import Base
import Glibc
import RTPCore
import SoundCore

/// The earpiece as the audio thread sees it: a device that asks for a quantum of sound from time to time.
struct PlaybackDevice: ~Copyable {
    enum Demand {
        /// Render one quantum and pass it to `play`.
        case quantum
        case nothing
        /// The device ran dry and starts again: ask again.
        case dry
        case lost(Int32)
    }

    enum Played {
        case taken(Int)
        case lost(Int32)
    }

    /// Samples by which a quantum may come early. A thread that is awake for the microphone then also serves playback,
    /// instead of sleeping for less time than that.
    static let slack = SoundFormat.samplesPerMillisecond

    private(set) var stream: SoundStream?
    private var clock = DeviceClock(buffer: 0, at: .zero)
    private(set) var pacer: Pacer
    private var fill: PlaybackTarget?
    private let quantum: Int
    private var timeout = DeviceTimeout()
    private(set) var rest: DeviceRest
    private var meter = BurstMeter()
    private var lastAvailable = 0
    /// The device was not queried yet since it was adopted or must be started again.
    private(set) var isFresh = false
    /// How often a device came, went or ran dry. Each such break makes earlier delay measurements invalid.
    private(set) var breaks = 0

    init(quantum: Int, period: Duration) {
        self.quantum = quantum
        pacer = Pacer(period: period)
        rest = DeviceRest(period: period)
    }

    /// The samples that the device takes at once.
    func burst(at now: Instant) -> JitterBuffer.DeviceBurst { meter.burst(at: now) }

    /// When the device last took samples, or when it was adopted.
    var progress: Instant { timeout.progress }

    /// Samples in the device right after a quantum was written: the delay of that quantum's last sample.
    var waiting: Int { stream == nil ? 0 : fill?.target ?? 0 }

    /// The stream whose descriptors wake the thread. Nil for a device that would never let it sleep: one without a
    /// clock, or a fresh one whose buffer is still empty.
    mutating func watched(at now: Instant) -> SoundStream? {
        rest.isOver(at: now) && !isFresh && !clock.isMissing ? stream : nil
    }

    /// The descriptors have woken the thread.
    mutating func wake() { rest.wake() }

    mutating func adopt(_ stream: SoundStream, at now: Instant) {
        self.stream = stream
        clock = DeviceClock(buffer: stream.bufferFrames, at: now)
        isFresh = true
        breaks += 1
        fill = PlaybackTarget(buffer: stream.bufferFrames, period: stream.periodFrames, quantum: quantum)
        pacer.stop()
        timeout.progress(at: now)
        rest.reset()
        meter = BurstMeter()
    }

    mutating func giveUp() -> SoundStream? {
        defer { stream = nil }
        isFresh = false
        return stream
    }

    /// Asks whether the device needs sound. Call until `.nothing`.
    /// - Parameter isNeeded: a call needs sound, so its packets must be consumed even without a device.
    mutating func demand(isNeeded: Bool, _ counters: MediaCounters, at now: Instant) -> Demand {
        guard let stream, let fill else { return demandWithoutDevice(isNeeded: isNeeded, at: now) }
        isFresh = false
        guard !clock.isMissing || pacer.tick(at: now), rest.mayAsk(at: now) else { return .nothing }
        let available = stream.available()
        if available < 0 { return recover(stream, from: available, counters, at: now) }
        if available > stream.bufferFrames {
            let skipped = stream.skip(available - stream.bufferFrames)
            if skipped < 0 { return recover(stream, from: skipped, counters, at: now) }
            ranDry(stream, counters, at: now)
            return .dry
        }
        if self.fill?.settle(at: now) == true { _ = stream.wake(at: self.fill?.wakeup ?? quantum) }
        let waiting = stream.bufferFrames - available
        guard available >= quantum, waiting + quantum <= fill.target + Self.slack else {
            if available != lastAvailable { timeout.progress(at: now) }
            lastAvailable = available
            rest.hasNothing(at: now)
            return timeout.isOver(at: now) ? .lost(-ETIMEDOUT) : .nothing
        }
        timeout.progress(at: now)
        return .quantum
    }

    /// Writes a rendered quantum to the device. Without a device the quantum is dropped.
    /// - Returns: How many samples the device took, or the error code of a broken device.
    mutating func play(_ samples: Span<Int16>, _ counters: MediaCounters, at now: Instant) -> Played {
        guard let stream else { return .taken(0) }
        let count = stream.write(samples)
        if count < 0 {
            if case .lost(let code) = recover(stream, from: count, counters, at: now) { return .lost(code) }
            return .taken(0)
        }
        clock.move(count, at: now)
        rest.hasMoved(at: now)
        meter.take(count, at: now)
        counters.periodsPlayed.count()
        return .taken(count)
    }

    private mutating func demandWithoutDevice(isNeeded: Bool, at now: Instant) -> Demand {
        guard isNeeded else {
            pacer.stop()
            return .nothing
        }
        return pacer.tick(at: now) ? .quantum : .nothing
    }

    /// The buffer is empty. From now on it is kept a little fuller.
    private mutating func ranDry(_ stream: SoundStream, _ counters: MediaCounters, at now: Instant) {
        counters.playbackUnderruns.count()
        breaks += 1
        timeout.progress(at: now)
        if fill?.underrun(at: now) == true { _ = stream.wake(at: fill?.wakeup ?? quantum) }
    }

    private mutating func recover(
        _ stream: SoundStream, from code: Int, _ counters: MediaCounters, at now: Instant
    ) -> Demand {
        switch Int32(-code) {
        case EAGAIN, EINTR:
            return .nothing
        case EPIPE, ESTRPIPE:
            let recovery = stream.recover(from: code)
            switch recovery {
            case .notYet: return rest.isSuspended(at: now) ? .nothing : .lost(-ESTRPIPE)
            case .lost(let code): return .lost(code)
            case .ready, .running:
                ranDry(stream, counters, at: now)
                isFresh = recovery == .ready
                return .dry
            }
        case let other:
            return .lost(-other)
        }
    }
}

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

/// Replaces the clock of a missing device, so that a call still sends packets and empties its jitter buffer.
struct Pacer: Sendable {
    /// Limit of missed quanta that are made up for. After a longer pause time starts again.
    private static let backlog = 10

    private let period: Duration
    private(set) var due: Instant?

    init(period: Duration) { self.period = period }

    /// Stops, because a device keeps time or the call needs no time.
    mutating func stop() { due = nil }

    /// True once for each period that has passed.
    mutating func tick(at now: Instant) -> Bool {
        guard let due else {
            self.due = now + period
            return false
        }
        guard now >= due else { return false }
        let isFarBehind = now - due > period * Self.backlog
        self.due = isFarBehind ? now + period : due + period
        return true
    }
}
