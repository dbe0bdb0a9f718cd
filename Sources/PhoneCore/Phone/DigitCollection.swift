import Base

/// The digits that a person has pressed since the dial tone.
struct DigitCollection: Equatable, Codable, Sendable {
    enum Outcome: Equatable, Sendable { case collecting, complete }

    static let capacity = 32

    /// Whom they are dialled with, when a line key chose. Nil: the default.
    var account: AccountID?
    private(set) var digits = ""
    /// With digits: they are dialled then. Without: nobody seems to dial.
    private(set) var until: Instant

    init(until: Instant, account: AccountID? = nil) {
        self.until = until
        self.account = account
    }

    /// `#` dials what there is; as the first it is a digit. A digit beyond the capacity, or one of A to D, which no
    /// number contains, is heard and ignored. What the plan knows to be whole is dialled at once.
    mutating func press(_ symbol: DTMFSymbol, until: Instant, plan: DialPlan) -> Outcome {
        if symbol == .pound && !digits.isEmpty { return .complete }
        self.until = until
        guard digits.count < Self.capacity && symbol.rawValue <= DTMFSymbol.pound.rawValue else { return .collecting }
        digits.append(symbol.character)
        switch plan.verdict(digits) {
        case .emergency, .complete: return .complete
        case .mayGrow, .partial, .noMatch: return .collecting
        }
    }
}
