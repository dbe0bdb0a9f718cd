import Base
import SIPCore

/// The far end's identity according to all headers that give it, and whether it may be shown.
///
/// The account's own server counts more than the far end. P-Asserted-Identity comes first (RFC 3325 §9.1, RFC 5876 §3),
/// then Remote-Party-ID, which older servers write, then From. A name counts only with the number in the same header.
struct CallerClaim: Equatable, Sendable {
    /// Shown in place of a number that the caller withholds.
    static let anonymous = "anonymous"

    /// The address in the header that counts most. Nil: the request names no caller.
    let uri: URI?
    let displayName: String?
    /// Whether the server asserts the identity, and not only the caller.
    let isAsserted: Bool
    /// Whether the caller asked to stay anonymous (RFC 3323 §4, RFC 3325 §9.3).
    let isWithheld: Bool
    let verification: CallerVerification?

    /// Reads a request that begins a dialog. Its From is the sender.
    /// - Parameter isTrusted: The request came from the account's own server.
    init(_ headers: SIPHeaders, isTrusted: Bool) {
        self.init(headers, isTrusted: isTrusted, from: try? headers.from, except: .called)
    }

    /// - Parameters:
    ///   - isTrusted: The message came from the account's own server.
    /// - from: The address that the far end itself gives. Nil: it gives none.
    ///   - own: The party of a Remote-Party-ID that is not the far end. Nil: each one is the far end.
    init(_ headers: SIPHeaders, isTrusted: Bool, from: NameAddress?, except own: RemotePartyID.Party?) {
        let from = from.map { [$0] } ?? []
        let asserted = isTrusted ? (try? headers.assertedIdentities) ?? [] : []
        let parties =
            isTrusted ? ((try? headers.remoteParties) ?? []).filter { $0.party == nil || $0.party != own } : []
        let addresses = asserted + parties.map(\.address) + from
        let privacy = try? headers.privacy
        let isHidden =
            privacy?.hidesIdentity ?? (from.contains(where: \.isAnonymous) || parties.contains(where: \.isPrivate))
        isWithheld = isHidden || addresses.first?.isAnonymous ?? false
        uri = addresses.first?.uri
        isAsserted = !asserted.isEmpty || (parties.first?.isScreened ?? false)
        let number = uri?.number
        displayName = addresses.lazy.filter { $0.uri.number == number }
            .compactMap(\.displayName).first { !$0.allSatisfy(\.isWhitespace) }
        verification = isTrusted ? addresses.lazy.compactMap(\.verification).first : nil
    }
}

extension NameAddress {
    /// Whether this is the address of an anonymous caller (RFC 3323 §4.1.1.3).
    fileprivate var isAnonymous: Bool { uri.sip?.host.lowercased() == "anonymous.invalid" }
}

extension SIPHeaders {
    /// The party that diverted the call to us last: the topmost Diversion (RFC 5806), else the last target in
    /// History-Info that passed the call on (RFC 7044). Nil if nobody diverted the call, or if that party does not want
    /// to be shown.
    var diverter: URI? {
        if let last = (try? diversions)?.first { return last.isPrivate ? nil : last.address.uri }
        let history = (try? history) ?? []
        let answered = history.dropLast().lastIndex { $0.reason != nil }
        // The newer form marks the new target instead (RFC 4458 §2).
        let retargeted = history.lastIndex { $0.address.uri.sip?.parameters["cause"] != nil }.map { $0 - 1 }
        guard let place = answered ?? retargeted, history.indices.contains(place), !history[place].isPrivate else {
            return nil
        }
        return history[place].address.uri
    }

    /// The number of this phone that was called: from the server (RFC 7315 §4.2), else from the caller's To.
    func called(isTrusted: Bool) -> URI? {
        (isTrusted ? (try? calledParty)?.uri : nil) ?? (try? to)?.uri
    }
}

/// The party that vouches for a caller's number.
///
/// A caller can write any number, so a number counts only if a party that knows it confirms it. The rights of a number
/// here (automatic answer, door codes) depend only on an asserted number.
enum IdentityAsserter: Equatable, Sendable {
    /// The account's own server, which has these host names. It vouches for numbers that it asserts (RFC 3325 §9.1) or
    /// screened. A server that writes From itself vouches for From, too.
    case server(hosts: [String], alsoByFrom: Bool)
    /// No server is between us and the caller. The caller is the host at this address.
    case peer(String)

    func asserted(_ claim: CallerClaim) -> AssertedNumber? {
        guard let uri = claim.uri, !claim.isWithheld, let number = Caller.wholeNumber(of: uri) else {
            return nil
        }
        switch self {
        case .peer(let host): return AssertedNumber(number, domain: host.lowercased())
        case .server(let hosts, let alsoByFrom):
            guard claim.isAsserted || alsoByFrom else { return nil }
            let domain = uri.domain
            let isOwn = domain.map { domain in hosts.contains { $0.lowercased() == domain } } ?? true
            return AssertedNumber(number, domain: isOwn ? nil : domain)
        }
    }
}

extension URI {
    /// The domain to which the number belongs, in lower case. Nil for a global number, which is valid everywhere.
    fileprivate var domain: String? {
        switch self {
        case .sip(let uri): uri.host.lowercased()
        case .tel(let tel): tel.digits.hasPrefix("+") ? nil : tel.parameters["phone-context"]?.lowercased() ?? ""
        case .other(let scheme, _): scheme.lowercased() + ":"
        }
    }
}

/// Identifies callers, and reports refused calls.
extension LineMachine {
    /// The sender of this request, by its headers and by the flow over which it came.
    func caller(_ request: SIPRequest, over flow: Flow, at now: Instant) -> Caller {
        Caller(
            request, of: configuration, isTrusted: isOwnServer(flow), asserter: asserter(over: flow), at: now)
    }

    /// The party that may vouch for a caller's number over this flow. Nil: no party may.
    func asserter(over flow: Flow) -> IdentityAsserter? {
        guard let account = configuration.account else { return .peer(flow.remote.host) }
        guard isOwnServer(flow) else { return nil }
        return .server(
            hosts: [account.domain, account.server.host, flow.remote.host], alsoByFrom: account.vouchesForFrom)
    }

    /// Reports that a call was not offered. When many such calls come in a short time, only the first are reported.
    mutating func tellRefused(_ request: SIPRequest, because refusal: CallRefusal?, over flow: Flow, at now: Instant) {
        guard let refusal else { return }
        let isTold = isOwnServer(flow) ? limits.ownRefusals.admit(at: now) : limits.refusals.admit(at: now)
        guard isTold else { return }
        outputs.append(.event(.refused(caller(request, over: flow, at: now), from: flow.remote.host, because: refusal)))
    }
}
