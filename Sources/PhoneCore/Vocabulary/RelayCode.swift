/// The code that a far end dials to switch a relay, and the callers that may do so.
///
/// A code stands alone: its digits come after the beginning of the call, a `#` or a pause, and `#` ends it. So digits
/// that are tried in succession count as separate attempts, and a long row of digits does not match because it contains
/// the code.
public struct RelayCode: Equatable, Codable, Sendable {
    public static let lengths = 4...15
    public static let terminator = DTMFSymbol.pound

    /// The code without the `#`.
    public let symbols: [DTMFSymbol]
    /// The far ends that may switch the relay. Empty: none.
    public var callers: [ListedCaller]
    /// The accounts whose calls allow the code. Nil: any.
    public var accounts: Set<AccountID>?
    /// The directions of the calls that allow the code.
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

/// The outcome of a code that a far end dialled.
public enum CodeOutcome: Equatable, Codable, Sendable {
    /// The code switched this relay.
    case right(relay: UInt8)
    /// After this many more wrong codes, the caller's codes are locked for a while.
    case wrong(left: Int)
    /// The caller's codes, right or wrong, are locked for this time.
    case locked(seconds: Int)
}
