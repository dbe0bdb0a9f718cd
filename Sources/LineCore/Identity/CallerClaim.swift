import SIPCore

/// The far end's identity according to all headers of a message that give it, and whether it may be shown.
///
/// The account's own server is believed before the far end: P-Asserted-Identity (RFC 3325 §9.1, RFC 5876 §3), then
/// Remote-Party-ID, which older servers write, then From. A name counts only together with the number beside which it
/// stands.
struct CallerClaim: Equatable, Sendable {
    /// The text that stands for a number that is not to be shown.
    static let anonymous = "anonymous"

    /// The address of the header that is believed first. Nil: the request names no caller.
    let uri: URI?
    let displayName: String?
    /// Whether the server says so, and not only the caller.
    let isAsserted: Bool
    /// Whether the caller asked not to be shown (RFC 3323 §4, RFC 3325 §9.3).
    let isWithheld: Bool
    let verification: CallerVerification?

    /// A request that begins something: From is the sender's.
    /// - Parameter isTrusted: The request came from the account's own server.
    init(_ headers: SIPHeaders, isTrusted: Bool) {
        self.init(headers, isTrusted: isTrusted, from: try? headers.from, except: .called)
    }

    /// - Parameters:
    ///   - isTrusted: The message came from the account's own server.
    ///   - from: The address that the far end itself gives. Nil: it gives none.
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
    /// The party that diverted the call to us last: the topmost Diversion (RFC 5806), else, by History-Info (RFC 7044),
    /// the last target from which the call went on. Nil if the call was not diverted, or if that party does not want to
    /// be shown.
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

    /// Which of our numbers was called: as the server says it (RFC 7315 §4.2), else as the caller wrote it.
    func called(isTrusted: Bool) -> URI? {
        (isTrusted ? (try? calledParty)?.uri : nil) ?? (try? to)?.uri
    }
}
