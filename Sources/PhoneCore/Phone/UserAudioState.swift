import Base

/// A person's activity at the phone, by handset, speaker or headset.
///
/// `closed` also applies to a handset that lies beside the phone: at start, or after the howler. It gives a dial tone
/// only after it was replaced and lifted. Until then a call rings aloud, because no person is listening.
enum UserAudioState: Equatable, Codable, Sendable {
    case closed
    /// Dial tone until the first digit.
    case collecting(DigitCollection)
    case inCall
    /// The person speaks a page. No call has the audio focus.
    case paging(SentPage)
    /// The person hears a tone that reports an end or a fault.
    case told(Tone, until: Instant)

    var due: Instant? {
        switch self {
        case .closed, .inCall: nil
        case .collecting(let collection): collection.until
        case .paging(let page): page.until
        case .told(_, let until): until
        }
    }
}

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

/// A call was held in order to dial another one, for this purpose.
struct Consultation: Equatable, Codable, Sendable {
    enum Purpose: Equatable, Codable, Sendable { case talk, transfer, conference }

    let of: CallID
    var purpose: Purpose
}

/// A person hung up and left this call on hold. The phone rings for it until `until`.
struct Recall: Equatable, Codable, Sendable {
    let call: CallID
    let until: Instant
}

/// Whether something more important has the sound device.
enum Interruption: Equatable, Codable, Sendable {
    case none
    /// The calls wait until it ends. At this instant the calls that are not held are put on hold.
    case waiting(until: Instant)
    case lasting
}
