import PhoneCore

/// Whether a line can be reached. A fault of its sockets counts more than its registration, because a line that
/// receives nothing is unreachable even if the server has registered it.
package struct LineReachability: Equatable, Sendable {
    /// The state of the registration, from `LineMachine`.
    package var registration = RegistrationState.notNeeded
    /// Why the line's sockets are not open, for people.
    package var closed: String?
    /// Sockets that are not read at present.
    private var unread: Set<String> = []

    package init() {}

    package var state: RegistrationState {
        (closed ?? unread.min().map(Self.fault)).map { .failed($0) } ?? registration
    }

    /// Records that a socket is no longer read, or is read again.
    package mutating func read(_ isRead: Bool, _ name: String) {
        if isRead { unread.remove(name) } else { unread.insert(name) }
    }

    package static func fault(of name: String) -> String { "\(name) cannot be read just now" }
}
