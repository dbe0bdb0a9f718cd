/// An enumeration whose every case names a sample of the next one: a new case does not compile until it has its place
/// in the chain, and then every test here knows it.
protocol Sampled: Sendable {
    static var first: Self { get }
    var next: Self? { get }
}

extension Sampled {
    static var samples: [Self] { Array(sequence(first: first, next: \.next)) }
}
