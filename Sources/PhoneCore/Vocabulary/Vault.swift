import Base

/// The essentials of a call that is up. They are kept so that the next process can send BYE and record the call after a
/// crash.
public struct PersistedCall: Equatable, Codable, Sendable {
    public var call: String
    public var direction: CallSummary.Direction
    public var number: String
    public var name: String?
    public var account: AccountID
    public var started: Instant
    public var answered: Instant
    /// The data that the line needs to send BYE. Nil: the line gave nothing.
    public var memo: String?

    public init(
        call: String, direction: CallSummary.Direction, number: String, name: String?, account: AccountID,
        started: Instant, answered: Instant, memo: String? = nil
    ) {
        self.call = call
        self.direction = direction
        self.number = number
        self.name = name
        self.account = account
        self.started = started
        self.answered = answered
        self.memo = memo
    }
}

/// The essentials of an incoming call that rings, or is answered and not up yet. They are kept so that the next process
/// can record the call as missed after a crash.
public struct RingingCall: Equatable, Codable, Sendable {
    public var call: String
    public var number: String
    public var name: String?
    /// Our number that was called.
    public var called: String?
    public var organisation: Organisation?
    public var account: AccountID
    public var started: Instant

    public init(
        call: String, number: String, name: String?, called: String? = nil, organisation: Organisation? = nil,
        account: AccountID, started: Instant
    ) {
        self.call = call
        self.number = number
        self.name = name
        self.called = called
        self.organisation = organisation
        self.account = account
        self.started = started
    }
}

/// One call for the history. Times are instants; the vault converts them to wall-clock time.
public struct HistoryEntry: Equatable, Codable, Sendable {
    public var direction: CallSummary.Direction
    public var number: String
    public var name: String?
    /// Our number that was called.
    public var called: String?
    public var organisation: String?
    public var account: AccountID
    public var started: Instant
    public var answered: Instant?
    public var ended: Instant
    public var reason: EndReason
    /// Why the call counts as missed: it was announced or refused here, and answered neither here nor elsewhere. Nil:
    /// it was not missed.
    public var missed: MissedReason?
    public var quality: VoiceQuality?
    /// The protection of the voice. Nil: both ends never agreed on terms.
    public var protection: CallProtection?

    public init(
        direction: CallSummary.Direction, number: String, name: String?, called: String? = nil,
        organisation: String? = nil, account: AccountID, started: Instant, answered: Instant?, ended: Instant,
        reason: EndReason, missed: MissedReason?, quality: VoiceQuality?, protection: CallProtection? = nil
    ) {
        self.direction = direction
        self.number = number
        self.name = name
        self.called = called
        self.organisation = organisation
        self.account = account
        self.started = started
        self.answered = answered
        self.ended = ended
        self.reason = reason
        self.missed = missed
        self.quality = quality
        self.protection = protection
    }
}

/// A missed call that no person has seen yet.
public struct MissedCall: Equatable, Codable, Sendable {
    public var call: CallID
    public var number: String
    public var name: String?
    /// The name of the organisation that was called.
    public var organisation: String?
    /// Nil in event logs of former versions.
    public var account: AccountID?
    public var at: Instant
    public var reason: MissedReason

    public init(
        call: CallID, number: String, name: String?, organisation: String? = nil, account: AccountID? = nil,
        at: Instant, reason: MissedReason
    ) {
        self.call = call
        self.number = number
        self.name = name
        self.organisation = organisation
        self.account = account
        self.at = at
        self.reason = reason
    }
}

/// A person in the contacts.
public struct Contact: Equatable, Codable, Sendable {
    public var name: String
    public var number: String
    /// The ring for calls from this contact.
    public var ring: String?
    /// Whether calls from this contact are refused.
    public var isBlocked: Bool

    public init(name: String, number: String, ring: String? = nil, isBlocked: Bool = false) {
        self.name = name
        self.number = number
        self.ring = ring
        self.isBlocked = isBlocked
    }
}

/// The settings that a person changes at the phone. They are kept over a restart.
public struct PhoneSettings: Equatable, Codable, Sendable {
    public static let loudest = 10

    public var doNotDisturb = false
    /// 0...`loudest`.
    public var callVolume = 7
    public var ringVolume = 7
    /// The most wrong codes that count for a caller. They are kept so that a restart does not help an attacker.
    public var wrongCodes = 0
    /// The same for each caller and relay. Nil: none, or a vault of a version that did not tell them apart.
    public var wrongCodesByCaller: [WrongCodes]?

    /// The wrong relay codes of the callers of one entry of a relay's list.
    public struct WrongCodes: Hashable, Codable, Sendable {
        public static let mostKept = 256

        public var relay: UInt8
        public var caller: ListedCaller
        public var count: Int

        public init(relay: UInt8, caller: ListedCaller, count: Int) {
            (self.relay, self.caller, self.count) = (relay, caller, count)
        }
    }

    public init() {}

    public func volume(_ kind: VolumeKind) -> Int {
        switch kind {
        case .call: callVolume
        case .ring: ringVolume
        }
    }

    /// Sets the nearest possible level.
    public mutating func setVolume(_ kind: VolumeKind, _ level: Int) {
        let level = min(max(level, 0), Self.loudest)
        switch kind {
        case .call: callVolume = level
        case .ring: ringVolume = level
        }
    }
}

/// The vault's data from former runs, given to the machine once, after the start.
public struct PhoneMemory: Equatable, Codable, Sendable {
    public var settings = PhoneSettings()
    public var contacts: [Contact] = []
    /// The number of unseen missed calls of former runs.
    public var unseenMissedCalls = 0
    /// The newest of them, oldest first, by the identifiers of their entries in the history. Nil in event logs of former
    /// versions, and if no call was missed.
    public var missed: [MissedCall]?
    public var lastDialled: String?
    /// Oldest first. Nil in event logs of former versions.
    public var peerKeys: [PeerFingerprint]?
    /// Nil: the phone has no organisations.
    public var context: OrganisationContext?

    public init() {}
}

public enum VaultEffect: Equatable, Codable, Sendable {
    case persist(PersistedCall)
    case clearPersisted
    /// An incoming call rings. It replaces what was kept for the same call.
    case persistRinging(RingingCall)
    /// The call with this identifier rings no more.
    case clearRinging(String)
    case addHistory(HistoryEntry)
    /// No call of the past is kept.
    case clearHistory
    /// A person has seen every missed call, or this one: the one that began at this instant.
    case missedCallsSeen(Instant?)
    /// A person has seen the missed call of a former run with this entry in the history.
    case formerMissedCallSeen(UInt32)
    case keep(PhoneSettings)
    /// Words were compared under this key. It replaces any other key of the same far end.
    case keepKey(PeerFingerprint)
    case forgetKey(PeerFingerprint.Peer)
    /// Keep the context that the phone works for. Answered by `contextKept` with the same ticket.
    case keepContext(OrganisationContext, ticket: UInt32)
    /// Keep a context that the phone tries. Until `keepContext`, a restart finds the former one. Answered by
    /// `contextKept` with the same ticket.
    case tryContext(OrganisationContext, ticket: UInt32)
    /// Forget what came from a sign-in: the context, the account that the sign-in added, and the backend's record.
    case forgetSignIn

    /// An event log uses the older name for a new entry of the history.
    private enum CodingKeys: String, CodingKey {
        case persist, clearPersisted, persistRinging, clearRinging, clearHistory, missedCallsSeen, formerMissedCallSeen,
            keep,
            keepKey, forgetKey, keepContext, tryContext, forgetSignIn
        case addHistory = "record"
    }
}

public enum VaultEvent: Equatable, Codable, Sendable {
    /// A call was up when the program last stopped.
    case orphanFound(PersistedCall)
    /// A call rang when the program last stopped.
    case ringingFound(RingingCall)
    case remembered(PhoneMemory)
    /// The contacts were edited.
    case contacts([Contact])
    /// Whether the context is on the disk.
    case contextKept(ticket: UInt32, Bool)
    /// A change could not be kept. The phone continues.
    case failed(String)
}
