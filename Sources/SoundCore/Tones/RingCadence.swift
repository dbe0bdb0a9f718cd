/// The rhythm of a bell: milliseconds on, off, on, off …, then again from the beginning.
public struct RingCadence: Equatable, Sendable {
    /// Even in number, none of them 0.
    public let milliseconds: [Int]

    public init?(milliseconds: [Int]) {
        guard !milliseconds.isEmpty, milliseconds.count % 2 == 0, milliseconds.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.milliseconds = milliseconds
    }

    /// The length of one cycle in milliseconds.
    public var period: Int { milliseconds.reduce(0, +) }
}
