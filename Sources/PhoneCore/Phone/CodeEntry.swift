import Base

/// The digits that a far end has dialled since the last `#`, or the last pause.
struct CodeEntry: Equatable, Codable, Sendable {
    /// Whoever pauses for so long begins anew.
    static let pause = Duration.seconds(5)

    private var symbols: [DTMFSymbol] = []
    /// There were more of them than any code has.
    private var isTooLong = false
    private var last: Instant?

    /// Takes a digit.
    /// - Returns: What stands between two terminators, when this is one: nil in it for what is too long to be a code. Nil
    ///   for a digit that ends nothing, or a terminator behind nothing.
    mutating func take(_ symbol: DTMFSymbol, at now: Instant) -> [DTMFSymbol]?? {
        if let last, now - last >= Self.pause { self = CodeEntry() }
        last = now
        guard symbol == RelayCode.terminator else {
            if symbols.count < RelayCode.lengths.upperBound { symbols.append(symbol) } else { isTooLong = true }
            return nil
        }
        defer { self = CodeEntry() }
        if symbols.isEmpty { return nil }
        return .some(isTooLong ? nil : symbols)
    }
}
