/// What happens when a TCP connection to a server is opened.
package enum ConnectionFinding: Equatable, Sendable {
    case open
    /// The server's machine answers, and nothing listens at the port.
    case refused
    /// Nothing answers in time.
    case silence
    /// This machine does not reach the server; with the system's text.
    case unreachable(String)

    /// How much it tells of the server: more when it is greater.
    var weight: Int {
        switch self {
        case .open: 3
        case .refused: 2
        case .silence: 1
        case .unreachable: 0
        }
    }
}
