import Base

/// A program's question to the vault, past the machine: calls of the past, contacts, and tokens.
public enum VaultQuestion: Equatable, Sendable {
    case history(HistoryQuestion)
    /// A page of contacts, after this many, in the order in which they were added.
    case contacts(after: Int)
    /// A page of contacts, as `contacts`, for a file that other telephones read.
    case contactsToExport(after: Int)
    /// Adds contacts, and changes those whose numbers are known: all of them, or none.
    case addContacts([ContactEntry])
    /// Changes the contact with this number. Its number may change, too.
    case changeContact(number: String, to: ContactEntry)
    case removeContact(number: String)
    case tokens
    /// Creates a token. The answer is the only place where it appears.
    case addToken(label: String, AccessScope)
    case removeToken(label: String)
}

public enum VaultAnswer: Equatable, Sendable {
    /// The newest first. `more`: whether there are older ones.
    case history([HistoryRecord], more: Bool)
    case contacts([Contact], more: Bool)
    case contactsToExport([Contact], more: Bool)
    /// All tokens, also after a change, with the one that was added.
    case tokens([ControlToken], added: Redacted<String>?)
    case done
    /// No contact has this number.
    case notFound
    case noSuchToken
    /// The text says why, for people.
    case refused(String)
}

/// A filter for past calls. Nil means no restriction.
public struct HistoryQuestion: Equatable, Sendable {
    /// The number of calls in one answer.
    public static let page = 50

    /// Only calls that were recorded before this one.
    public var before: Int64?
    public var direction: CallSummary.Direction?
    public var missed: Bool?
    public var account: AccountID?
    /// A part of the number or of the name. ASCII letters match in upper and lower case.
    public var text: String?

    public init() {}
}

/// One call of the past, by the wall clock.
public struct HistoryRecord: Equatable, Sendable {
    /// Grows with each call recorded.
    public let id: Int64
    public let direction: CallSummary.Direction
    public let number: String
    public let name: String?
    /// Our number that was called. Nil: it is not known.
    public let called: String?
    public let organisation: String?
    public let account: AccountID
    public let started: WallTime
    public let answered: WallTime?
    public let ended: WallTime
    public let reason: EndReason
    /// Nil: the call was not missed.
    public let missed: MissedReason?
    /// Whether a person has seen this missed call.
    public let seen: Bool
    public let quality: VoiceQuality?
    /// Nil: both ends never agreed on terms, or an earlier release recorded the call.
    public let protection: CallProtection?

    public init(
        id: Int64, direction: CallSummary.Direction, number: String, name: String?, called: String? = nil,
        organisation: String?, account: AccountID, started: WallTime, answered: WallTime?, ended: WallTime,
        reason: EndReason,
        missed: MissedReason?, seen: Bool, quality: VoiceQuality?,
        protection: CallProtection? = nil
    ) {
        (self.id, self.direction, self.number, self.name) = (id, direction, number, name)
        (self.called, self.organisation) = (called, organisation)
        (self.account, self.started) = (account, started)
        (self.answered, self.ended, self.reason, self.missed) = (answered, ended, reason, missed)
        (self.seen, self.quality, self.protection) = (seen, quality, protection)
    }
}

/// A point on the wall clock: milliseconds since 1970-01-01 00:00 UTC, leap seconds not counted.
public struct WallTime: Comparable, Hashable, Sendable {
    public let unixMilliseconds: Int64

    public init(unixMilliseconds: Int64) { self.unixMilliseconds = unixMilliseconds }

    public static func < (left: WallTime, right: WallTime) -> Bool { left.unixMilliseconds < right.unixMilliseconds }
}

/// A new or changed contact: from a form, a command line, or the file of another telephone. Missing parts stay as they
/// are.
public struct ContactEntry: Equatable, Sendable {
    /// Nil: the known name, else the number.
    public var name: String?
    public var number: String
    /// Empty: the contact has no special ring.
    public var ring: String?
    public var isBlocked: Bool?

    public init(name: String?, number: String, ring: String? = nil, isBlocked: Bool? = nil) {
        (self.name, self.number, self.ring, self.isBlocked) = (name, number, ring, isBlocked)
    }

    /// The resulting contact.
    /// - Parameter former: The known contact.
    public func contact(over former: Contact?) -> Contact {
        let ring = ring ?? former?.ring
        return Contact(
            name: name ?? former?.name ?? number, number: number, ring: ring?.isEmpty == true ? nil : ring,
            isBlocked: isBlocked ?? former?.isBlocked ?? false)
    }
}

/// The permissions of a token's bearer. Each scope includes those before it.
public enum AccessScope: String, CaseIterable, Comparable, Sendable {
    /// Ask questions, and receive events.
    case observe
    /// Operate the phone.
    case call
    /// Change lasting data: registrations, contacts and tokens.
    case configure

    private var rank: Int {
        switch self {
        case .observe: 0
        case .call: 1
        case .configure: 2
        }
    }

    public static func < (left: AccessScope, right: AccessScope) -> Bool { left.rank < right.rank }
}

/// The phone's record of a token that it issued. The token itself is stored nowhere.
public struct ControlToken: Equatable, Sendable {
    public let label: String
    public let scope: AccessScope
    /// SHA-256 of the token.
    public let digest: [UInt8]
    public let created: WallTime

    public init(label: String, scope: AccessScope, digest: [UInt8], created: WallTime) {
        (self.label, self.scope, self.digest, self.created) = (label, scope, digest, created)
    }
}
