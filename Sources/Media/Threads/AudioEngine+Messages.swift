import Base
import PhoneCore
import Platform
import SoundCore

extension AudioEngine {
    mutating func takeMessages(at now: Instant) {
        while let command = wiring.commands.receive() { take(command, at: now) }
        if let sound = wiring.rings?.take(after: &ringOrders) { ring.play(sound) }
        if let sound = wiring.music?.take(after: &musicOrders) { music.play(sound) }
        while let reply = wiring.devices.receive() { take(reply, at: now) }
        while let call = wiring.voices.receive() { takeVoice(of: call, at: now) }
    }

    private mutating func take(_ command: AudioOrder, at now: Instant) {
        switch command {
        case .call(let command):
            take(command, at: now)
            // The network thread is next to get the command: see `CallCommand`.
            if !wiring.network.send(.call(command)) { context.counters.messagesLost.count() }
        case .tone(let number): tone.start(context.tones.tone(Int(number)))
        case .noTone: tone.stop()
        case .click(let symbol): click.start(context.tones.click(symbol))
        case .route(let number): route = Route(number: number)
        case .conference(let call, let isJoined):
            call.use { $0.voice.join(isJoined) }
            shareSound()
        case .record(let recording): begin(recording)
        case .recordNothing: endRecording()
        case .play(let file): begin(file)
        case .playNothing: endFile()
        case .page(let next): hear(next)
        case .noPage: leavePage()
        case .test(let number, let route): test = RunningTest(number: number, route: Route(number: route))
        case .noTest: endTest()
        }
    }

    private mutating func take(_ command: CallCommand, at now: Instant) {
        switch command {
        case .add:
            break
        case .activate(let call):
            call.use { $0.voice.activate() }
            place(call, first: false)
        case .agree(let call, let next):
            next.use { next in
                call.use { $0.voice.agree(next, $0.port) }
                keepOrReturnVoice(of: call, under: next, at: now)
            }
            // A call that receives again takes the sound; a call on hold gives it up.
            if call.use({ $0.voice.isActive }) { place(call, first: next.use { !$0.receives }) }
        case .drop(let call):
            let handle = call.use { $0.handle }
            if recording?.use({ $0.handle }) == handle { endRecording() }
            if file?.use({ $0.handle }) == handle { leaveFile() }
            calls.removeAll { $0 === call }
            call.use { $0.voice.sound(false, $0.port) }
            shareSound()
            if call.use({ $0.voice.hasVoice }) { returnVoice(of: call) }
        }
    }

    private mutating func place(_ call: Borrowed<CallMedia>, first: Bool) {
        calls.removeAll { $0 === call }
        calls.insert(call, at: first ? 0 : calls.count)
        shareSound()
    }

    /// Decides which calls have the sound; no other code does. If several calls have joined the conference, those have
    /// it. If only one has joined, all calls have it, because the others are about to join or to be held. If none has
    /// joined, the newest call has it.
    private mutating func shareSound() {
        let joined = calls.count { $0.use { $0.voice.isJoined } }
        isShared = joined > 1
        for index in calls.indices {
            calls[index].use { call in
                let isHeard = isShared ? call.voice.isJoined : joined == 1 || index == calls.count - 1
                call.voice.sound(isHeard, call.port)
                if !isShared { call.voice.withhold() }
            }
        }
    }

    private mutating func take(_ reply: DeviceReply, at now: Instant) {
        switch reply {
        case .use(let stream, let isRinger):
            switch stream.direction {
            case .capture:
                let code = captureDevice.adopt(stream, at: now)
                if code < 0 { giveBack(captureDevice.giveUp(), code: Int32(code)) }
            case .playback:
                playbackDevice.adopt(stream, at: now)
                self.isRinger = isRinger
            }
        case .giveBack(.capture): giveBack(captureDevice.giveUp(), code: 0)
        case .giveBack(.playback): giveBack(playbackDevice.giveUp(), code: 0)
        }
    }
}

/// The voices that the network thread lends: see `NetworkOrder`. The functions are `mutating` for the reason of
/// `deadline`.
extension AudioEngine {
    /// Keeps a lent voice, or returns it if the call has ended or its newest terms do not allow the loan.
    mutating func takeVoice(of call: Borrowed<CallMedia>, at now: Instant) {
        guard calls.contains(where: { $0 === call }) else { return returnVoice(of: call) }
        call.use { $0.voice.hasVoice = true }
        keepOrReturnVoice(of: call, under: call.use { $0.voice.negotiated }, at: now)
    }

    /// Applies other terms to a voice that this thread has, if they allow the loan.
    mutating func keepOrReturnVoice(of call: Borrowed<CallMedia>, under terms: PreparedMedia, at now: Instant) {
        let isKept = call.use { call in
            guard call.voice.hasVoice else { return true }
            guard call.input.isReady(for: terms) else { return false }
            call.input.follow(terms, call.port, at: now)
            return true
        }
        if !isKept { returnVoice(of: call) }
    }

    /// Returns the voice. From then on this thread uses only the other parts of the call, and none of a dropped call,
    /// which may be freed at once.
    mutating func returnVoice(of call: Borrowed<CallMedia>) {
        call.use { $0.voice.hasVoice = false }
        if !wiring.network.send(.voice(call)) {
            call.use { $0.voice.hasVoice = true }
            context.counters.messagesLost.count()
        }
    }
}

/// A test of a route's microphone and loudspeaker that is under way.
struct RunningTest: Sendable {
    let number: UInt32
    let route: Route
    var check = SoundProbe()
}

/// The test of microphone and loudspeaker. It uses the devices as a call does, and any other use ends it.
extension AudioEngine {
    /// Takes a quantum from the microphone before voice processing.
    mutating func continueTest(_ count: Int) {
        let isWorking = captureDevice.stream != nil && playbackDevice.stream != nil
        guard var test else { return }
        let step = captureDevice.samples.read(0..<count) { test.check.hear($0, isWorking: isWorking) }
        self.test = test
        switch step {
        case .goOn: break
        case .play: notes.start(context.tones.notes)
        case .over(.heard(let before, let during)):
            context.tell(.soundTested(test.number, before: Float(before), during: Float(during)))
            endTest()
        case .over(.noDevice):
            context.tell(.soundUntested(test.number))
            endTest()
        }
    }

    /// Releases the devices at once, so that they are free for a call on another route.
    mutating func endTest() {
        guard test != nil else { return }
        test = nil
        notes.stop()
        lastNeeded = MonotonicClock.now() - linger
    }
}
