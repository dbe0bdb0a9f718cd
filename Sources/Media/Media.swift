import Base
import PhoneCore
import Synchronization

/// The hand that owns sound: devices, codec, keys, sockets, and the threads on which voice runs.
///
/// Voice never passes through the control thread. `perform` only sends messages and makes what a call needs; it does
/// not wait for a device, a thread or the network. Events come through `post` on threads of Media's own, or on the
/// caller's within `perform`.
public final class Media: Sendable {
    /// Effects that came before `configure`.
    private static let backlogLimit = 64

    struct State: Sendable {
        enum Engine: Sendable {
            case unconfigured(backlog: [MediaEffect])
            case running(MediaThreads)
            case closed
        }

        var engine = Engine.unconfigured(backlog: [])
        var calls: [CallID: CallEntry] = [:]
        var nextHandle: UInt32 = 1
    }

    let settings: MediaSettings
    private let seal: RecordingSeal?
    let registry = CallRegistry()
    private let volume = VolumeControl()
    let counters = MediaCounters()
    let probes = Probes()
    private let post: @Sendable (MediaEvent) -> Void
    private let notice: @Sendable (MediaNotice) -> Void
    /// Only the control thread's; the lock is never waited for and lets `statistics` and `close` come from elsewhere.
    private let state = Mutex(State())

    /// Touches nothing outside memory.
    /// - Parameters:
    ///   - seal: what makes recordings unreadable; nil: they are in clear.
    ///   - post: takes events; from any thread, may lock, must not block for long.
    ///   - notice: takes what an operator should know.
    public init(
        settings: MediaSettings, seal: RecordingSeal? = nil, post: @escaping @Sendable (MediaEvent) -> Void,
        notice: @escaping @Sendable (MediaNotice) -> Void = { _ in }
    ) {
        settings.check()
        self.settings = settings
        self.seal = seal
        self.post = post
        self.notice = notice
    }

    /// Phase 2: starts the threads, reads ALSA's configuration, opens no device. What was performed before is done now.
    /// Once.
    public func configure() throws(MediaError) {
        let threads = try MediaThreads(
            settings: settings, seal: seal, volume: volume, counters: counters, registry: registry,
            probes: probes, post: post, notice: notice)
        let backlog = state.withLock { state -> [MediaEffect] in
            guard case .unconfigured(let backlog) = state.engine else {
                preconditionFailure("media is configured once, before it is closed")
            }
            state.engine = .running(threads)
            return backlog
        }
        for effect in backlog { perform(effect) }
    }

    /// Carries out an effect. Never blocks. Effects on calls that are gone change nothing.
    ///
    /// The calls' volume is a gain on what the ear hears of them: 7 is as it came, each step 3 dB, 0 silence. Tones and
    /// clicks keep theirs, and sound in a pause. The ring's is one on what the ringer plays, where 10 is as it came.
    public func perform(_ effect: MediaEffect) {
        let events = state.withLock { state in
            switch state.engine {
            case .running(let threads): return perform(effect, threads, &state)
            case .unconfigured(let backlog): return keepForLater(effect, backlog, &state)
            case .closed: return []
            }
        }
        for event in events { post(event) }
    }

    /// Ends the threads, closes devices and sockets, wipes keys. Takes some milliseconds; nothing is posted afterwards.
    public func close() {
        let engine = state.withLock { state in
            defer {
                state.engine = .closed
                state.calls = [:]
            }
            return state.engine
        }
        if case .running(let threads) = engine { threads.stop() }
        registry.removeAll()
    }

    /// What was counted since the start. From any thread.
    public var statistics: MediaStatistics { counters.snapshot() }

    /// Sockets can be had before sound; everything else waits.
    private func keepForLater(_ effect: MediaEffect, _ backlog: [MediaEffect], _ state: inout State) -> [MediaEvent] {
        if case .open(let call) = effect { return open(call, &state) }
        guard backlog.count < Self.backlogLimit else {
            counters.messagesLost.count()
            return []
        }
        state.engine = .unconfigured(backlog: backlog + [effect])
        return []
    }

    private func perform(
        _ effect: MediaEffect, _ threads: MediaThreads, _ state: inout State
    ) -> [MediaEvent] {
        let audio = threads.commands
        switch effect {
        case .open(let call): return open(call, &state)
        case .connect(let call, let negotiated): return connect(call, negotiated, audio, &state)
        case .activate(let call): return activate(call, audio, state)
        case .update(let call, let negotiated): return update(call, negotiated, audio, &state)
        case .microphone(let call, let isOpen): return setMicrophone(call, isOpen, &state)
        case .dtmf(let call, let elements, let inBand): return send(elements, inBand: inBand, on: call, state)
        case .release(let call): return release(call, audio, &state)
        case .tone(let tone): return tell(audio, tone.map { .tone($0.number) } ?? .noTone)
        case .ring(let ring): threads.rings?.play(ring)
        case .keyClick(let symbol): return tell(audio, .click(symbol.rawValue))
        case .route(let route): return tell(audio, .route(route.number))
        case .pause(let isPaused): volume.pause(isPaused)
        case .volume(let kind, let level): volume.set(kind, level)
        case .conference(let call, let isJoined): return join(call, isJoined, audio, state)
        case .record(let call?): return record(call, threads, state)
        case .record(nil): return tell(audio, .recordNothing)
        case .play(let wanted?): return play(wanted, threads, state)
        case .play(nil): return tell(audio, .playNothing)
        }
        return []
    }

    /// Nil before there are threads, and when they have ended.
    var runningCommands: Mailbox<AudioCommand>? {
        state.withLock { state in
            switch state.engine {
            case .running(let threads): threads.commands
            case .unconfigured, .closed: nil
            }
        }
    }

    private func tell(_ audio: Mailbox<AudioCommand>, _ command: AudioCommand) -> [MediaEvent] {
        if !audio.send(command) { counters.messagesLost.count() }
        return []
    }
}
