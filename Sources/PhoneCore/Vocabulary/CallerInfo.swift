import Base

/// A backend's description of a caller, which it sends besides the signalling. It is untrusted text, length-limited and
/// free of control characters.
public struct CallerInfo: Equatable, Codable, Sendable {
    /// Every identifier that the backend has for the call. Empty if it gave none.
    public var ids: [String]
    public var number: String
    public var name: String?
    /// The address of a picture.
    public var avatar: String?
    /// Our number that was called.
    public var channel: String?
    public var organisation: Organisation?
    /// The account that the call will be offered to. Nil: the phone finds it by the organisation.
    public var account: AccountID?
    /// The channel's number for the message, with which the phone reports what became of it. Nil: the channel needs no
    /// report.
    public var ticket: UInt32?
    /// When the backend sent it, on this machine's clock. Caller info that is older than 30 s is dropped.
    public var sent: Instant

    public init(
        ids: [String] = [], number: String, name: String? = nil, avatar: String? = nil, channel: String? = nil,
        organisation: Organisation? = nil, account: AccountID? = nil, ticket: UInt32? = nil, sent: Instant
    ) {
        self.ids = ids
        self.number = number
        self.name = name
        self.avatar = avatar
        self.channel = channel
        self.organisation = organisation
        self.account = account
        self.ticket = ticket
        self.sent = sent
    }
}

extension CallerInfo {
    private static let (longestNumber, longestName, longestAddress) = (64, 128, 1_024)
    /// The most identifiers of one call that are used.
    private static let mostIDs = 8

    /// The part that is kept and shown. The limits apply to any text from a backend.
    var bounded: CallerInfo {
        var info = self
        info.ids = ids.prefix(Self.mostIDs).filter { $0.utf8.count <= Self.longestName }
        info.number = number.shown(bytes: Self.longestNumber)
        info.name = name?.shown(bytes: Self.longestName)
        info.channel = channel?.shown(bytes: Self.longestNumber)
        // A truncated address would be a different one.
        info.avatar = avatar.flatMap { $0.utf8.count <= Self.longestAddress ? $0 : nil }
        info.organisation = organisation.map {
            Organisation(
                id: $0.id, name: $0.name.shown(bytes: Self.longestName), slug: $0.slug?.shown(bytes: Self.longestName))
        }
        return info
    }
}

/// The second source of an incoming call.
public enum CallerInfoEvent: Equatable, Codable, Sendable {
    case incoming(CallerInfo)
    /// The call is over for this phone, because another phone answered it.
    case ended(CallerInfo)
    /// A message that could not be understood. The text says why.
    case invalid(String)
    /// The broker refuses this phone's login or topic. The text says why.
    case refused(String)
}

public enum CallerInfoEffect: Equatable, Codable, Sendable {
    /// The message with this ticket was dealt with, so its channel may acknowledge it. Emitted once for each message with
    /// a ticket, behind the effects of the message. A message whose report is missing has to be delivered again.
    case settled(ticket: UInt32, CallerInfoOutcome)
}

/// What became of a message of caller info.
public enum CallerInfoOutcome: String, CaseIterable, Codable, Sendable {
    /// It announced a call.
    case announced
    /// It belongs to a call that the phone knows, or has known just before.
    case merged
    /// Its call was refused and recorded, because a person wants no calls or there is no room.
    case refused
    /// It ended a call here, or will end one that it overtook.
    case ended
    /// It was too old, or its end concerns no call here.
    case dropped
}
