import Base
import Cryptography
import PhoneCore
import Platform
import Synchronization

/// The adapter for sound: owns devices, codecs, keys, sockets and the media threads.
///
/// Voice never passes through the control thread. `perform` only sends messages and creates what a call needs. It does
/// not wait for a device, a thread or the network. Media calls `post` on its own threads or, within `perform`, on the
/// caller's thread.
public final class Media: Sendable {
    /// Limit of effects that Media keeps before `configure`.
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
        var sentPage: SentPage?
        /// How the calls of each account find a path to the far end.
        var ice: [AccountID: ICESettings]
        /// The phone's own addresses, for pages.
        var addresses: [String] = []
    }

    let settings: MediaSettings
    private let seal: RecordingSeal?
    let identity: DTLSIdentity?
    /// CNAME: 96 bits, random for each run of the program, so that they identify no person (RFC 7022 §4.2).
    let canonicalName = (0..<12).map { _ in UInt8.random(in: 0...UInt8.max) }.hexadecimal
    let registry = CallRegistry()
    private let volume = VolumeControl()
    let counters = MediaCounters()
    let post: @Sendable (MediaEvent) -> Void
    let notice: @Sendable (MediaNotice) -> Void
    /// The control thread uses the state, so it rarely waits for the lock. The lock allows `close` on another thread,
    /// and lets the connector's thread deliver keys.
    private let state: Mutex<State>

    /// Changes nothing outside memory.
    /// - Parameters:
    ///   - seal: seals recordings; nil: they are not encrypted.
    ///   - identity: the certificate that this phone shows in handshakes; nil: it takes part in no handshake.
    ///   - post: takes events, on any thread. It may lock but must not block for long.
    ///   - notice: takes notices for the operator.
    package init(
        settings: MediaSettings, seal: RecordingSeal? = nil, identity: DTLSIdentity? = nil,
        post: @escaping @Sendable (MediaEvent) -> Void,
        notice: @escaping @Sendable (MediaNotice) -> Void = { _ in }
    ) {
        settings.check()
        self.settings = settings
        state = Mutex(State(ice: settings.ice))
        self.seal = seal
        self.identity = identity
        self.post = post
        self.notice = notice
    }

    /// Phase 2: starts the threads and reads ALSA's configuration; opens no device. Then carries out the kept effects.
    /// Call it once.
    public func configure() throws(MediaError) {
        let networkWake = try WakeSignal.make()
        let threads = try MediaThreads(
            settings: settings, seal: seal, volume: volume, counters: counters, registry: registry,
            pages: Self.pages(settings, notice), canonicalName: Array(canonicalName.utf8),
            connector: connector(networkWake: networkWake), networkWake: networkWake, post: post, notice: notice)
        join([], threads.pages)
        let backlog = state.withLock { state -> [MediaEffect] in
            guard case .unconfigured(let backlog) = state.engine else {
                preconditionFailure("media is configured once, before it is closed")
            }
            state.engine = .running(threads)
            if !state.calls.isEmpty { threads.forwarder.prepareSRTP() }
            return backlog
        }
        for effect in backlog { perform(effect) }
    }

    /// Carries out an effect. Never blocks. Effects on calls that are gone change nothing.
    ///
    /// The call volume is a gain on the calls' voices at the earpiece: 7 is 0 dB, each step is 3 dB, and 0 is silence.
    /// Tones and key clicks keep their level, and they are heard during a pause, too. The ring volume is a gain on the
    /// ringer's sound, where 10 is 0 dB.
    public func perform(_ effect: MediaEffect) {
        let events = state.withLock { state -> [MediaEvent] in
            let threads: MediaThreads
            switch state.engine {
            case .running(let running): threads = running
            case .unconfigured(let backlog): return keepForLater(effect, backlog, &state)
            case .closed: return []
            }
            let audio = threads.commands
            switch effect {
            case .open(let call, let account):
                if let hanging = threads.hanging(at: MonotonicClock.now()) {
                    return [.failed(call, MediaError.hanging(thread: hanging.name).description)]
                }
                return open(call, account, threads, &state)
            case .gather(let call): return gather(call, threads, state)
            case .connect(let call, let negotiated): return connect(call, negotiated, threads, &state)
            case .activate(let call): return activate(call, audio, state)
            case .update(let call, let negotiated): return update(call, negotiated, threads, &state)
            case .microphone(let call, let isOpen): return setMicrophone(call, isOpen, &state)
            case .holdMusic(let call, let isOn): return playMusic(call, isOn, state)
            case .dtmf(let call, let elements, let inBand): return send(elements, inBand: inBand, on: call, state)
            case .release(let call): return release(call, threads, &state)
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
            case .page(let number?): return hear(number, threads)
            case .page(nil): return tell(audio, .noPage)
            case .joinPages(let addresses):
                state.addresses = addresses
                join(addresses, threads.pages)
            case .sendPage(let page): return send(page, threads, &state)
            case .testSound(let test?): return tell(audio, .test(number: test.number, route: test.route.number))
            case .testSound(nil): return tell(audio, .noTest)
            }
            return []
        }
        for event in events { post(event) }
    }

    /// Replaces the ICE settings of all accounts, for the calls that come from now on.
    package func use(_ ice: [AccountID: ICESettings]) { state.withLock { $0.ice = ice } }

    /// One probe for each audio thread that can hang, to ask whether it still works. Empty while there are no threads.
    /// From the control thread.
    public var probes: [ThreadProbe] { withThreads { threads, _ in threads.probes } ?? [] }

    /// Ends the threads, closes devices and sockets, wipes keys. Takes some milliseconds; Media posts nothing
    /// afterwards.
    /// - Returns: The threads that still hang at the deadline. Memory that they may use is never freed.
    @discardableResult
    public func close(by deadline: Instant = MonotonicClock.now() + .seconds(10)) -> [ThreadRole] {
        let engine = state.withLock { state in
            defer {
                state.engine = .closed
                state.calls = [:]
                state.sentPage = nil
            }
            return state.engine
        }
        switch engine {
        case .closed: return []
        case .unconfigured: break
        case .running(let threads):
            let hanging = threads.stop(by: deadline)
            guard hanging.isEmpty else {
                // A hanging thread may still use its calls.
                _ = unsafe Unmanaged.passRetained(registry)
                return hanging
            }
        }
        registry.removeAll()
        return []
    }

    /// The counts since the start. From any thread.
    public var statistics: MediaStatistics { counters.snapshot() }

    /// Opens sockets at once, because that needs no audio thread, unless the account demands ICE. Keeps every other
    /// effect for `configure`.
    private func keepForLater(_ effect: MediaEffect, _ backlog: [MediaEffect], _ state: inout State) -> [MediaEvent] {
        if case .open(let call, let account) = effect, !state.ice(of: account).isDemanded {
            return open(call, account, nil, &state)
        }
        guard backlog.count < Self.backlogLimit else {
            counters.messagesLost.count()
            return []
        }
        state.engine = .unconfigured(backlog: backlog + [effect])
        return []
    }

    /// Calls `body` with the threads and the state; nil before `configure` and after `close`. Send commands to the
    /// audio thread only from within `body`: its queue allows one producer at a time.
    func withThreads<Value: Sendable>(_ body: (MediaThreads, inout State) -> Value) -> Value? {
        state.withLock { state in
            switch state.engine {
            case .running(let threads): return body(threads, &state)
            case .unconfigured, .closed: return nil
            }
        }
    }

    func tell(_ audio: ThreadQueue<AudioOrder>, _ command: AudioOrder) -> [MediaEvent] {
        if !audio.send(command) { counters.messagesLost.count() }
        return []
    }
}
