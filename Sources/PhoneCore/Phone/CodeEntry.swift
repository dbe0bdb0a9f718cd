import Base

/// The digits that a far end has dialled since the last `#`, or the last pause.
struct CodeEntry: Equatable, Codable, Sendable {
    /// A pause of this length starts a new entry.
    static let pause = Duration.seconds(5)

    private var symbols: [DTMFSymbol] = []
    /// More digits were dialled than any code has.
    private var isTooLong = false
    private var last: Instant?

    /// Takes a digit.
    /// - Returns: For a terminator, the digits before it, or an inner nil if they are too many for a code. An outer nil
    ///   for any other digit, and for a terminator without digits before it.
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
