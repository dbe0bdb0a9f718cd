enum Salt {
    /// Random bytes from the system's generator. Every seal gets new ones.
    static func make(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
    }
}
