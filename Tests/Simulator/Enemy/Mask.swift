import SIPCore

/// The identity that the enemy claims in a call.
enum Mask: CaseIterable, Sendable {
    /// A caller that no list names.
    case nobody
    /// A phone of the house, asserted by the server.
    case phone
    /// The same, only claimed by the caller.
    case claimed
    /// A caller in another domain with the same number.
    case outsider
    /// A phone of the house with a withheld number.
    case withheld
    /// A number that the server calls verified.
    case verified

    func wear(_ headers: inout SIPHeaders) {
        let phone = SimulatedPhone.number(0)
        let (user, domain) =
            switch self {
            case .nobody: ("100", Proxy.name)
            case .phone, .claimed, .withheld, .verified: (phone, Proxy.name)
            case .outsider: (phone, Rights.otherDomain)
            }
        // Longer than any person's name.
        headers[.from] = "\"e\(String(repeating: "\u{301}", count: 900))\" <sip:\(user)@\(domain)>;tag=enemy"
        let verdict = self == .verified ? ";verstat=TN-Validation-Passed" : ""
        headers[.pAssertedIdentity] = self == .claimed ? nil : "<sip:\(user)@\(domain)\(verdict)>"
        headers[.privacy] = self == .withheld ? "id" : nil
    }
}
