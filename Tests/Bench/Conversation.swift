import Base

/// People speak at the same time, each into one mouth, each heard at one ear.
public struct Conversation {
    /// One person's speech, and the ear that should hear it.
    public struct Voice {
        public let name: String
        public let words: WaveFile
        public let mouth: Wire
        public let ear: Wire

        public init(_ name: String, words: WaveFile, mouth: Wire, ear: Wire) {
            self.name = name
            self.words = words
            self.mouth = mouth
            self.ear = ear
        }
    }

    /// The last result for a voice.
    public struct Hearing {
        public let voice: Voice
        public let heard: WaveFile
        /// Nil if nothing was heard.
        public let similarity: Similarity?
        fileprivate let limit: Double

        /// In decibels.
        public var ratio: Double { similarity?.segmentalRatioDecibels ?? -10 }
        public var isUnderstood: Bool { ratio >= limit }
    }

    /// How often it is repeated at most, some seven seconds each time.
    private static let sayings = 4

    private let voices: [Voice]
    private let limit: Double

    /// - Parameter limit: The similarity from which a voice is understood, in decibels.
    public init(_ voices: [Voice], understoodFrom limit: Double = Similarity.understood) {
        (self.voices, self.limit) = (voices, limit)
    }

    /// Speaks and listens until all were understood, or the attempts are used up.
    ///
    /// A stalled machine breaks voices, and a phone that met a stall keeps a longer delay for some seconds, as it
    /// should. So unclear speech is repeated; a real fault stays.
    public func hold() -> [Hearing] {
        var best = say()
        for _ in 1..<Self.sayings where !best.allSatisfy(\.isUnderstood) {
            best = zip(best, say()).map { $0.isUnderstood ? $0 : $1 }
        }
        return best
    }

    /// All speak once.
    private func say() -> [Hearing] {
        let start = Wire.now + Wire.rate / 2
        for voice in voices { voice.mouth.say(voice.words.samples, at: start) }
        let longest = voices.map(\.words.samples.count).reduce(0, max) + Wire.rate
        Wire.sleep(untilFrame: start + longest + Wire.rate / 4)
        return voices.map { voice in
            let heard = voice.ear.heard(start..<start + longest)
            return Hearing(
                voice: voice, heard: WaveFile(samples: heard),
                similarity: Similarity(said: voice.words.samples, heard: heard), limit: limit)
        }
    }
}
