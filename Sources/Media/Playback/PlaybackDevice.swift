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
