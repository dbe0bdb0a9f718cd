/// A number or a SIP URI that may be dialled.
struct DialTarget: Equatable, Sendable {
    static let lengths = 3...DialableNumber.longest

    let text: String

    /// Nil for anything that cannot be dialled. Separators that people write are removed.
    init?(_ raw: String, policy: PhonePolicy) {
        guard let cleaned = DialableNumber.cleaned(raw) else { return nil }
        let isAddress = cleaned.contains(":")
        let isService = policy.shortNumbers.contains(cleaned) || policy.isEmergency(cleaned)
        guard isAddress || Self.lengths.contains(cleaned.count) || isService else { return nil }
        text = cleaned
    }
}

extension PhonePolicy {
    func isEmergency(_ target: String) -> Bool { dialPlan.verdict(target) == .emergency }
}

extension AssertedNumber {
    /// The dialled target: a number at the account's own domain, or the user and the host of an address.
    init(dialled target: String) {
        guard target.contains("@"), let colon = target.firstIndex(of: ":") else {
            self.init(target)
            return
        }
        let address = target[target.index(after: colon)...]
        let parts = address.split(separator: "@", maxSplits: 1)
        let user = parts.first?.prefix { $0 != ":" && $0 != ";" } ?? ""
        let host = parts.last?.prefix { !";?".contains($0) } ?? ""
        self.init(String(user), domain: host.withoutPort.lowercased())
    }
}

extension Substring {
    fileprivate var withoutPort: String {
        if hasPrefix("[") { return String(dropFirst().prefix { $0 != "]" }) }
        return String(prefix { $0 != ":" })
    }
}
