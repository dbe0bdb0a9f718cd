/// The addresses from which each token was used. An attacker who guesses tokens delays others at the same address, but
/// not those whose tokens were already used there.
package struct UsedTokens {
    /// The number of remembered addresses for each token. The one used least recently is forgotten first. One token
    /// cannot displace the addresses of another.
    package static let addressLimit = 16

    /// The addresses of each token, by its digest; the most recent address is last.
    private var addresses: [[UInt8]: [[UInt8]]] = [:]

    package var count: Int { addresses.values.reduce(0) { $0 + $1.count } }

    package init() {}

    package func includes(_ digest: [UInt8], from address: [UInt8]) -> Bool {
        addresses[digest]?.contains(address) ?? false
    }

    package mutating func note(_ digest: [UInt8], from address: [UInt8]) {
        var known = addresses[digest] ?? []
        guard known.last != address else { return }
        known.removeAll { $0 == address }
        if known.count >= Self.addressLimit { known.removeFirst() }
        addresses[digest] = known + [address]
    }

    /// Forgets removed tokens.
    package mutating func keep(_ isKnown: ([UInt8]) -> Bool) { addresses = addresses.filter { isKnown($0.key) } }
}
