import Base
import PhoneCore
import SoundCore

extension AudioEngine {
    mutating func takeMessages(at now: Instant) {
        while let command = wiring.commands.receive() { take(command) }
        if let sound = wiring.rings?.take(after: &ringOrders) { ring.play(sound) }
        while let reply = wiring.devices.receive() { take(reply, at: now) }
    }

    private mutating func take(_ command: AudioCommand) {
        switch command {
        case .call(let command):
            take(command)
            // Onward to the thread that must learn it next: see `CallCommand`.
            if !wiring.network.send(command) { context.counters.messagesLost.count() }
        case .tone(let number): tone.start(context.tones.tone(Int(number)))
        case .noTone: tone.stop()
        case .click(let symbol): click.start(context.tones.click(symbol))
        case .route(let number): route = Route(number: number)
        case .conference(let reference, let isJoined):
            reference.call.voice.join(isJoined)
            shareSound()
        case .record(let reference): begin(reference)
        case .recordNothing: endRecording()
        case .play(let reference): begin(reference)
        case .playNothing: endFile()
        }
    }

    private mutating func take(_ command: CallCommand) {
        switch command {
        case .add:
            break
        case .activate(let reference):
            reference.call.voice.activate()
            place(reference.call, first: false)
        case .agree(let reference, let next):
            let call = reference.call
            call.voice.agree(next.agreement, call)
            // Who is to be heard again takes the sound; who is held makes room.
            if call.voice.isActive { place(call, first: !next.agreement.receives) }
        case .drop(let reference):
            if reference.call.handle == recording?.recording.handle { endRecording() }
            if reference.call.handle == file?.file.handle { leaveFile() }
            calls.removeAll { $0 === reference.call }
            reference.call.voice.sound(false, reference.call)
            shareSound()
        }
    }

    private mutating func place(_ call: CallMedia, first: Bool) {
        calls.removeAll { $0 === call }
        calls.insert(call, at: first ? 0 : calls.count)
        shareSound()
    }

    /// The only place that decides who has the sound: all that have joined the conference; where only one has, the
    /// others, too, as they are about to join or to be held; without one, the last call.
    private mutating func shareSound() {
        let joined = calls.count { $0.voice.isJoined }
        isShared = joined > 1
        for (index, call) in calls.enumerated() {
            let isHeard = isShared ? call.voice.isJoined : joined == 1 || index == calls.count - 1
            call.voice.sound(isHeard, call)
            if !isShared { call.voice.withhold() }
        }
    }

    private mutating func take(_ reply: DeviceReply, at now: Instant) {
        switch reply {
        case .use(let stream, let isRinger):
            switch stream.direction {
            case .capture:
                let code = mouth.adopt(stream, at: now)
                if code < 0 { giveBack(mouth.giveUp(), code: Int32(code)) }
            case .playback:
                ear.adopt(stream, at: now)
                self.isRinger = isRinger
            }
        case .giveBack(.capture): giveBack(mouth.giveUp(), code: 0)
        case .giveBack(.playback): giveBack(ear.giveUp(), code: 0)
        }
    }
}
