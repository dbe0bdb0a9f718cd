import PhoneCore
import YAML

/// How a relay of the board is operated, such as that of a door, a lamp or a gate.
struct RelaySection: YAMLReadable {
    private let code: (symbols: [DTMFSymbol], callers: [ListedCaller])?
    /// Labels; nil: all accounts.
    private let accounts: [String]?
    private let directions: [CallSummary.Direction]
    private let pulse: Duration
    private let once: Bool

    private static let direction = YAMLShape<CallSummary.Direction>.choice([
        "incoming": .incoming, "outgoing": .outgoing,
    ])

    init(from section: inout YAMLSection) throws(YAMLError) {
        let symbols = try section.optional("code", .relayCode().secret)
        let callers = try section.optional("callers", .list(of: .listedCaller(), count: 1...256))
        accounts = try section.optional("accounts", .list(of: .accountLabel(), count: 1...64))
        directions = try section.optional("directions", .list(of: Self.direction, count: 1...2), usual: [.incoming])
        pulse =
            try section.optional(
                "pulse", .duration(in: .milliseconds(100) ... .seconds(600)), usual: RelayPolicy().pulse)
        once = try section.optional("once", .bool(), usual: RelayPolicy().once)
        switch (symbols, callers) {
        case (let symbols?, let callers?): code = (symbols, callers)
        case (.some, nil):
            throw section.error("code", "needs callers, the numbers that may dial it, such as [200, 201]")
        case (nil, _): code = nil
        }
    }

    /// - Parameter number: The relay's number.
    func policy(_ number: UInt8, _ labels: AccountLabels) throws(UnknownAccount) -> RelayPolicy {
        guard let code else { return RelayPolicy(pulse: pulse, once: once) }
        var known: Set<AccountID>?
        for (index, label) in (accounts ?? []).enumerated() {
            known = (known ?? []).union([try labels.account(label, key: "relays.\(number).accounts[\(index + 1)]")])
        }
        let relayCode = RelayCode(
            code.symbols, callers: code.callers, accounts: known, directions: Set(directions))
        return RelayPolicy(code: relayCode, pulse: pulse, once: once)
    }
}
