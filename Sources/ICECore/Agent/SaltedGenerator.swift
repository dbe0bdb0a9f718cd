/// A generator of its own for each part of an agent. A copy of a generator that can be repeated would draw the same
/// names again, so each part's numbers are changed by one that no other part has.
struct SaltedGenerator: RandomNumberGenerator, Sendable {
    private var base: any RandomNumberGenerator & Sendable
    private let salt: UInt64

    init(_ generator: inout any RandomNumberGenerator & Sendable) {
        salt = generator.next()
        base = generator
    }

    mutating func next() -> UInt64 { base.next() ^ salt }
}
