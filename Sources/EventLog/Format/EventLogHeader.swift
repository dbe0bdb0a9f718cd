import PhoneCore

/// The first line of an event log: everything that a replay needs before the first event.
public struct EventLogHeader: Codable, Sendable {
    let format: String
    /// The phone's policy and its whole state.
    public let machine: PhoneMachine
    /// The version of the recording program.
    public let program: String
    /// Whether numbers and names are pseudonyms. Secrets are always replaced.
    public let redacted: Bool
    /// Whether digits in calls are zeros. Nil in older files, which hid digits with everything else or not at all.
    public let hidesDigits: Bool?

    init(machine: PhoneMachine, program: String, privacy: Privacy) {
        format = EventLogFormat.title
        self.machine = machine
        self.program = program
        switch privacy {
        case .nothingHidden: (redacted, hidesDigits) = (false, false)
        case .digitsHidden: (redacted, hidesDigits) = (false, true)
        case .everybodyHidden: (redacted, hidesDigits) = (true, true)
        }
    }
}
