import Media
import PhoneCore
import SoundCore

/// A person with two calls that hear each other, and the two far ends: one with Opus, one with another codec.
struct TestConference {
    /// The three people's notes, in hertz, all at the same time.
    enum Note: Int, CaseIterable {
        case here = 500
        case left = 800
        case right = 1_300
    }

    static let first = TestPhone.call
    static let second = CallID(.phone, 2)
    /// A note below this level, in dB, is absent: codec noise of others is still quieter.
    private static let threshold = -45.0

    let here: TestPhone
    let left: TestPhone
    let right: TestPhone
    /// The agreement with the left far end.
    let plan: NegotiatedMedia
    /// And with the right one.
    let other: NegotiatedMedia

    /// - Parameter change: differences from the usual settings.
    init(
        _ codec: AudioCodec = .pcmu, milliseconds: Int = 20,
        _ change: (inout MediaSettings) -> Void = { _ in }
    ) throws {
        (here, left, right) = (try TestPhone(change), try TestPhone(), try TestPhone())
        guard here.open(), left.open(), right.open(), let port = Self.openSecond(of: here) else {
            throw TestCall.NotConnected()
        }
        plan = here.plan(to: left, milliseconds: milliseconds, protection: nil)
        other = here.plan(to: right, codec, milliseconds: milliseconds, protection: nil)
        var back = right.plan(to: here, codec, milliseconds: milliseconds, protection: nil)
        back.remote = MediaAddress(host: "127.0.0.1", port: port)
        back.remoteControl = MediaAddress(host: "127.0.0.1", port: port + 1)
        here.perform(.connect(Self.first, plan), .activate(Self.first), .connect(Self.second, other))
        left.perform(
            .connect(Self.first, left.plan(to: here, milliseconds: milliseconds, protection: nil)),
            .activate(Self.first))
        right.perform(.connect(Self.first, back), .activate(Self.first))
        here.perform(.activate(Self.second))
    }

    private static func openSecond(of phone: TestPhone) -> UInt16? {
        phone.perform(.open(second, .direct))
        return phone.log.wait { event -> UInt16? in
            if case .opened(second, let endpoint) = event { endpoint.port } else { nil }
        }
    }

    /// The two calls are one conversation, or two.
    func share(_ isShared: Bool) {
        for call in [Self.first, Self.second] { here.perform(.conference(call, joined: isShared)) }
    }

    /// The two calls are one conversation, and everyone has heard a voice.
    func join() -> Bool {
        share(true)
        return [left, right].allSatisfy { $0.log.wait(for: .firstVoice(Self.first)) }
            && [Self.first, Self.second].allSatisfy { here.log.wait(for: .firstVoice($0)) }
    }

    /// The plan of the left call while it is held.
    var held: NegotiatedMedia {
        var held = plan
        (held.sends, held.receives) = (false, false)
        return held
    }

    func sing(seconds: Double) {
        let start = WireFile.now()
        for (phone, note) in [(here, Note.here), (left, .left), (right, .right)] {
            phone.device.mouth.say(
                TestSignal.sine(Double(note.rawValue), amplitude: 4_000, seconds: seconds), at: start)
        }
    }

    /// The notes of the last 200 ms, at an ear. The newest of them are still on their way to the device.
    ///
    /// A note is measured in 50 ms at a time, which separates frequencies by 80 Hz. A bridge and a jitter buffer that
    /// both catch up play a note some 10 Hz too high, which 200 ms at a time would miss.
    static func heard(at phone: TestPhone) -> Set<Note> {
        let end = WireFile.now() - 30 * 48
        let parts = (1...4).map { phone.device.ear.heard(end - $0 * 50 * 48..<end - ($0 - 1) * 50 * 48) }
        return Set(
            Note.allCases.filter { note in
                parts.contains { ToneDetector.level(of: note.rawValue, in: $0.span) > threshold }
            })
    }

    /// The sound at the three ears once it is as expected; a stalling machine breaks a note, and then the test listens
    /// again.
    func heard(expecting wanted: Ears) -> Ears {
        var ears = Ears()
        for _ in 0..<8 where ears != wanted {
            listen(milliseconds: 400)
            ears = Ears(Self.heard(at: here), Self.heard(at: left), Self.heard(at: right))
        }
        return ears
    }

    struct Ears: Equatable {
        let here: Set<Note>
        let left: Set<Note>
        let right: Set<Note>

        init(_ here: Set<Note> = [], _ left: Set<Note> = [], _ right: Set<Note> = []) {
            (self.here, self.left, self.right) = (here, left, right)
        }
    }
}
