/// The first difference of two long sequences.
///
/// For tests that compare whole sounds. For two different sounds, `==` in an expectation looks for the shortest edit
/// from one to the other. That takes minutes for a second of sound and hours for ten, and then prints both.
public struct Mismatch<Element: Equatable>: Equatable, CustomStringConvertible {
    public let place: Int
    /// Nothing: the sequence ends there.
    public let first: Element?
    public let second: Element?

    /// Nil if they are equal. The cost is proportional to the common part.
    public init?(_ first: some Sequence<Element>, _ second: some Sequence<Element>) {
        var (ones, others) = (first.makeIterator(), second.makeIterator())
        for place in 0... {
            let (one, other) = (ones.next(), others.next())
            if one != other {
                self.place = place
                self.first = one
                self.second = other
                return
            }
            if one == nil { return nil }
        }
        return nil
    }

    public var description: String {
        func said(_ element: Element?) -> String { element.map { "\($0)" } ?? "the end" }
        return "\(said(first)) and \(said(second)) at \(place)"
    }
}
