import PhoneCore

/// The first line of a recording: everything that a replay needs before the first event.
public struct RecordingHeader: Codable, Sendable {
    let format: String
    /// The phone's policy and its whole state.
    public let machine: PhoneMachine
    /// The version of the program that recorded.
    public let program: String
    /// Whether numbers and names are pseudonyms. Secrets always are.
    public let redacted: Bool

    init(machine: PhoneMachine, program: String, redacted: Bool) {
        format = RecordingFormat.title
        self.machine = machine
        self.program = program
        self.redacted = redacted
    }
}
