import Base

/// The essentials of a call that is up, kept so that a start after a crash can say goodbye and record it.
public struct PersistedCall: Equatable, Sendable {
    public var call: String
    public var direction: CallSummary.Direction
    public var number: String
    public var name: String?
    public var account: AccountID
    public var started: Instant
    public var answered: Instant

    public init(
        call: String, direction: CallSummary.Direction, number: String, name: String?, account: AccountID,
        started: Instant, answered: Instant
    ) {
        self.call = call
        self.direction = direction
        self.number = number
        self.name = name
        self.account = account
        self.started = started
        self.answered = answered
    }
}

/// One call for the history. Times are instants; the vault knows what o'clock they were.
public struct HistoryEntry: Equatable, Sendable {
    public var direction: CallSummary.Direction
    public var number: String
    public var name: String?
    public var account: AccountID
    public var started: Instant
    public var answered: Instant?
    public var ended: Instant
    public var reason: EndReason
    /// Announced or refused here, and answered neither here nor elsewhere.
    public var missed: Bool
    public var quality: VoiceQuality?

    public init(
        direction: CallSummary.Direction, number: String, name: String?, account: AccountID, started: Instant,
        answered: Instant?, ended: Instant, reason: EndReason, missed: Bool, quality: VoiceQuality?
    ) {
        self.direction = direction
        self.number = number
        self.name = name
        self.account = account
        self.started = started
        self.answered = answered
        self.ended = ended
        self.reason = reason
        self.missed = missed
        self.quality = quality
    }
}

public enum VaultEffect: Equatable, Sendable {
    case persist(PersistedCall)
    case clearPersisted
    case record(HistoryEntry)
}

public enum VaultEvent: Equatable, Sendable {
    /// A call was up when the program last stopped.
    case orphanFound(PersistedCall)
    /// A change could not be kept. The phone goes on.
    case failed(String)
}
