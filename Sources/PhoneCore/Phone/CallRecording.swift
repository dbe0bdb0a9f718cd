/// The recording of a call. Only one is possible at a time.
enum CallRecording: Equatable, Codable, Sendable {
    case on(CallID)
    /// Nothing more is recorded. It is not known yet whether the file is complete.
    case ending(CallID)

    var call: CallID {
        switch self {
        case .on(let call), .ending(let call): call
        }
    }

    /// The call that is being recorded.
    var recorded: CallID? {
        switch self {
        case .on(let call): call
        case .ending: nil
        }
    }
}
