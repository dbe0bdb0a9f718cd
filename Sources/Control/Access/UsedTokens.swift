/// The addresses from which each token was used. Whoever guesses at an address makes the others there wait, but not
/// those whose tokens opened something from there before.
package struct UsedTokens {
    /// Addresses that are remembered for a token. The one that used it least recently is forgotten first, and no token
    /// makes those of another one forgotten.
    package static let addressLimit = 16

    /// The addresses of each token, by its digest; the address that used the token last is at the end.
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

    /// Forgets tokens that were removed.
    package mutating func keep(_ isKnown: ([UInt8]) -> Bool) { addresses = addresses.filter { isKnown($0.key) } }
}
