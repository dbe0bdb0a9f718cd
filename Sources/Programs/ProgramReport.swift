/// A report about a program for the log.
public enum ProgramReport: Equatable, Sendable {
    case cannotStart(String, String)
    /// It ended with this status or this signal.
    case failed(String, ProgramExit)
    /// It exceeded its time limit and was ended.
    case tookTooLong(String, Duration)
    /// A line of its output.
    case said(String, String)
    /// Events that were dropped, because too many programs run already or too many started in the last second.
    case dropped(Int)

    /// Whether it reports a fault.
    public var isWarning: Bool { if case .said = self { false } else { true } }

    public var sentence: String {
        switch self {
        case .cannotStart(let program, let why): "\(program) could not be started: \(why)"
        case .failed(let program, .status(let status)): "\(program) ended with status \(status)"
        case .failed(let program, .signal(let signal)): "\(program) ended by signal \(signal)"
        case .tookTooLong(let program, let limit):
            "\(program) took longer than \(limit.components.seconds) s and was ended"
        case .said(let program, let line): "\(program): \(line)"
        case .dropped(let count):
            "\(count) \(count == 1 ? "event was" : "events were") dropped: too many programs run or start at once"
        }
    }
}

/// How a program ended.
public enum ProgramExit: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
}
