import Base
import Bench

/// People who hum one note into their telephones without a breath, and listen to each other.
public final class Humming {
    private static let pitch = 1_000.0
    /// What is said at a time: whole waves, so that one piece goes on where the one before ended.
    private static let piece = Wire.rate
    /// A tone is told from noise within so many frames.
    private static let glance = Wire.rate / 10
    private static let step = Wire.rate / 50

    private let people: [(mouth: Wire, ear: Wire)]
    private let note: [Int16]
    private var said = Wire.now

    public init(_ people: [(mouth: Wire, ear: Wire)]) {
        self.people = people
        note = (0..<Self.piece).map { frame in
            Int16(8_000 * Tones.wave(at: Self.pitch, frame: frame))
        }
    }

    /// Waits for this time.
    public func hum(for duration: Duration) {
        let end = Wire.now + Int(duration.nanoseconds) * Wire.rate / 1_000_000_000
        while Wire.now < end {
            goOn()
            Wire.sleep(untilFrame: min(end, Wire.now + Self.step))
        }
    }

    /// Whether nobody hears anybody at present.
    public var isBroken: Bool {
        let frame = Wire.now - 2 * Self.glance
        return people.allSatisfy { !hears($0.ear, at: frame) }
    }

    /// How long after this frame everybody hears the other. Nil: not within the limit.
    public func back(after frame: Int, within limit: Duration) -> Duration? {
        let end = frame + Int(limit.nanoseconds) * Wire.rate / 1_000_000_000
        var latest = frame
        for person in people {
            var candidate = frame
            while true {
                goOn()
                guard candidate < end else { return nil }
                Wire.sleep(untilFrame: candidate + Self.glance + Self.step)
                if hears(person.ear, at: candidate) { break }
                candidate += Self.step
            }
            latest = max(latest, candidate)
        }
        return .nanoseconds((latest - frame) * 1_000_000_000 / Wire.rate)
    }

    private func hears(_ ear: Wire, at frame: Int) -> Bool {
        Tones.hold([Self.pitch], in: ear.heard(frame..<frame + Self.glance))
    }

    private func goOn() {
        while said < Wire.now + 2 * Self.piece {
            for person in people { person.mouth.say(note, at: said) }
            said += Self.piece
        }
    }
}
