import Control

extension ControlReport {
    /// The report in words, for the log.
    var sentence: String {
        switch self {
        case .peerRefused(let user): "a program of \(user.map { "user \($0)" } ?? "an unknown user") was turned away"
        case .tooManyConnections: "a program was turned away: all connections are in use"
        case .slowReaderDropped: "a program that did not read what it was sent was dropped"
        case .overlongLineDropped: "a program that sent too long a line was dropped"
        case .requestRefused(let why, let address): "a request of \(address) was refused: \(why)"
        case .guesserSlowed(let address): "\(address) shows wrong tokens, and has to wait from now on"
        case .listenerFailed(let why): "takes no more connections: \(why)"
        }
    }
}
