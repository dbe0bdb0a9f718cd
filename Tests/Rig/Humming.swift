import Base
import Bench

/// People who hum one note into their telephones without a pause, and listen to each other.
public final class Humming {
    private static let pitch = 1_000.0
    /// A quarter of the hummed level, as RMS.
    private static let loudness = 1_400.0
    /// The length of a written piece: whole waves, so the pieces join.
    private static let piece = Wire.rate
    /// A note is distinguished from noise, and from a note with a gap, within so many frames.
    private static let glance = Wire.rate / 10
    private static let step = Wire.rate / 50
    /// Sound in transit, and concealment, last less than this when a path breaks.
    private static let span = 4 * glance

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

    /// Whether no person hears another at present.
    public var isBroken: Bool {
        let frame = Wire.now - 2 * Self.glance
        return people.allSatisfy { !hears($0.ear, at: frame) }
    }

    /// The time after this frame at which everyone starts to hear the other without a gap. Nil: not within the limit.
    public func back(after frame: Int, within limit: Duration) -> Duration? {
        let end = frame + Int(limit.nanoseconds) * Wire.rate / 1_000_000_000
        var latest = frame
        for person in people {
            var candidate = frame
            while true {
                goOn()
                guard candidate < end else { return nil }
                Wire.sleep(untilFrame: candidate + Self.span + Self.step)
                let glances = stride(from: candidate, to: candidate + Self.span, by: Self.glance)
                if glances.allSatisfy({ hears(person.ear, at: $0) }) { break }
                candidate += Self.step
            }
            latest = max(latest, candidate)
        }
        return .nanoseconds((latest - frame) * 1_000_000_000 / Wire.rate)
    }

    /// Loud enough, with as many waves as the note has. It need not be a pure tone: a phone that follows another clock
    /// bends the pitch by up to 0.5 % (`ClockBridge`), and its gain may settle.
    private func hears(_ ear: Wire, at frame: Int) -> Bool {
        let sound = ear.heard(frame..<frame + Self.glance)
        let power = sound.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(sound.count)
        let waves = zip(sound, sound.dropFirst()).count { $0 < 0 && $1 >= 0 }
        let expected = Self.pitch * Double(Self.glance) / Double(Wire.rate)
        return power > Self.loudness * Self.loudness && abs(Double(waves) - expected) <= 0.03 * expected
    }

    private func goOn() {
        while said < Wire.now + 2 * Self.piece {
            for person in people { person.mouth.say(note, at: said) }
            said += Self.piece
        }
    }
}
