import Control

extension PhoneFaults {
    /// Records which part of the control interface cannot be opened.
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

    /// The report as a sentence for the log.
    var sentence: String {
        switch self {
        case .peerRefused(let user):
            "rejected a program of \(user.map { "user \($0)" } ?? "an unknown user"): it may not use the control socket"
        case .tooManyConnections: "rejected a program: all connections are in use"
        case .slowReaderDropped: "closed a connection: its program does not read what the phone sends"
        case .overlongLineDropped: "closed a connection: its program sent too long a line"
        case .requestRefused(let why, let address): "rejected a request from \(address): \(why)"
        case .guesserSlowed(let address): "\(address) sent wrong tokens; its next attempts are delayed"
        case .notOpen(_, let error): "\(error); retrying every few seconds; calls are not affected"
        case .opened(.socket): "the control socket is open again"
        case .opened(.http): "the HTTP port is open again"
        case .listenerFailed(let why): "accepts no more connections: \(why)"
        }
    }
}
