import SIPCore

/// Who vouches for a caller's number.
///
/// A number is whatever the caller writes, until somebody who knows says that it is so. Rights that a number has here (to
/// be answered without a person, to open a door) go by what was vouched for, and by nothing else.
enum CallerVoucher: Equatable, Sendable {
    /// The account's own server, of which these are the names: what it asserts (RFC 3325 §9.1), or screened. A server
    /// that writes From itself says so there too.
    case server(hosts: [String], alsoByFrom: Bool)
    /// Nobody stands between us and the caller, who is the host at this address.
    case peer(String)

    func vouched(_ claim: CallerClaim) -> VouchedNumber? {
        guard let uri = claim.uri, !claim.isWithheld, let number = CallerIdentity.wholeNumber(of: uri) else {
            return nil
        }
        switch self {
        case .peer(let host): return VouchedNumber(number, domain: host.lowercased())
        case .server(let hosts, let alsoByFrom):
            guard claim.isAsserted || alsoByFrom else { return nil }
            let domain = uri.domain
            let isOwn = domain.map { domain in hosts.contains { $0.lowercased() == domain } } ?? true
            return VouchedNumber(number, domain: isOwn ? nil : domain)
        }
    }
}

extension URI {
    /// Where the number is at home, in lower case. Nil: everywhere, as a number of the whole world is.
    fileprivate var domain: String? {
        switch self {
        case .sip(let uri): uri.host.lowercased()
        case .tel(let tel): tel.digits.hasPrefix("+") ? nil : tel.parameters["phone-context"]?.lowercased() ?? ""
        case .other(let scheme, _): scheme.lowercased() + ":"
        }
    }
}
