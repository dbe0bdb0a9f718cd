import Bench
import Testing

extension Conversation {
    public typealias Person = (mouth: Wire, ear: Wire, words: WaveFile)

    /// Two people hear each other.
    /// - Parameter isTranscoded: Whether a server between them transcodes their speech.
    public init(first: Person, second: Person, isTranscoded: Bool = false) {
        self.init(
            [
                Voice("first speaker", words: first.words, mouth: first.mouth, ear: second.ear),
                Voice("second speaker", words: second.words, mouth: second.mouth, ear: first.ear),
            ], understoodFrom: Similarity.understood(isTranscoded: isTranscoded))
    }

    /// One person hears the far end's echo.
    public init(echoOf person: Person) {
        self.init([Voice("echo", words: person.words, mouth: person.mouth, ear: person.ear)])
    }

    /// They talk, and all are understood.
    public func expectUnderstood(sourceLocation: SourceLocation = #_sourceLocation) {
        for hearing in hold() {
            let name = hearing.voice.name
            print("\(name): \(hearing.similarity.map { "\($0)" } ?? "not heard")")
            #expect(hearing.isUnderstood, "the \(name) was not understood", sourceLocation: sourceLocation)
        }
    }
}
