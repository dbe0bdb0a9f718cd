import Base
import SIPCore

/// Who calls, and how the call wants to be announced. The texts are from outside, so they are cut to length and have no
/// control characters.
public struct CallerIdentity: Equatable, Sendable {
    /// The user part, or the whole URI if there is none; `anonymous` if the caller withholds it.
    public let number: String
    public let displayName: String?
    /// Whether the caller asked not to be shown.
    public let isWithheld: Bool
    /// The party that diverted the call to us last. Nil if the call was not diverted, or if that party does not want to
    /// be shown.
    public let divertedBy: String?
    /// The number that was called.
    public let called: String?
    /// What a backend calls this call: at most `idCount` names, each of at most `idLimit` bytes. They, and `ring`,
    /// `wantsAutoAnswer` and `verification`, count only from the account's own server.
    public let ids: [String]
    /// The ring that Alert-Info asks for, in lower case, as `bellcore-dr2`.
    public let ring: String?
    /// Whether the caller asks for an answer without a person. The line does not decide whether that is granted.
    public let wantsAutoAnswer: Bool
    /// Nil: the server says nothing about it.
    public let verification: CallerVerification?
    /// Nil: only the caller says that it has this number.
    public let vouched: AssertedNumber?
    /// The headers of the call's own: what a call centre, a door or a script writes into them. The caller says them, or
    /// whoever is in between, and nothing follows from them. At most `CallPresentation.headerLimit`.
    public let headers: [CallHeader]
    /// When the line took the request.
    public let arrived: Instant
    /// The leg whose place this call takes (RFC 3891): the person who talks there is to talk to this caller instead.
    public internal(set) var replaces: LegID?

    /// What FreeSWITCH calls a party without a name to whoever calls it.
    static let nameOfNobody = "Outbound Call"

    /// In bytes.
    public static let numberLimit = 64
    public static let nameLimit = 128
    public static let addressLimit = 256
    public static let idCount = 4
    public static let idLimit = 128
    public static let ringLimit = 64

    /// - Parameters:
    ///   - isTrusted: The request came from the account's own server, whose statements on identity count (RFC 3325
    ///     §9.1).
    ///   - asserter: The party whose statements count for a number's rights.
    ///   - callNames: The headers that give `ids`.
    init(
        _ request: SIPRequest, isTrusted: Bool, asserter: IdentityAsserter?, callNames: [SIPHeaderName], at now: Instant
    ) {
        let headers = request.headers
        let claim = CallerClaim(headers, isTrusted: isTrusted)
        isWithheld = claim.isWithheld
        number = claim.isWithheld ? CallerClaim.anonymous : Self.number(claim.uri) ?? ""
        let name = claim.isWithheld ? nil : claim.displayName.map { $0.shown(bytes: Self.nameLimit) }
        displayName = name?.isEmpty == true ? nil : name
        divertedBy = isTrusted ? Self.number(headers.diverter) : nil
        called = Self.number(headers.called(isTrusted: isTrusted))
        let alerts = isTrusted ? headers.alerts : []
        ids = isTrusted ? Self.ids(headers, callNames) : []
        ring = headers.ring(alerts)
        wantsAutoAnswer =
            isTrusted && headers.wantsAutoAnswer(alerts)
        verification = claim.verification
        vouched = asserter?.asserted(claim)
        self.headers = headers.ofTheCall
        arrived = now
    }

    /// An id that does not fit is left out, because a part of it would name something else.
    private static func ids(_ headers: SIPHeaders, _ names: [SIPHeaderName]) -> [String] {
        var ids: [String] = []
        for id in names.filter({ $0 != .callID }).flatMap({ headers.lines($0) }) where ids.count < idCount {
            guard !id.isEmpty, id.utf8.count <= idLimit, id.shown(bytes: idLimit) == id, !ids.contains(id) else {
                continue
            }
            ids.append(id)
        }
        return ids
    }

    private static func number(_ uri: URI?) -> String? {
        let text = uri.map { number(of: $0) } ?? ""
        return text.isEmpty ? nil : text
    }

    /// The number of an address, for people.
    static func number(of uri: URI) -> String { uri.number.shown(bytes: numberLimit) }

    /// The number of an address, if it can be shown unchanged. Nil otherwise: two different numbers might then look the
    /// same.
    static func wholeNumber(of uri: URI) -> String? {
        let number = uri.number
        return number.isEmpty || number.shown(bytes: numberLimit) != number ? nil : number
    }
}
