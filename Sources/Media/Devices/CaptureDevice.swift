import Base
import Glibc
import RTPCore
import SoundCore

/// The microphone as the audio thread sees it: gives quanta of captured sound or, without a device, of silence.
struct CaptureDevice: ~Copyable {
    enum Pull {
        /// The number of samples in `samples`, and the number of lost samples before them.
        case samples(Int, missed: Int)
        case nothing
        /// The device failed with this code: give the stream back.
        case lost(Int32)
    }

    private(set) var stream: SoundStream?
    private var clock = DeviceClock(buffer: 0, at: .zero)
    private(set) var pacer: Pacer
    let samples: Workspace<Int16>
    private var timeout = DeviceTimeout()
    private(set) var rest: DeviceRest
    /// When the last sound was delivered, and whether an interruption followed. After an interruption `deliver` reports
    /// the number of missed samples, so that time continues for the far end.
    private var delivered = Instant.zero
    private var isInterrupted = false
    /// How often a device came, went or had an overrun. Each such break makes earlier delay measurements invalid.
    private(set) var breaks = 0

    init(quantum: Int, period: Duration) {
        samples = Workspace(count: quantum, filler: 0)
        pacer = Pacer(period: period)
        rest = DeviceRest(period: period)
    }

    /// - Returns: 0, or a negative code if the device does not start.
    mutating func adopt(_ stream: SoundStream, at now: Instant) -> Int {
        self.stream = stream
        clock = DeviceClock(buffer: stream.bufferFrames, at: now)
        pacer.stop()
        timeout.progress(at: now)
        rest.reset()
        isInterrupted = true
        breaks += 1
        return start(stream)
    }

    /// A linked stream starts with the other direction.
    private func start(_ stream: SoundStream) -> Int { stream.isLinked ? 0 : stream.start() }

    mutating func giveUp() -> SoundStream? {
        defer { stream = nil }
        isInterrupted = true
        return stream
    }

    /// The stream, unless it has no clock. The descriptors of such a stream would never let the thread sleep.
    private var clocked: SoundStream? { clock.isMissing ? nil : stream }

    /// The stream whose descriptors wake the thread.
    mutating func watched(at now: Instant) -> SoundStream? { rest.isOver(at: now) ? clocked : nil }

    /// The descriptors have woken the thread.
    mutating func wake() { rest.wake() }

    /// Whether a quantum was complete at most `slack` samples ago. Also true when no quantum can come.
    func isPunctual(within slack: Int) -> Bool {
        guard rest.end == nil, let available = clocked?.available() else { return true }
        return available < 0 || (samples.count...samples.count + slack).contains(available)
    }

    /// Takes the next quantum that is due. Call until `.nothing`.
    /// - Parameter isNeeded: a call needs sound, so silence must replace a missing device.
    mutating func pull(isNeeded: Bool, _ counters: MediaCounters, at now: Instant) -> Pull {
        guard let stream else { return pullSilence(isNeeded: isNeeded, at: now) }
        guard !clock.isMissing || pacer.tick(at: now), rest.mayAsk(at: now) else { return .nothing }
        let available = stream.available()
        if available < 0 { return recover(stream, from: available, counters, at: now) }
        if available > stream.bufferFrames {
            let skipped = stream.skip(available - available % samples.count)
            if skipped < 0 { return recover(stream, from: skipped, counters, at: now) }
            ranOver(counters, at: now)
            return .nothing
        }
        guard available >= samples.count else {
            rest.hasNothing(at: now)
            return timeout.isOver(at: now) ? .lost(-ETIMEDOUT) : .nothing
        }
        let count = samples.write(samples.all) { stream.read(into: &$0) }
        if count < 0 { return recover(stream, from: count, counters, at: now) }
        guard count > 0 else { return .nothing }
        timeout.progress(at: now)
        rest.hasMoved(at: now)
        clock.move(count, at: now)
        counters.periodsCaptured.count()
        return deliver(count, at: now)
    }

    private mutating func deliver(_ count: Int, at now: Instant) -> Pull {
        defer {
            delivered = now
            isInterrupted = false
        }
        guard isInterrupted else { return .samples(count, missed: 0) }
        let passed = MediaClock(rate: SoundFormat.sampleRate).ticks(now - delivered)
        return .samples(count, missed: max(0, Int(passed) - count))
    }

    private mutating func pullSilence(isNeeded: Bool, at now: Instant) -> Pull {
        guard isNeeded else {
            pacer.stop()
            return .nothing
        }
        guard pacer.tick(at: now) else { return .nothing }
        for index in samples.all { samples[index] = 0 }
        return deliver(samples.count, at: now)
    }

    /// Counts an overrun. The thread came too late; the device itself works.
    private mutating func ranOver(_ counters: MediaCounters, at now: Instant) {
        counters.captureOverruns.count()
        breaks += 1
        isInterrupted = true
        timeout.progress(at: now)
    }

    private mutating func recover(
        _ stream: SoundStream, from code: Int, _ counters: MediaCounters, at now: Instant
    ) -> Pull {
        switch Int32(-code) {
        case EAGAIN, EINTR:
            return .nothing
        case EPIPE, ESTRPIPE:
            let recovery = stream.recover(from: code)
            if recovery == .notYet { return rest.isSuspended(at: now) ? .nothing : .lost(-ESTRPIPE) }
            ranOver(counters, at: now)
            switch recovery {
            case .notYet, .running: return .nothing
            case .lost(let code): return .lost(code)
            case .ready:
                let code = start(stream)
                return code < 0 ? .lost(Int32(code)) : .nothing
            }
        case let other:
            return .lost(-other)
        }
    }
}
