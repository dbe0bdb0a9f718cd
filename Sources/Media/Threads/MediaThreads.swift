import Base
import CALSA
import PhoneCore
import Platform
import Synchronization

/// Media's threads and their connections. `configure` makes them and `close` stops them.
///
///     control ──► audio ◄──► network ──► event forwarder ──► post
///                   ▲│                     ▲
///                   ││                     │ (audio's reports)
///                   │▼                     │
///              device keeper ──► post      └── and the end of calls
///
/// The drawing leaves out these threads:
///
/// - The connector finds paths and does handshakes: network ◄──► connector ──► audio.
///   It also calls `post`.
/// - The recorder, if calls may be recorded: audio ──► recorder ──► post.
/// - The player, if files may be played: control ──► player ──► audio. It also calls `post`.
/// - The ringer, if there is one: control ──► ringer ──► post.
///
/// Every arrow of the drawing between threads is a wait-free ring with one producer and one consumer, and a wake-up
/// signal. The recorder, the player, the ringer and the connector get their orders from the control thread under a
/// lock. The connector's paths and keys become a command to the audio thread under the control thread's lock.
///
/// The two real-time threads never call `post`, which may lock: the event forwarder does it for them. The device keeper
/// opens and closes devices. The event forwarder also initialises libsrtp, when the first call is prepared.
final class MediaThreads: Sendable {
    private static let capacity = 256
    /// A call fails when a thread that it needs has not answered for this long. Opening a device may take seconds.
    private static let patience = Duration.seconds(5)

    let commands: ThreadQueue<AudioOrder>
    /// Present if calls may be recorded.
    let recorder: CallRecorder?
    /// Present if files may be played.
    let player: FilePlayer?
    /// Present if there is a ringer.
    let rings: RingBook?
    /// Present if held far ends hear music.
    private let music: HoldMusic?
    /// The groups whose pages play.
    let pages: [PageMedia]
    let connector: Connector
    let forwarder: EventForwarder
    /// One probe for each thread that can hang.
    let probes: [ThreadProbe]
    private let sound: ThreadGroup
    private let service: ThreadGroup
    /// Raised when no real-time thread uses devices and calls any more.
    private let soundEnd = StopFlag()

    init(
        settings: MediaSettings, seal: RecordingSeal?, volume: VolumeControl, counters: MediaCounters,
        registry: CallRegistry, pages: [PageMedia], canonicalName: [UInt8], connector: Connector,
        networkWake: WakeSignal, post: @escaping @Sendable (MediaEvent) -> Void,
        notice: @escaping @Sendable (MediaNotice) -> Void
    ) throws(MediaError) {
        (self.pages, self.connector) = (pages, connector)
        let audioWake = try WakeSignal.make()
        let (keeperWake, forwarderWake) = (try WakeSignal.make(), try WakeSignal.make())
        let (recorderWake, playerWake) = (try WakeSignal.make(), try WakeSignal.make())
        rings = try RingBook(settings, audioWake: audioWake)
        music = HoldMusic(settings, audioWake: audioWake)
        commands = ThreadQueue(capacity: Self.capacity, wake: audioWake)
        let replies = ThreadQueue<DeviceReply>(capacity: Self.capacity, wake: audioWake)
        let requests = ThreadQueue<DeviceRequest>(capacity: Self.capacity, wake: keeperWake)
        let toNetwork = ThreadQueue<NetworkOrder>(capacity: Self.capacity, wake: networkWake)
        let voices = ThreadQueue<Borrowed<CallMedia>>(capacity: Self.capacity, wake: audioWake)
        let audioReports = ThreadQueue<Report>(capacity: Self.capacity, wake: forwarderWake)
        let networkReports = ThreadQueue<Report>(capacity: Self.capacity, wake: forwarderWake)
        let (soundStop, serviceStop) = (StopFlag(), StopFlag())
        sound = ThreadGroup(stop: soundStop, wakes: [audioWake, networkWake])
        service = ThreadGroup(
            stop: serviceStop,
            wakes: [keeperWake, forwarderWake, recorderWake, playerWake] + (rings?.wakes ?? []) + connector.wakes)
        recorder = CallRecorder(
            settings, seal: seal, counters: counters, wake: recorderWake, stop: serviceStop, post: post, notice: notice)
        player = FilePlayer(settings, wake: playerWake, stop: serviceStop, post: post, notice: notice)

        forwarder = EventForwarder(
            audio: audioReports, network: networkReports, wake: forwarderWake, stop: serviceStop, registry: registry,
            probe: ThreadProbe(.mediaEvents) { forwarderWake.raise() }, post: post, notice: notice)
        let wiring = AudioEngine.Wiring(
            commands: commands, devices: replies, wake: audioWake, keeper: requests, network: toNetwork, voices: voices,
            rings: settings.ringerRoute == nil ? nil : rings?.order, music: music?.order, stop: soundStop)
        let audio = AudioContext(
            reports: audioReports, probe: ThreadProbe(.mediaAudio) { audioWake.raise() }, counters: counters,
            volume: volume, tones: ToneTable(settings.country), networkWake: networkWake, recorderWake: recorderWake,
            playerWake: playerWake)
        let network = NetworkContext(
            reports: networkReports, probe: ThreadProbe(.mediaNetwork) { networkWake.raise() }, counters: counters,
            canonicalName: canonicalName)
        let keeperProbe = ThreadProbe(.mediaDevices) { keeperWake.raise() }
        let workers = [recorder?.probe, player?.probe, rings?.probe].compactMap { $0 }
        probes = [audio.probe, network.probe, forwarder.probe, keeperProbe, connector.probe] + workers
        calsa_silence()
        do throws(MediaError) {
            try service.start(.mediaEvents) { [forwarder] in forwarder.run() }
            try startKeeper {
                DeviceKeeper(
                    settings: settings, requests: requests, replies: replies, wake: keeperWake, stop: serviceStop,
                    counters: counters, probe: keeperProbe, audioProbe: audio.probe, post: post, notice: notice)
            }
            try startWorkers(stop: serviceStop, notice)
            try startRinger(settings, serviceStop, volume, counters, post)
            try startSound(settings, wiring, audio, network, wake: networkWake, notice)
        } catch {
            _ = stop(by: MonotonicClock.now() + .seconds(10))
            throw error
        }
    }

    /// The handshakes with the far end for these terms: those already under way, or new ones.
    func handshakes(
        for negotiated: NegotiatedMedia, insteadOf previous: Handshake.Pair?
    ) throws(MediaError) -> Handshake.Pair? {
        guard let association = negotiated.dtls else { return nil }
        let isSame = previous?.voice.fingerprints == association.fingerprints
        func handshake(insteadOf known: Handshake?) throws(MediaError) -> Handshake {
            if let known, isSame { return known }
            return try connector.handshake(association.fingerprints)
        }
        let voice = try handshake(insteadOf: previous?.voice)
        guard negotiated.remoteControl != nil else { return .init(voice: voice) }
        return .init(voice: voice, control: try handshake(insteadOf: previous?.control))
    }

    /// Starts ICE for these terms, if they ask for it. Begins their handshake, or continues it at another address, and
    /// ends the previous terms' handshake if it is a different one.
    func connect(_ call: CallMedia, _ prepared: PreparedMedia, insteadOf previous: PreparedMedia?) {
        let session = prepared.iceSession
        // Another certificate means another far end. End the previous handshake while its path still exists, so that
        // its close_notify reaches the previous far end.
        let isOther = previous?.handshake != nil && prepared.handshake !== previous?.handshake
        if isOther { connector.end(call.handle, .voice) }
        if let former = previous?.controlHandshake, former !== prepared.controlHandshake {
            connector.end(call.handle, .control)
        }
        if let session, let connectivity = call.connectivity {
            connector.negotiate(connectivity, session, isOther: isOther)
        }
        guard let association = prepared.association else { return }
        if let handshake = prepared.handshake {
            connector.begin(handshake, association, of: call, .voice, at: prepared.voice, isOnPath: session != nil)
        }
        // RTCP on its own port does not use ICE's path.
        if let handshake = prepared.controlHandshake {
            connector.begin(handshake, association, of: call, .control, at: prepared.control, isOnPath: false)
        }
    }

    /// Ends the threads: first those that use devices and calls, then those that own them. Takes some milliseconds, and
    /// at most until the deadline.
    /// - Returns: The threads that hang: they may still use devices and calls.
    func stop(by deadline: Instant) -> [ThreadRole] {
        let now = MonotonicClock.now()
        let hanging = sound.end(by: now + (deadline - now) / 2)
        if hanging.isEmpty { soundEnd.raise() }
        return hanging + service.end(by: deadline)
    }

    /// A thread that every call needs and that has not answered for long.
    func hanging(at now: Instant) -> ThreadProbe? {
        probes.first { probe in
            guard probe.isVital, probe.name != ThreadRole.mediaRinger.rawValue else { return false }
            return probe.ask(at: now).map { now - $0 >= Self.patience } ?? false
        }
    }

    private func startKeeper(_ make: @escaping @Sendable () -> DeviceKeeper) throws(MediaError) {
        try service.start(.mediaDevices) { [soundEnd] in
            var keeper = make()
            keeper.run()
            // A hanging audio thread may still use its device.
            if soundEnd.isRaised { keeper.closeAll() }
        }
    }

    /// Starts the threads that work for calls. Not every phone has all of them.
    private func startWorkers(
        stop: StopFlag, _ notice: @escaping @Sendable (MediaNotice) -> Void
    ) throws(MediaError) {
        try startReader(notice)
        if let recorder { try service.start(.mediaRecorder) { recorder.run() } }
        if let player { try service.start(.mediaPlayer) { player.run() } }
        try service.start(.mediaConnections) { [connector] in connector.run(until: stop) }
        if connector.servers.isNeeded {
            try service.startDetached(.mediaNames) { [servers = connector.servers] in servers.run(until: stop) }
        }
    }

    /// Starts a thread that reads the files and then ends, so that no ring waits for a slow disk.
    private func startReader(_ notice: @escaping @Sendable (MediaNotice) -> Void) throws(MediaError) {
        guard rings != nil || music != nil else { return }
        try service.start(.mediaRings) { [rings, music] in
            rings?.load(notice)
            music?.load(notice)
        }
    }

    private func startRinger(
        _ settings: MediaSettings, _ stop: StopFlag, _ volume: VolumeControl, _ counters: MediaCounters,
        _ post: @escaping @Sendable (MediaEvent) -> Void
    ) throws(MediaError) {
        guard let rings, let probe = rings.probe, let device = settings.ringer?.device else { return }
        try service.start(.mediaRinger) {
            var ringer = Ringer(
                name: device, order: rings.order, stop: stop, probe: probe, volume: volume, counters: counters,
                post: post)
            ringer.run()
        }
    }

    private func startSound(
        _ settings: MediaSettings, _ wiring: AudioEngine.Wiring, _ audio: AudioContext, _ network: NetworkContext,
        wake: WakeSignal,
        _ notice: @escaping @Sendable (MediaNotice) -> Void
    ) throws(MediaError) {
        try startRealTime(.mediaNetwork, notice) { [pages] in
            var engine = NetworkEngine(
                commands: wiring.network, voices: wiring.voices, wake: wake, stop: wiring.stop, context: network,
                pages: pages)
            engine.run()
        }
        try startRealTime(.mediaAudio, notice) {
            var engine = AudioEngine(settings: settings, wiring: wiring, context: audio)
            engine.run()
        }
    }

    private func startRealTime(
        _ role: ThreadRole, _ notice: @escaping @Sendable (MediaNotice) -> Void,
        _ body: @escaping @Sendable () -> Void
    ) throws(MediaError) {
        try sound.start(role) {
            if let priority = role.priority, let refusal = NamedThread.becomeRealTime(priority: priority) {
                notice(.normalPriority(thread: role.rawValue, reason: SystemError.text(refusal)))
            }
            body()
        }
    }
}

/// Threads that end together.
final class ThreadGroup: Sendable {
    private let stop: StopFlag
    private let wakes: [WakeSignal]
    private let threads = Mutex<[(role: ThreadRole, thread: NamedThread)]>([])

    init(stop: StopFlag, wakes: [WakeSignal]) {
        self.stop = stop
        self.wakes = wakes
    }

    func start(_ role: ThreadRole, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        do throws(SystemFailure) {
            let thread = try NamedThread(role, body: body)
            threads.withLock { $0.append((role, thread)) }
        } catch {
            throw MediaError(error)
        }
    }

    /// Starts a thread that ends with the others, but for which `end` does not wait.
    func startDetached(_ role: ThreadRole, _ body: @escaping @Sendable () -> Void) throws(MediaError) {
        do throws(SystemFailure) { try NamedThread(role, body: body).detach() } catch { throw MediaError(error) }
    }

    /// Returns when all have ended, or at the deadline. A second call does nothing.
    /// - Returns: The threads that hang.
    func end(by deadline: Instant) -> [ThreadRole] {
        stop.raise()
        for wake in wakes { wake.raise() }
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        return ending.compactMap { $0.thread.join(by: deadline) ? nil : $0.role }
    }
}

/// Asks threads to end. Raise it, then wake them.
final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    var isRaised: Bool { flag.load(ordering: .acquiring) }
    func raise() { flag.store(true, ordering: .releasing) }
}
