import Control

extension PhoneFaults {
    /// Remembers which part of the control interface is not open.
    func take(_ report: ControlReport) {
        switch report {
        case .notOpen(.socket, let error): set(.controlSocket, "\(error)")
        case .notOpen(.http, let error): set(.http, "\(error)")
        case .opened(.socket): set(.controlSocket, nil)
        case .opened(.http): set(.http, nil)
        case .peerRefused, .tooManyConnections, .slowReaderDropped, .overlongLineDropped, .requestRefused,
            .guesserSlowed, .listenerFailed:
            return
        }
    }
}

extension ControlReport {
    var isFault: Bool { if case .notOpen = self { true } else { false } }

    /// The report in words, for the log.
    var sentence: String {
        switch self {
        case .peerRefused(let user): "a program of \(user.map { "user \($0)" } ?? "an unknown user") was turned away"
        case .tooManyConnections: "a program was turned away: all connections are in use"
        case .slowReaderDropped: "a program that did not read what it was sent was dropped"
        case .overlongLineDropped: "a program that sent too long a line was dropped"
        case .requestRefused(let why, let address): "a request of \(address) was refused: \(why)"
        case .guesserSlowed(let address): "\(address) shows wrong tokens, and has to wait from now on"
        case .notOpen(_, let error): "\(error); it is tried again every few seconds, and calls work meanwhile"
        case .opened(.socket): "the control socket is open now"
        case .opened(.http): "the port of HTTP is open now"
        case .listenerFailed(let why): "takes no more connections: \(why)"
        }
    }
}
