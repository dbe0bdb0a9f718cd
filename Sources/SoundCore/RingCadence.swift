/// How a bell rings: milliseconds on, off, on, off …, from the beginning again.
public struct RingCadence: Equatable, Sendable {
    /// Even in number, none of them 0.
    public let milliseconds: [Int]

    public init?(milliseconds: [Int]) {
        guard !milliseconds.isEmpty, milliseconds.count % 2 == 0, milliseconds.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.milliseconds = milliseconds
    }

    /// One round.
    public var period: Int { milliseconds.reduce(0, +) }
}
