/// An enumeration whose every case names a sample of the next one. A new case does not compile until it is in the
/// chain, and then every test here covers it.
protocol Sampled: Sendable {
    static var first: Self { get }
    var next: Self? { get }
}

extension Sampled {
    static var samples: [Self] { Array(sequence(first: first, next: \.next)) }
}
