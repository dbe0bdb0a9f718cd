import PhoneCore

extension PhoneSnapshot {
    /// The network's state, as far as it is known. It comes from the kernel's path, or from a registration at a server.
    var networkWord: String {
        let isAssumed = networkKind == nil && network == .connected
        return isAssumed && !registrations.values.contains(.registered) ? "unknown" : network.rawValue
    }

    var networkKindWord: String { networkKind?.rawValue ?? "unknown" }
}
