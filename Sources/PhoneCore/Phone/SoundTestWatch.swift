import Base

/// The tests of loudspeaker and microphone: the running one, the next one, and the last result.
struct SoundTestWatch: Equatable, Codable, Sendable {
    struct Run: Equatable, Codable, Sendable {
        var test: SoundTest
        /// When the test counts as failed.
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
