import Base
import Glibc
import SoundCore

/// The ear as the audio thread sees it: something that wants a quantum of sound from time to time.
struct PlaybackDevice: ~Copyable {
    enum Demand {
        /// Render one quantum; it goes to `play`.
        case quantum
        case nothing
        /// It ran dry, and begins anew: ask again.
        case dry
        case lost(Int32)
    }

    enum Played {
        case taken(Int)
        case lost(Int32)
    }

    private static let patience = Duration.seconds(1)
    /// Samples by which a quantum may come early. So whoever is up for the microphone serves the ear, too, instead of
    /// going to sleep for less than that.
    static let slack = SoundFormat.samplesPerMillisecond

    private(set) var stream: SoundStream?
    private(set) var pacer: Pacer
    private var fill: PlaybackTarget?
    private let quantum: Int
    /// When it last took something, or came.
    private(set) var progress = Instant.zero
    private var lastAvailable = 0
    /// This device was not asked yet, or not since it ran dry.
    private(set) var isFresh = false
    /// How often a device came, went or ran dry: what was known of its delay is then known no more.
    private(set) var breaks = 0

    init(quantum: Int, period: Duration) {
        self.quantum = quantum
        pacer = Pacer(period: period)
    }

    /// Samples that wait in the device when a quantum has been given to it, which is what its last one waits.
    var waiting: Int { stream == nil ? 0 : fill?.target ?? 0 }

    mutating func adopt(_ stream: SoundStream, at now: Instant) {
        self.stream = stream
        isFresh = true
        breaks += 1
        fill = PlaybackTarget(buffer: stream.bufferFrames, period: stream.periodFrames, quantum: quantum)
        pacer.stop()
        progress = now
    }

    mutating func giveUp() -> SoundStream? {
        defer { stream = nil }
        isFresh = false
        return stream
    }

    /// Asks what the device needs. Call until `.nothing`.
    /// - Parameter isNeeded: a call is heard, so its packets must be taken even without a device.
    mutating func demand(isNeeded: Bool, _ counters: MediaCounters, at now: Instant) -> Demand {
        guard let stream, let fill else { return demandWithoutDevice(isNeeded: isNeeded, at: now) }
        isFresh = false
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
            if available != lastAvailable { progress = now }
            lastAvailable = available
            return now - progress > Self.patience ? .lost(-ETIMEDOUT) : .nothing
        }
        progress = now
        return .quantum
    }

    /// Hands a rendered quantum over; without a device it is heard by nobody.
    /// - Returns: How many samples the device took, or its code if it is broken.
    mutating func play(_ samples: Span<Int16>, _ counters: MediaCounters, at now: Instant) -> Played {
        guard let stream else { return .taken(0) }
        let count = stream.write(samples)
        if count < 0 {
            if case .lost(let code) = recover(stream, from: count, counters, at: now) { return .lost(code) }
            return .taken(0)
        }
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

    /// The buffer is empty, and is filled a little higher from now on.
    private mutating func ranDry(_ stream: SoundStream, _ counters: MediaCounters, at now: Instant) {
        counters.playbackUnderruns.count()
        breaks += 1
        progress = now
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
            case .notYet: return .nothing
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
