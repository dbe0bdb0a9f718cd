/// Where two long sequences first differ.
///
/// For what a test compares whole. Of two sounds that differ, `==` in an expectation looks for the shortest way to edit one
/// into the other, which takes minutes for a second of sound and hours for ten, and then prints both.
public struct Mismatch<Element: Equatable>: Equatable, CustomStringConvertible {
    public let place: Int
    /// Nothing: the sequence ends there.
    public let first: Element?
    public let second: Element?

    /// Nothing if they are the same. Takes as long as they are the same.
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
