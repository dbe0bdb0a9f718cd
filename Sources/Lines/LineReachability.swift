import PhoneCore

/// Whether a line can be reached: a fault of its own sockets while there is one, or else what its registration is. A
/// line that nobody hears is not registered, whatever the server believes.
package struct LineReachability: Equatable, Sendable {
    /// The state of the registration, as `LineMachine` says.
    package var registration = RegistrationState.notNeeded
    /// Why the line's sockets are not open; for people.
    package var closed: String?
    /// Sockets that nothing is read from at present.
    private var unread: Set<String> = []

    package init() {}

    package var state: RegistrationState {
        (closed ?? unread.min().map(Self.fault)).map { .failed($0) } ?? registration
    }

    /// A socket is no longer read, or is read again.
    package mutating func read(_ isRead: Bool, _ name: String) {
        if isRead { unread.remove(name) } else { unread.insert(name) }
    }

    package static func fault(of name: String) -> String { "\(name) cannot be read just now" }
}
