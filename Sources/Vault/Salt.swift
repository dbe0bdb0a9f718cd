enum Salt {
    /// Random bytes of the system's generator, which everything that is sealed gets anew.
    static func make(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &random) }
    }
}
