import Base

/// The caller, according to the signalling, and how the call wants to be announced. It is untrusted text, cut to length
/// and free of control characters.
public struct Caller: Equatable, Codable, Sendable {
    /// In bytes.
    public static let numberLimit = 64
    public static let nameLimit = 128
    public static let addressLimit = 256
    public static let idCount = 4
    public static let idLimit = 128
    public static let ringLimit = 64

    /// The user part, or the whole URI without a user part.
    public var number: String
    public var displayName: String?
    /// The caller withholds the number. `number` is then the placeholder from the signalling.
    public var isWithheld: Bool
    /// The last party that diverted the call to us. Nil: the call was not diverted, or that party withholds its number.
    public var divertedBy: String?
    /// Our number that was called.
    public var called: String?
    public var account: AccountID
    /// The names by which a backend knows this call: at most `idCount`, each of at most `idLimit` bytes. These names,
    /// and `ring`, `wantsAutoAnswer` and `verification`, count only from the account's own server.
    public var ids: [String]
    /// The ring that the server asks for (Alert-Info), in lower case, as `bellcore-dr2`.
    public var ring: String?
    /// The caller asks to be answered without a person. The line does not decide whether to grant it.
    public var wantsAutoAnswer: Bool
    /// The network's verdict about the number. Nil: none.
    public var verification: CallerVerification?
    /// The number, if a trusted source vouches for it. Nil: only the caller claims it, which gives no permissions.
    public var vouched: AssertedNumber?
    /// The `X-` headers of the call, which a call centre, a door or a script writes. The caller or any server between
    /// may have written them, so they grant nothing. At most `CallPresentation.headerLimit`. Nil: it has none.
    public var headers: [CallHeader]?
    /// When the line received the request, if that is known. The call must be announced within 5 s from then.
    public var arrived: Instant?
    /// The call that this one replaces (RFC 3891), as a party to that call's dialog asks.
    public var replaces: CallID?

    public init(
        number: String, displayName: String? = nil, isWithheld: Bool = false, divertedBy: String? = nil,
        called: String? = nil, account: AccountID, ids: [String] = [], ring: String? = nil,
        wantsAutoAnswer: Bool = false, verification: CallerVerification? = nil, vouched: AssertedNumber? = nil,
        headers: [CallHeader]? = nil, arrived: Instant? = nil, replaces: CallID? = nil
    ) {
        self.number = number
        self.displayName = displayName
        self.isWithheld = isWithheld
        self.divertedBy = divertedBy
        self.called = called
        self.account = account
        self.ids = ids
        self.ring = ring
        self.wantsAutoAnswer = wantsAutoAnswer
        self.verification = verification
        self.vouched = vouched
        self.headers = headers
        self.arrived = arrived
        self.replaces = replaces
    }
}

/// The identity and the headers that one call shows to its far end, beyond those of its account.
public struct CallPresentation: Hashable, Codable, Sendable {
    /// The most headers that a call may have.
    public static let headerLimit = 32

    /// In place of the account's name and number. A server may show another one, or none.
    public var callerName: String?
    public var callerNumber: String?
    /// At most `headerLimit`.
    public var headers: [CallHeader]

    public init(callerName: String? = nil, callerNumber: String? = nil, headers: [CallHeader] = []) {
        self.callerName = callerName
        self.callerNumber = callerNumber
        self.headers = headers
    }
}

/// A header of one call, for its far end. SIP carries it as it is.
public struct CallHeader: Hashable, Codable, Sendable {
    public static let nameBytes = 64
    public static let valueBytes = 512

    public let name: String
    public let value: String

    /// - Returns: Nil for an invalid header. The name must be a token that begins with `X-`, of at most `nameBytes`.
    ///   The value must have no control characters and at most `valueBytes`.
    public init?(_ name: String, _ value: String) {
        guard name.utf8.count > 2, name.utf8.count <= Self.nameBytes,
            name.prefix(2).lowercased() == "x-", name.utf8.allSatisfy(Self.isToken),
            value.utf8.count <= Self.valueBytes, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        (self.name, self.value) = (name, value)
    }

    /// RFC 3261 §25.1.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-.!%*_+`'~".utf8.contains(byte)
        }
    }
}

/// A number and its domain, as confirmed by the account's own server or, on the direct line, by the address of the
/// caller.
public struct AssertedNumber: Hashable, Codable, Sendable {
    public var number: String
    /// In lower case. Nil: the account's own domain, or a global number.
    public var domain: String?

    public init(_ number: String, domain: String? = nil) { (self.number, self.domain) = (number, domain) }
}

/// The server's confirmation of the far end's identity, beside its name and number.
public enum PartyStanding: Equatable, Codable, Sendable {
    /// The far end withholds its number.
    case withheld
    /// The server vouches for the number.
    case vouched(AssertedNumber)
    /// The far end gives another identity, which the server does not confirm. The display stays, but rights end.
    case doubted
}

/// The verdict of STIR/SHAKEN on a caller's number (ATIS-1000074).
public enum CallerVerification: String, CaseIterable, Codable, Sendable { case passed, failed, none }
