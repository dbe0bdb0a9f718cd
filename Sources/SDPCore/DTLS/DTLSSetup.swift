/// Which end begins the handshake (`a=setup`, RFC 4145 §4, RFC 8842 §5.2): the active end is the client.
enum DTLSSetup: String, Sendable {
    case active
    case passive
    /// Either: the other end chooses. Only in offers.
    case actpass
    /// Neither, for now.
    case holdconn

    /// Whether we begin, as the end that answers an offer with this. If we may choose, an existing handshake keeps its
    /// role (RFC 8842 §5.3). Otherwise we begin, because our first flight can leave with the answer (RFC 5763 §5). Nil:
    /// no handshake is possible.
    /// - Parameter current: Whether we began the handshake with this certificate. Nil: there was no handshake.
    func answererIsActive(keeping current: Bool?) -> Bool? {
        switch self {
        case .active: false
        case .passive: true
        case .actpass: current ?? true
        case .holdconn: nil
        }
    }

    /// Whether we begin, as the end that offered this and got that answer. Nil: the answer does not fit.
    func offererIsActive(answered answer: DTLSSetup) -> Bool? {
        switch (self, answer) {
        case (.actpass, .passive), (.active, .passive): true
        case (.actpass, .active), (.passive, .active): false
        case (_, .actpass), (_, .holdconn), (.active, .active), (.passive, .passive), (.holdconn, _): nil
        }
    }

    var attribute: SessionDescription.Attribute { .init("setup", rawValue) }
}
