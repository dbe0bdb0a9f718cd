import Base
import SIPCore

/// The caller, and how the call wants to be announced. The texts are from outside, so they are cut to length and have
/// no control characters.
public struct CallerIdentity: Equatable, Sendable {
    /// The user part of the address, or the whole URI without one. `anonymous` if the caller withholds it.
    public let number: String
    public let displayName: String?
    /// Whether the caller asked to stay anonymous.
    public let isWithheld: Bool
    /// The party that diverted the call to us last. Nil if nobody diverted the call, or if that party does not want to
    /// be shown.
    public let divertedBy: String?
    /// The number that was called.
    public let called: String?
    /// The names by which a backend knows this call: at most `idCount`, each of at most `idLimit` bytes. These names,
    /// and `ring`, `wantsAutoAnswer` and `verification`, count only from the account's own server.
    public let ids: [String]
    /// The ring that Alert-Info asks for, in lower case, as `bellcore-dr2`.
    public let ring: String?
    /// Whether the caller asks for an automatic answer. The line does not decide whether to grant it.
    public let wantsAutoAnswer: Bool
    /// Nil: the server has not verified the number.
    public let verification: CallerVerification?
    /// Nil: nobody but the caller confirms this number.
    public let vouched: AssertedNumber?
    /// The call's `X-` headers, which a call centre, a door or a script writes. The caller or any server in between may
    /// have written them, so they grant nothing. At most `CallPresentation.headerLimit`.
    public let headers: [CallHeader]
    /// When the line received the request.
    public let arrived: Instant
    /// The leg that this call replaces (RFC 3891): its person is to talk to this caller instead.
    public internal(set) var replaces: LegID?

    /// The name that FreeSWITCH gives to a called party without one.
    static let nameOfNobody = "Outbound Call"

    /// In bytes.
    public static let numberLimit = 64
    public static let nameLimit = 128
    public static let addressLimit = 256
    public static let idCount = 4
    public static let idLimit = 128
    public static let ringLimit = 64

    /// - Parameters:
    ///   - isTrusted: The request came from the account's own server, which may assert identities (RFC 3325 §9.1).
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

    /// Leaves out an id that does not fit, because a part of it would name something else.
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
