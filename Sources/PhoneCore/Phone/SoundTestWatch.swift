import Base

/// The tests of loudspeaker and microphone: the one that runs, the next one, and what the last one found.
struct SoundTestWatch: Equatable, Codable, Sendable {
    struct Run: Equatable, Codable, Sendable {
        var test: SoundTest
        /// When it has failed.
        var until: Instant
        /// The action that asked for it. Nil: the phone tests by itself.
        var action: ActionID?
    }

    var run: Run?
    /// The time from which on the phone tests by itself, as soon as it may.
    var due: Instant?
    var result: SoundTestResult?
    var count: UInt32 = 0
}
