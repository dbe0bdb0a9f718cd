import Base

/// The digits that a person has pressed since the dial tone.
struct DigitCollection: Equatable, Sendable {
    enum Outcome: Equatable, Sendable { case collecting, complete }

    static let capacity = 32

    private(set) var digits = ""
    /// With digits: they are dialled then. Without: nobody seems to dial.
    private(set) var until: Instant

    init(until: Instant) { self.until = until }

    /// `#` dials what there is; as the first it is a digit. A digit beyond the capacity, or one of A to D, which no
    /// number contains, is heard and ignored.
    mutating func press(_ symbol: DialSymbol, until: Instant) -> Outcome {
        if symbol == .pound && !digits.isEmpty { return .complete }
        self.until = until
        if digits.count < Self.capacity && symbol.rawValue <= DialSymbol.pound.rawValue {
            digits.append(symbol.character)
        }
        return .collecting
    }
}
