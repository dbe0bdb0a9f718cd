import SIPCore

/// Who a request says that it comes from, by all headers that say it, and whether that may be shown.
///
/// The account's own server is believed before the caller: P-Asserted-Identity (RFC 3325 §9.1), then Remote-Party-ID, which
/// older ones write, then From. A name counts only with the number beside which it stands.
struct CallerClaim: Equatable, Sendable {
    /// What stands for a number that is not to be shown.
    static let anonymous = "anonymous"

    /// Of the first to be believed. Nil: the request names nobody.
    let uri: URI?
    let displayName: String?
    /// The server says so, and not only the caller.
    let isAsserted: Bool
    /// The caller asked not to be shown (RFC 3323 §4, RFC 3325 §9.3).
    let isWithheld: Bool
    let verification: CallerVerification?

    /// - Parameter isTrusted: The request came from the account's own server.
    init(_ headers: SIPHeaders, isTrusted: Bool) {
        let from = (try? headers.from).map { [$0] } ?? []
        let asserted = isTrusted ? (try? headers.assertedIdentities) ?? [] : []
        let parties = isTrusted ? ((try? headers.remoteParties) ?? []).filter { $0.party != .called } : []
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
    /// The address of those who have none (RFC 3323 §4.1.1.3).
    fileprivate var isAnonymous: Bool { uri.sip?.host.lowercased() == "anonymous.invalid" }
}

extension SIPHeaders {
    /// Who sent the call on to us last: the topmost Diversion (RFC 5806), else by History-Info (RFC 7044) the last target
    /// that the call went on from. Nil where nobody did, or does not want to be shown.
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

    /// Which of our numbers was called, as the server says it (RFC 7315 §4.2), else as the caller wrote it.
    func called(isTrusted: Bool) -> URI? {
        (isTrusted ? (try? calledParty)?.uri : nil) ?? (try? to)?.uri
    }
}
