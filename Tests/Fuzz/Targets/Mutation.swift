extension [UInt8] {
    /// The same with one to eight of its places changed, doubled or taken out.
    public func mutated(using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = self
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            guard !bytes.isEmpty else { break }
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
            default: bytes.removeSubrange(place..<Swift.min(place + 3, bytes.count))
            }
        }
        return bytes
    }
}
