import PhoneCore

extension PhoneSnapshot {
    /// The network as far as somebody looked: the kernel's path, or else a server that an account is registered at.
    var networkWord: String {
        let isAssumed = networkKind == nil && network == .connected
        return isAssumed && !registrations.values.contains(.registered) ? "unknown" : network.rawValue
    }

    var networkKindWord: String { networkKind?.rawValue ?? "unknown" }
}
