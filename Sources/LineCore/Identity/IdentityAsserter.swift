import SIPCore

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
        guard let uri = claim.uri, !claim.isWithheld, let number = CallerIdentity.wholeNumber(of: uri) else {
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
