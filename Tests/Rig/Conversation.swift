import Base
import Bench
import Testing

/// Two people speak at the same time, each into one mouth, each heard at one ear.
public struct Conversation {
    public let first: (mouth: Wire, ear: Wire, words: WaveFile)
    public let second: (mouth: Wire, ear: Wire, words: WaveFile)

    public init(
        first: (mouth: Wire, ear: Wire, words: WaveFile), second: (mouth: Wire, ear: Wire, words: WaveFile)
    ) {
        self.first = first
        self.second = second
    }

    /// Speaks, listens, and expects that both were understood, or the first alone. A machine that stood still meanwhile
    /// gives nobody a voice: who was not understood says it once more.
    public func hold(
        floorDecibels: Double = 5, judgesSecond: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        func lost() -> [String] { say().filter { $0.ratio < floorDecibels }.map(\.name) }
        let judged: Set = judgesSecond ? ["first", "second"] : ["first"]
        guard !judged.isDisjoint(with: lost()) else { return }
        for name in judged.intersection(lost()) {
            Issue.record("the \(name) speaker was not understood", sourceLocation: sourceLocation)
        }
    }

    /// Both speak once. How well each was understood, in decibels.
    private func say() -> [(name: String, ratio: Double)] {
        let start = Wire.now + Wire.rate / 2
        first.mouth.say(first.words.samples, at: start)
        second.mouth.say(second.words.samples, at: start)
        let longest = max(first.words.samples.count, second.words.samples.count) + Wire.rate
        MonotonicTime.sleep(.nanoseconds((start + longest + Wire.rate / 4 - Wire.now) * 1_000_000_000 / Wire.rate))
        return [(first.words, second.ear, "first"), (second.words, first.ear, "second")].map { words, ear, name in
            let similarity = Similarity(said: words.samples, heard: ear.heard(start..<start + longest))
            print("\(name) speaker: \(similarity.map { "\($0)" } ?? "not heard")")
            return (name, similarity?.segmentalRatioDecibels ?? -10)
        }
    }
}
