import Base
import Bench
import Testing

/// People speak at the same time, each into one mouth, each heard at one ear.
public struct Conversation {
    public typealias Person = (mouth: Wire, ear: Wire, words: WaveFile)

    /// What one of them says, and where it ought to be heard.
    private struct Voice {
        let name: String
        let words: WaveFile
        let mouth: Wire
        let ear: Wire
    }

    /// How often it is said at most, some seven seconds each time.
    private static let sayings = 4

    private let voices: [Voice]

    /// Two people hear each other.
    public init(first: Person, second: Person) {
        voices = [
            Voice(name: "first speaker", words: first.words, mouth: first.mouth, ear: second.ear),
            Voice(name: "second speaker", words: second.words, mouth: second.mouth, ear: first.ear),
        ]
    }

    /// One hears what the far end sends back.
    public init(echoOf person: Person) {
        voices = [Voice(name: "echo", words: person.words, mouth: person.mouth, ear: person.ear)]
    }

    /// Speaks, listens, and expects that all were understood.
    ///
    /// A machine that stands still gives nobody a voice, and a phone that met that keeps a longer delay for some seconds,
    /// as it should. So who was not understood says it again; what is broken stays broken.
    public func hold(floorDecibels: Double = 5, sourceLocation: SourceLocation = #_sourceLocation) {
        var lost = voices.map(\.name)
        for _ in 0..<Self.sayings where !lost.isEmpty {
            lost = say().filter { $0.ratio < floorDecibels }.map(\.name)
        }
        for name in lost { Issue.record("the \(name) was not understood", sourceLocation: sourceLocation) }
    }

    /// All speak once. How well each was understood, in decibels.
    private func say() -> [(name: String, ratio: Double)] {
        let start = Wire.now + Wire.rate / 2
        for voice in voices { voice.mouth.say(voice.words.samples, at: start) }
        let longest = voices.map(\.words.samples.count).reduce(0, max) + Wire.rate
        MonotonicTime.sleep(.nanoseconds((start + longest + Wire.rate / 4 - Wire.now) * 1_000_000_000 / Wire.rate))
        return voices.map { voice in
            let similarity = Similarity(said: voice.words.samples, heard: voice.ear.heard(start..<start + longest))
            print("\(voice.name): \(similarity.map { "\($0)" } ?? "not heard")")
            return (voice.name, similarity?.segmentalRatioDecibels ?? -10)
        }
    }
}
