/// What a far end dials to work a relay, and who may.
///
/// A code stands by itself: its digits come after the call's begin, a `#` or a pause, and `#` ends it. So digits that are
/// tried one after the other are so many attempts, and not a row in which the code appears somewhere.
public struct RelayCode: Equatable, Codable, Sendable {
    public static let lengths = 4...15
    public static let terminator = DTMFSymbol.pound

    /// Without the `#`.
    public let symbols: [DTMFSymbol]
    /// Whose calls may work the relay. Empty: nobody's.
    public var callers: [ListedCaller]
    /// The accounts of those calls. Nil: any.
    public var accounts: Set<AccountID>?
    /// Whether the caller called here, or was called.
    public var directions: Set<CallSummary.Direction>

    /// - Precondition: as many symbols as `lengths` allows, and no terminator among them.
    public init(
        _ symbols: [DTMFSymbol], callers: [ListedCaller], accounts: Set<AccountID>? = nil,
        directions: Set<CallSummary.Direction> = [.incoming]
    ) {
        precondition(Self.isCode(symbols), "a code has \(Self.lengths) symbols and ends with its terminator only")
        self.symbols = symbols
        self.callers = callers
        self.accounts = accounts
        self.directions = directions
    }

    public static func isCode(_ symbols: [DTMFSymbol]) -> Bool {
        lengths.contains(symbols.count) && !symbols.contains(terminator)
    }
}

/// What came of a code that a far end dialled.
public enum CodeOutcome: Equatable, Codable, Sendable {
    /// It worked this relay.
    case right(relay: UInt8)
    /// So many more wrong ones lock all codes for a while.
    case wrong(left: Int)
    /// Codes are locked, right or wrong, for so long.
    case locked(seconds: Int)
}
