import Base
import CALSA  // For poll.h.
import Glibc
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// A command from the control thread to the audio thread.
enum AudioOrder: BitwiseCopyable, Sendable {
    case call(CallCommand)
    /// `Tone.number`.
    case tone(UInt8)
    case noTone
    /// `DTMFSymbol.rawValue`.
    case click(UInt8)
    /// `Route.number`.
    case route(UInt8)
    case conference(Borrowed<CallMedia>, joined: Bool)
    case record(Borrowed<Recording>)
    case recordNothing
    case play(Borrowed<PlayedFile>)
    case playNothing
    case page(Borrowed<PageMedia>)
    case noPage
    /// `SoundTest`, with `Route.number`.
    case test(number: UInt32, route: UInt8)
    case noTest
}

/// The audio thread. When the sound device wakes it, it receives voice, renders sound for the earpiece, takes sound
/// from the microphone, and sends it. A timer replaces a missing device, so that a call still sends and receives
/// packets.
///
/// Confined to its thread. While a call runs it does not allocate, lock or log, whatever the devices do: the device
/// keeper opens and closes them. (alsa-lib takes a mutex of each stream, which no other thread holds.)
struct AudioEngine: ~Copyable {
    /// How often to check a device without events.
    private static let lookInterval = Duration.milliseconds(100)
    /// How long playback waits at most until the microphone is due.
    private static let courtesy = Duration.milliseconds(25)
    private static let descriptorLimit = 16
    /// Receiving takes at most this part of a period, whatever arrives.
    private static let receiveShare = 5
    /// Limit of quanta moved before messages are read again, whatever a device reports.
    private static let burst = 16

    /// The queues, signals and flags that connect the audio thread to other threads.
    struct Wiring: Sendable {
        let commands: ThreadQueue<AudioOrder>
        let devices: ThreadQueue<DeviceReply>
        let wake: WakeSignal
        let keeper: ThreadQueue<DeviceRequest>
        let network: ThreadQueue<NetworkOrder>
        /// Voices that the network thread lends.
        let voices: ThreadQueue<Borrowed<CallMedia>>
        /// The order to ring, if a route's device is also the ringer.
        let rings: RingOrder?
        /// The order that contains the hold music; nil without music.
        let music: RingOrder?
        let stop: StopFlag
    }

    let wiring: Wiring
    let context: AudioContext
    var captureDevice: CaptureDevice
    var playbackDevice: PlaybackDevice
    /// Active calls. The newest has the sound; in a conference several have it (see `shareSound`).
    var calls: [Borrowed<CallMedia>] = []
    /// The far ends of the calls that have the sound hear each other.
    var isShared = false
    var recording: Borrowed<Recording>?
    /// The file that plays into a call.
    var file: Borrowed<PlayedFile>?
    var playback: PlaybackTap
    /// The page that plays.
    var page: Borrowed<PageMedia>?
    var test: RunningTest?
    var tone = ToneGenerator()
    var notes = ToneGenerator()
    var click = ToneGenerator()
    var ring = RingPlayer()
    var ringOrders = 0
    /// The music of held far ends, and the part of it that they hear now.
    var music = RingPlayer()
    var musicOrders = 0
    let tune: Workspace<Int16>
    /// The playback device is also the ringer. A ring plays on no other device.
    var isRinger = false
    var route: Route
    private let ringerRoute: Route?
    private let pageRoute: Route
    private var captureMeter = LevelMeter()
    private var playbackMeter = LevelMeter()
    private var mixer: Mixer
    private var processors: VoiceProcessors
    let voice: Workspace<Int16>
    private let output: Workspace<Int16>
    private var descriptors: [pollfd]
    let linger: Duration
    /// How long to receive voice before the sound device has its turn.
    let receiveTime: Duration
    /// The route last requested from the keeper.
    private var asked: Route?
    var lastNeeded = Instant.zero

    init(settings: MediaSettings, wiring: Wiring, context: AudioContext) {
        self.wiring = wiring
        self.context = context
        let quantum = settings.quantum
        let period = Duration.milliseconds(settings.periodMilliseconds)
        captureDevice = CaptureDevice(quantum: quantum, period: period)
        playbackDevice = PlaybackDevice(quantum: quantum, period: period)
        playback = PlaybackTap(quantum: quantum)
        mixer = Mixer(capacity: quantum)
        processors = VoiceProcessors(settings: settings)
        voice = Workspace(count: quantum, filler: 0)
        tune = Workspace(count: quantum, filler: 0)
        output = Workspace(count: quantum, filler: 0)
        descriptors = Array(repeating: pollfd(), count: Self.descriptorLimit)
        linger = settings.linger
        receiveTime = period / Self.receiveShare
        (route, ringerRoute, pageRoute) = (settings.firstRoute, settings.ringerRoute, settings.pageRoute)
        calls.reserveCapacity(MediaSettings.callLimit)
    }

    mutating func run() {
        while !wiring.stop.isRaised {
            sleep()
            context.probe.answer()
            takeMessages(at: MonotonicClock.now())
            receiveVoice()
            // Playback comes first, because the voices that it decodes go to other far ends at once.
            servePlayback(at: MonotonicClock.now())
            serveCapture(at: MonotonicClock.now())
            askForDevices(at: MonotonicClock.now())
        }
    }

    /// The route that needs sound; nil: none. A ring takes the devices only while no call and no tone needs them.
    private var needed: Route? {
        if page != nil { return pageRoute }
        if !calls.isEmpty || tone.isActive { return route }
        if ring.isActive { return ringerRoute }
        if let test { return test.route }
        return click.isActive ? route : nil
    }

    /// Whether the call with this handle has the sound.
    func hears(_ handle: UInt32) -> Bool {
        calls.contains { $0.use { $0.handle == handle && $0.voice.isHeard } }
    }

    // MARK: Sleeping

    private mutating func sleep() {
        let now = MonotonicClock.now()
        let (captureStream, playbackStream) = (captureDevice.watched(at: now), playbackDevice.watched(at: now))
        let (deadline, wake) = (deadline, wiring.wake)
        let woken = unsafe descriptors.withUnsafeMutableBufferPointer { all in
            unsafe all[0] = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            let middle = unsafe 1 + (captureStream?.watch(UnsafeMutableBufferPointer(rebasing: all[1...])) ?? 0)
            let end = unsafe middle + (playbackStream?.watch(UnsafeMutableBufferPointer(rebasing: all[middle...])) ?? 0)
            guard let start = all.baseAddress else { return (false, false) }
            unsafe Poll.wait(start, count: end, until: deadline)
            if unsafe all[0].revents != 0 { wake.clear() }
            let (ofCapture, ofPlayback) = unsafe (
                UnsafeMutableBufferPointer(rebasing: all[1..<middle]),
                UnsafeMutableBufferPointer(rebasing: all[middle..<end])
            )
            return unsafe (
                captureStream?.acknowledge(ofCapture) ?? false, playbackStream?.acknowledge(ofPlayback) ?? false
            )
        }
        if woken.0 { captureDevice.wake() }
        if woken.1 { playbackDevice.wake() }
    }

    /// When to check without being woken; nil if there is nothing to do. It and `lag` are `mutating`, because Swift
    /// copies all 11 kB of this value to the stack for a function that only borrows it.
    private var deadline: Instant? {
        mutating get {
            var next: Instant?
            if captureDevice.stream != nil || playbackDevice.stream != nil {
                next = MonotonicClock.now() + Self.lookInterval
            }
            if playbackDevice.isFresh { next = playbackDevice.progress + Self.courtesy }
            if let due = captureDevice.pacer.due { next = min(next ?? due, due) }
            if let due = playbackDevice.pacer.due { next = min(next ?? due, due) }
            if let end = captureDevice.rest.end { next = min(next ?? end, end) }
            if let end = playbackDevice.rest.end { next = min(next ?? end, end) }
            if asked != nil, needed == nil {
                let end = lastNeeded + linger
                next = min(next ?? end, end)
            }
            return next
        }
    }

    // MARK: Sound

    /// Reads the sockets of all calls whose voice this thread has. A flood takes neither the time of the sound device
    /// nor that of another call.
    private mutating func receiveVoice() {
        guard !calls.isEmpty else { return }
        let share = receiveTime / calls.count
        for index in calls.indices {
            let lent = calls[index]
            let isKept = lent.use { call in
                guard call.voice.hasVoice else { return true }
                let end = MonotonicClock.now() + share
                return Borrowed(call.voice.negotiated).use {
                    call.input.receive(call.port, $0, until: end, context.voice)
                }
            }
            if !isKept { returnVoice(of: lent) }
        }
    }

    /// Passes sound from the microphone to the calls.
    private mutating func serveCapture(at now: Instant) {
        for _ in 0..<Self.burst {
            switch captureDevice.pull(isNeeded: !calls.isEmpty || test != nil, context.counters, at: now) {
            case .nothing:
                return
            case .lost(let code):
                giveBack(captureDevice.giveUp(), code: code)
            case .samples(let count, let missed):
                clean(count)
                captureDevice.samples.read(0..<count) { captureMeter.take($0) }
                tellLevels()
                if test != nil { continueTest(count) }
                deliver(count, missed: missed, at: now)
            }
        }
    }

    private mutating func clean(_ count: Int) {
        guard !calls.isEmpty else {
            processors.rest()
            return
        }
        processors.turn(to: route)
        let lag = processors.cancelsEcho ? lag : nil
        captureDevice.samples.write(0..<count) { processors.clean(&$0, lag) }
    }

    /// The delay between the two devices; nil unless both are running.
    private var lag: EchoReference.Lag? {
        mutating get {
            guard let played = playbackDevice.stream?.delay, let captured = captureDevice.stream?.delay else {
                return nil
            }
            return EchoReference.Lag(samples: played + captured, breaks: playbackDevice.breaks + captureDevice.breaks)
        }
    }

    /// Sends sound on the calls that have the sound. For the other calls only time passes.
    private mutating func deliver(_ count: Int, missed: Int, at now: Instant) {
        mixer.begin(count: count)
        if isShared {
            for index in calls.indices {
                calls[index].use { if $0.voice.isHeard { $0.voice.relay(count, into: &mixer, context) } }
            }
        }
        let recorded = recorded
        recorded?.use { $0.tap.beginSent(count, into: &mixer) }
        play(count, beside: recorded)
        renderMusic(count)
        for index in calls.indices {
            calls[index].use { send(count, missed: missed, on: $0, beside: recorded, at: now) }
        }
        record(count)
    }

    private func send(
        _ count: Int, missed: Int, on call: CallMedia, beside recorded: Borrowed<Recording>?, at now: Instant
    ) {
        if call.gauges.playsMusic.load(ordering: .relaxed) {
            return sendMusic(count, missed: missed, on: call, at: now)
        }
        guard call.voice.isHeard else { return call.voice.rest(missed + count) }
        if missed > 0 { call.voice.rest(missed) }
        voice.write(0..<count) { samples in
            captureDevice.samples.read(0..<count) { for place in $0.indices { samples[place] = $0[place] } }
            call.voice.gate(&samples, on: call.port, context)
        }
        voice.read(0..<count) { said in recorded?.use { if $0.handle == call.handle { $0.tap.addSent(said) } } }
        let hasEnded = voice.write(0..<count) {
            call.voice.send(&$0, beside: mixer, on: call.port, context, at: now)
        }
        if hasEnded { context.tell(.dtmfSent(call: call.handle)) }
    }

    /// Plays the next part of a file to all far ends that have the sound, and into their recording.
    private mutating func play(_ count: Int, beside recorded: Borrowed<Recording>?) {
        played?.use { played in
            let isComplete = played.isComplete.load(ordering: .acquiring)
            let there = playback.send(
                count, gain: context.volume.farEnds, from: played.samples, into: &mixer)
            playback.sent(count) { said in recorded?.use { $0.tap.addSent(said) } }
            account(for: played, isComplete: isComplete, missing: count - there)
        }
    }

    /// Mixes and plays what the playback device asks for.
    private mutating func servePlayback(at now: Instant) {
        for _ in 0..<Self.burst {
            guard isTimely(at: now) else { return }
            switch playbackDevice.demand(isNeeded: needed != nil, context.counters, at: now) {
            case .nothing:
                return
            case .lost(let code):
                giveBack(playbackDevice.giveUp(), code: code)
            case .dry:
                continue
            case .quantum:
                mix(at: now)
                let played = output.write(output.all) { sound -> PlaybackDevice.Played in
                    mixer.finish(into: &sound)
                    return playbackDevice.play(sound.span, context.counters, at: now)
                }
                switch played {
                case .taken(let count):
                    output.read(0..<count) { processors.play($0) }
                    output.read(0..<count) { playbackMeter.take($0) }
                    tellLevels()
                case .lost(let code): giveBack(playbackDevice.giveUp(), code: code)
                }
            }
        }
    }

    /// Whether playback may begin. It begins when the microphone has completed a quantum, unless the devices are linked
    /// and begin together. If one clock drives both devices, both are then always due at the same time, and the thread
    /// sleeps once for both.
    private func isTimely(at now: Instant) -> Bool {
        !playbackDevice.isFresh || playbackDevice.stream?.isLinked == true
            || captureDevice.isPunctual(within: PlaybackDevice.slack)
            || now - playbackDevice.progress >= Self.courtesy
    }

    /// Mixes calls, tones and the ring for the playback device.
    private mutating func mix(at now: Instant) {
        mixer.begin(count: output.count)
        let recorded = recorded
        recorded?.use { $0.tap.beginReceived(output.count) }
        for index in calls.indices { calls[index].use { receive($0, beside: recorded, at: now) } }
        recorded?.use { $0.tap.endReceived(output.count, into: &mixer) }
        if playback.isHeard { playback.monitor(output.count, gain: context.volume.playback, into: &mixer) }
        if let page {
            let burst = playbackDevice.burst(at: now)
            voice.write(voice.all) { sound in
                page.use { $0.audio.render(into: &sound, $0.voice, burst, context, at: now) }
                mixer.add(sound.span)
            }
        }
        if tone.isActive {
            voice.write(voice.all) {
                tone.render(into: &$0)
                mixer.add($0.span)
            }
        }
        if notes.isActive {
            voice.write(voice.all) {
                notes.render(into: &$0)
                mixer.add($0.span)
            }
        }
        if click.isActive {
            voice.write(voice.all) {
                click.render(into: &$0)
                mixer.add($0.span)
            }
        }
        if ring.isActive {
            voice.write(voice.all) {
                ring.render(into: &$0, volume: context.volume.ringer)
                if isRinger { mixer.add($0.span) }
            }
        }
    }

    /// Mixes the far end's voice with the local user's volume. A recording gets it at its original level.
    private mutating func receive(_ call: CallMedia, beside recorded: Borrowed<Recording>?, at now: Instant) {
        guard call.voice.isHeard, call.voice.negotiated.receives else { return }
        call.gauges.tellPlayback(waiting: playbackDevice.waiting)
        let burst = playbackDevice.burst(at: now)
        voice.write(voice.all) { sound in
            call.voice.receive(into: &sound, isShared: isShared, burst, on: call.port, context, at: now)
            recorded?.use { $0.tap.addReceived(sound.span) }
            call.voice.hearing.apply(context.volume.playback, to: &sound)
            mixer.add(sound.span)
        }
    }

    // MARK: Devices

    func giveBack(_ stream: SoundStream?, code: Int32) {
        guard let stream else { return }
        if !wiring.keeper.send(.returned(stream, code: code)) { context.counters.messagesLost.count() }
    }

    /// Requests the needed route from the keeper when it changes.
    private mutating func askForDevices(at now: Instant) {
        if let needed {
            lastNeeded = now
            if asked != needed, wiring.keeper.send(.want(needed.number)) { asked = needed }
        } else if asked != nil, now - lastNeeded >= linger, wiring.keeper.send(.rest) {
            asked = nil
            captureMeter.rest()
            playbackMeter.rest()
            tellLevels()
        }
    }

    private func tellLevels() {
        context.counters.captureLevel.store(captureMeter.level, ordering: .relaxed)
        context.counters.playbackLevel.store(playbackMeter.level, ordering: .relaxed)
    }
}
