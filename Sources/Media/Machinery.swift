import PhoneCore

/// The threads and what joins them. Made by `configure`, stopped by `close`.
///
///     control ──► audio ◄──► network ──► herald ──► post
///                   ▲│                     ▲
///                   ││                     │ (audio's reports)
///                   │▼                     │
///              device keeper ──► post      └── and the end of calls
///
/// Where calls may be recorded a scribe is a fifth one: audio ──► scribe ──► post. Where files may be played a reciter is
/// another: control ──► reciter ──► audio, and post.
///
/// Every arrow is a wait-free ring with one producer and one consumer, and a wake-up signal. The two real-time threads
/// never call `post`, which may lock: the herald does it for them. Devices are opened and closed by their keeper.
/// SRTP is done on the network thread, so that the audio thread uses nothing but ALSA, Opus and rings.
final class Machinery: Sendable {
    private static let capacity = 256
    /// Below the kernel's own threads and above everything that is not sound.
    private static let audioPriority: Int32 = 20
    private static let networkPriority: Int32 = 19

    let commands: Mailbox<AudioCommand>
    /// Where calls may be recorded.
    let scribe: Scribe?
    /// Where files may be played.
    let reciter: Reciter?
    private let sound: Crew
    private let service: Crew

    init(
        settings: MediaSettings, loudness: Loudness, counters: MediaCounters, registry: CallRegistry,
        post: @escaping @Sendable (MediaEvent) -> Void, notice: @escaping @Sendable (MediaNotice) -> Void
    ) throws(MediaError) {
        let (audioWake, networkWake) = (try WakeSignal(), try WakeSignal())
        let (keeperWake, heraldWake) = (try WakeSignal(), try WakeSignal())
        let (scribeWake, reciterWake) = (try WakeSignal(), try WakeSignal())
        commands = Mailbox(capacity: Self.capacity, wake: audioWake)
        let replies = Mailbox<DeviceReply>(capacity: Self.capacity, wake: audioWake)
        let requests = Mailbox<DeviceRequest>(capacity: Self.capacity, wake: keeperWake)
        let toNetwork = Mailbox<CallCommand>(capacity: Self.capacity, wake: networkWake)
        let audioReports = Mailbox<Report>(capacity: Self.capacity, wake: heraldWake)
        let networkReports = Mailbox<Report>(capacity: Self.capacity, wake: heraldWake)
        let (soundStop, serviceStop) = (StopFlag(), StopFlag())
        sound = Crew(stop: soundStop, wakes: [audioWake, networkWake])
        service = Crew(stop: serviceStop, wakes: [keeperWake, heraldWake, scribeWake, reciterWake])
        scribe = Scribe(settings, wake: scribeWake, stop: serviceStop, post: post, notice: notice)
        reciter = Reciter(settings, wake: reciterWake, stop: serviceStop, post: post, notice: notice)

        let herald = Herald(
            audio: audioReports, network: networkReports, wake: heraldWake, stop: serviceStop, registry: registry,
            post: post)
        let wiring = AudioEngine.Wiring(
            commands: commands, devices: replies, wake: audioWake, keeper: requests, network: toNetwork,
            stop: soundStop)
        let audio = AudioContext(
            reports: audioReports, counters: counters, loudness: loudness, tones: ToneTable(settings.country),
            networkWake: networkWake, scribeWake: scribeWake, reciterWake: reciterWake)
        let network = NetworkContext(
            reports: networkReports, counters: counters, canonicalName: Self.canonicalName())
        do throws(MediaError) {
            try service.start("media-herald") {
                SRTPSession.prepareLibrary()
                herald.run()
            }
            try service.start("media-devices") {
                var keeper = DeviceKeeper(
                    settings: settings, requests: requests, replies: replies, wake: keeperWake, stop: serviceStop,
                    counters: counters, post: post, notice: notice)
                keeper.run()
                keeper.closeAll()
            }
            if let scribe { try service.start("media-scribe") { scribe.run() } }
            if let reciter { try service.start("media-reciter") { reciter.run() } }
            try sound.start("media-network") {
                Self.becomeRealTime("media-network", Self.networkPriority, notice)
                var engine = NetworkEngine(commands: toNetwork, wake: networkWake, stop: soundStop, context: network)
                engine.run()
            }
            try sound.start("media-audio") {
                Self.becomeRealTime("media-audio", Self.audioPriority, notice)
                var engine = AudioEngine(settings: settings, wiring: wiring, context: audio)
                engine.run()
            }
        } catch {
            stop()
            throw error
        }
    }

    /// Ends the threads: first those that use devices and calls, then those that own them. Some milliseconds.
    func stop() {
        sound.end()
        service.end()
    }

    private static func becomeRealTime(
        _ name: String, _ priority: Int32, _ notice: @Sendable (MediaNotice) -> Void
    ) {
        guard let refusal = MediaThread.becomeRealTime(priority: priority) else { return }
        notice(.normalPriority(thread: name, reason: SystemText.describe(refusal)))
    }

    /// 96 random bits in hexadecimal (RFC 7022 §4.2).
    private static func canonicalName() -> [UInt8] {
        (0..<24).map { _ in Array("0123456789abcdef".utf8)[Int.random(in: 0..<16)] }
    }
}
