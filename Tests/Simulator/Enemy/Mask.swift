import SIPCore

/// Who the enemy says that he is when he calls.
enum Mask: CaseIterable, Sendable {
    /// Somebody whom no list names.
    case nobody
    /// A phone of the house, by the word of the server.
    case phone
    /// The same, by his own word alone.
    case claimed
    /// Somebody in another domain who has the same number.
    case outsider
    /// A phone of the house that does not want to be shown.
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
