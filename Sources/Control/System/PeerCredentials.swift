import Glibc

/// The user and groups of the program at the other end of a Unix socket. The kernel recorded them at the connection.
struct PeerCredentials: Equatable, Sendable {
    let user: UInt32
    let groups: [UInt32]

    /// The credentials of this process.
    static let own = PeerCredentials(user: geteuid(), groups: [])

    private init(user: UInt32, groups: [UInt32]) { (self.user, self.groups) = (user, groups) }

    /// Nil if the kernel does not report them.
    init?(descriptor: Int32) {
        // struct ucred: process, user, group. Swift cannot import its declaration.
        guard let credentials = Self.option(SO_PEERCRED, of: descriptor, capacity: 3), credentials.count == 3 else {
            return nil
        }
        user = credentials[1]
        // Linux reports further groups since 4.13. Without them only the first group counts.
        groups = [credentials[2]] + (Self.option(SO_PEERGROUPS, of: descriptor, capacity: 1_024) ?? [])
    }

    func mayUse(_ settings: ControlSettings) -> Bool {
        if user == settings.user ?? geteuid() { return true }
        if user == 0 && settings.allowsRoot { return true }
        return settings.group.map(groups.contains) ?? false
    }

    private static func option(_ name: Int32, of descriptor: Int32, capacity: Int) -> [UInt32]? {
        var numbers = [UInt32](repeating: 0, count: capacity)
        var length = socklen_t(capacity * MemoryLayout<UInt32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &numbers, &length) == 0 else { return nil }
        return Array(numbers.prefix(Int(length) / MemoryLayout<UInt32>.size))
    }
}
