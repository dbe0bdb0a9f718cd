import PhoneCore
import YAML

/// What a person at the panel may do, and how long the phone waits. The board file lists the connected parts.
struct PanelSection: YAMLReadable {
    var flash = FlashSetting.automatic
    var language = DisplayLanguage.english
    var onHookDeclines = PhonePolicy().onHookDeclines
    var digitTime = PhonePolicy().digitTime
    var offHookTime = PhonePolicy().offHookTime
    var congestionTime = PhonePolicy().congestionTime
    var howlerTime = PhonePolicy().howlerTime
    /// How long a failure tone sounds if there is no handset to hang up.
    var handsFreeToneTime = PhonePolicy().handsFreeToneTime

    private static let flash = YAMLShape<FlashSetting>.oneOf(
        word: .choice([("automatic", .automatic), ("off", .off)]),
        mapping: YAMLShape.section(FlashSection.self).map { .on($0.times) })
    private static let longTime = YAMLShape.duration(in: .seconds(1) ... .seconds(600))

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        flash = try section.optional("flash", Self.flash, usual: flash, written: "automatic")
        language = try section.optional("language", .choice(), usual: language)
        onHookDeclines = try section.optional("on_hook_declines", .bool(), usual: onHookDeclines)
        digitTime = try section.optional("digit_time", .duration(in: .seconds(1) ... .seconds(30)), usual: digitTime)
        offHookTime = try section.optional("off_hook_time", Self.longTime, usual: offHookTime)
        congestionTime = try section.optional("congestion_time", Self.longTime, usual: congestionTime)
        howlerTime = try section.optional("howler_time", Self.longTime, usual: howlerTime)
        handsFreeToneTime =
            try section.optional(
                "hands_free_tone_time", .duration(in: .seconds(1) ... .seconds(60)), usual: handsFreeToneTime)
    }
}

/// Whether a short press of the hook is a flash. Otherwise the press hangs up at once.
enum FlashSetting {
    /// A flash, unless the board has another key that can put a call on hold.
    case automatic
    case off
    case on(FlashTimes)

    /// - Parameter keys: The keys that the board has.
    func times(keys: Set<Key>) -> FlashTimes? {
        switch self {
        case .automatic: keys.isDisjoint(with: [.hold, .transfer, .flash]) ? FlashTimes() : nil
        case .off: nil
        case .on(let times): times
        }
    }
}

/// How long the hook is down for a flash.
private struct FlashSection: YAMLReadable {
    let times: FlashTimes

    init(from section: inout YAMLSection) throws(YAMLError) {
        var times = FlashTimes()
        times.shortest =
            try section.optional("shortest", .duration(in: .milliseconds(20) ... .seconds(1)), usual: times.shortest)
        times.longest =
            try section.optional("longest", .duration(in: .milliseconds(100) ... .seconds(3)), usual: times.longest)
        guard times.shortest < times.longest else {
            throw section.error("longest", "must be longer than shortest")
        }
        self.times = times
    }
}

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
