/// A random generator for one part of an agent. Copies of a repeatable generator would draw equal identifiers. So each
/// part's numbers are combined with a salt that no other part has.
struct SaltedGenerator: RandomNumberGenerator, Sendable {
    private var base: any RandomNumberGenerator & Sendable
    private let salt: UInt64

    init(_ generator: inout any RandomNumberGenerator & Sendable) {
        salt = generator.next()
        base = generator
    }

    mutating func next() -> UInt64 { base.next() ^ salt }
}
