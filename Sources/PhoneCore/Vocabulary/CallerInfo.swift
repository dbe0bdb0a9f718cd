import Base

/// What a backend tells of a caller beside the signalling: hostile text, length-limited and free of control characters.
public struct CallerInfo: Equatable, Codable, Sendable {
    /// Every name by which the backend knows the call. Empty when it gave none.
    public var ids: [String]
    public var number: String
    public var name: String?
    /// The address of a picture.
    public var avatar: String?
    public var organisation: Organisation?
    /// The account that the call will be offered to.
    public var account: AccountID
    /// When the backend said so, on this machine's clock. What is older than 30 s is dropped.
    public var sent: Instant

    public init(
        ids: [String] = [], number: String, name: String? = nil, avatar: String? = nil,
        organisation: Organisation? = nil, account: AccountID = .direct, sent: Instant
    ) {
        self.ids = ids
        self.number = number
        self.name = name
        self.avatar = avatar
        self.organisation = organisation
        self.account = account
        self.sent = sent
    }
}

extension CallerInfo {
    private static let (longestNumber, longestName, longestAddress) = (64, 128, 1_024)
    /// So many names of one call are looked at.
    private static let mostIDs = 8

    /// As much of it as is kept and shown, whatever a backend says.
    var bounded: CallerInfo {
        var info = self
        info.ids = ids.prefix(Self.mostIDs).filter { $0.utf8.count <= Self.longestName }
        info.number = number.shown(bytes: Self.longestNumber)
        info.name = name?.shown(bytes: Self.longestName)
        // A part of an address is another one.
        info.avatar = avatar.flatMap { $0.utf8.count <= Self.longestAddress ? $0 : nil }
        info.organisation = organisation.map {
            Organisation(id: $0.id, name: $0.name.shown(bytes: Self.longestName))
        }
        return info
    }
}

/// The second source of an incoming call.
public enum CallerInfoEvent: Equatable, Codable, Sendable {
    case incoming(CallerInfo)
    /// The call is over for this phone: another one took it.
    case ended(CallerInfo)
    /// A message that meant nothing; the text says why.
    case invalid(String)
}
