import Base
import Telephony

/// The digits that a person has pressed since the dial tone.
struct DigitCollection: Equatable, Codable, Sendable {
    static let capacity = 32

    /// The account to dial with, if a line key selected one. Nil: the default account.
    var account: AccountID?
    private(set) var digits = ""
    /// When the digits are dialled. Without digits: when the phone stops waiting for the first one.
    private(set) var until: Instant

    init(until: Instant, account: AccountID? = nil) {
        self.until = until
        self.account = account
    }

    /// The target to dial.
    var wanted: SpeedDial { SpeedDial([digits], account: account) }

    /// Takes a key. `#` completes the number; as the first key it is a digit. A digit beyond the capacity, or one of A
    /// to D, which no number contains, is ignored. A number that the plan knows to be complete is dialled at once.
    /// - Returns: Whether the number is complete.
    mutating func press(_ symbol: DTMFSymbol, until: Instant, plan: DialPlan) -> Bool {
        if symbol == .pound && !digits.isEmpty { return true }
        self.until = until
        guard digits.count < Self.capacity && symbol.rawValue <= DTMFSymbol.pound.rawValue else { return false }
        digits.append(symbol.character)
        switch plan.verdict(digits) {
        case .emergency, .complete: return true
        case .mayGrow, .partial, .noMatch: return false
        }
    }
}
