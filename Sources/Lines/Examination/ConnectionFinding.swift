/// What happens when a TCP connection to a server is opened.
package enum ConnectionFinding: Equatable, Sendable {
    case open
    /// The server's machine answers, but nothing listens at the port.
    case refused
    /// Nothing answers in time.
    case silence
    /// This machine cannot reach the server; with the system's text.
    case unreachable(String)

    /// How much it shows about the server. A greater weight shows more.
    var weight: Int {
        switch self {
        case .open: 3
        case .refused: 2
        case .silence: 1
        case .unreachable: 0
        }
    }
}
