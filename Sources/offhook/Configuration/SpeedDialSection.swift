import PhoneCore
import YAML

/// What a key calls: one target, or several that the phone tries in turn. A mapping adds the label of the account to
/// call with, and other targets at some hours.
struct SpeedDialSection: YAMLReadable {
    private let targets: [String]
    private let account: String?
    private let hours: [SpeedDial.Hours]
    private var watched: SpeedDial.Watched?

    static let targets = YAMLShape<[String]>.oneOf(
        word: YAMLShape.target().map { [$0] }, list: .list(of: .target(), count: 1...8))

    static let shape = YAMLShape<SpeedDialSection>.oneOf(
        word: targets.map { SpeedDialSection(targets: $0) }, list: targets.map { SpeedDialSection(targets: $0) },
        mapping: .section())

    init(targets: [String]) { (self.targets, account, hours) = (targets, nil, []) }

    init(from section: inout YAMLSection) throws(YAMLError) {
        try self.init(dialling: &section)
        watched = try section.optional("watch", .choice())
    }

    /// Reads only the targets, not the settings of a key.
    init(dialling section: inout YAMLSection) throws(YAMLError) {
        targets = try section.required("targets", Self.targets)
        account = try section.optional("account", .accountLabel())
        hours =
            try section.optional("hours", .list(of: YAMLShape.section(Hours.self).map(\.hours), count: 1...16)) ?? []
    }

    /// - Parameter key: The place in the configuration, for errors.
    func dial(_ key: String, _ accounts: AccountLabels) throws(UnknownAccount) -> SpeedDial {
        var named: AccountID?
        if let account { named = try accounts.account(account, key: "\(key).account") }
        return SpeedDial(targets, account: named, hours: hours, watched: watched)
    }

    /// `{ days: [mon, fri], from: 09:00, to: 17:00, targets: [100, 200] }`
    private struct Hours: YAMLReadable {
        let hours: SpeedDial.Hours

        init(from section: inout YAMLSection) throws(YAMLError) {
            let days = try section.optional("days", .list(of: .day(), count: 1...7), usual: WeekTime.Day.allCases)
            hours = SpeedDial.Hours(
                Set(days), from: try section.required("from", .minuteOfDay()),
                to: try section.required("to", .minuteOfDay()),
                targets: try section.required("targets", SpeedDialSection.targets))
        }
    }
}

extension YAMLShape<WeekTime.Day> {
    fileprivate static func day() -> YAMLShape {
        .choice(WeekTime.Day.allCases.map { ("\($0)".prefix(3).description, $0) })
    }
}

extension YAMLShape<Int> {
    /// `08:30`, in 24 hours.
    static func minuteOfDay() -> YAMLShape {
        .scalar(
            "a time of day such as 08:30", example: "08:30", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"
        ) { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isWholeNumber) }),
                let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
            else { return nil }
            return hour * 60 + minute
        }
    }
}

/// What the phone calls when an input of the board becomes active. It has targets like a speed-dial key, and two times.
struct AlarmSection: YAMLReadable {
    private let dial: SpeedDialSection
    private var wait = AlarmPolicy.usualWait
    private var pause = AlarmPolicy.usualPause

    static let shape = YAMLShape<AlarmSection>.oneOf(
        word: SpeedDialSection.targets.map { AlarmSection(targets: $0) },
        list: SpeedDialSection.targets.map { AlarmSection(targets: $0) }, mapping: .section())

    private init(targets: [String]) { dial = SpeedDialSection(targets: targets) }

    init(from section: inout YAMLSection) throws(YAMLError) {
        dial = try SpeedDialSection(dialling: &section)
        wait = try section.optional("wait", .duration(in: .seconds(5) ... .seconds(3_600)), usual: wait)
        pause = try section.optional("pause", .duration(in: .seconds(5) ... .seconds(86_400)), usual: pause)
    }

    func policy(_ input: String, _ accounts: AccountLabels) throws(UnknownAccount) -> AlarmPolicy {
        AlarmPolicy(try dial.dial("alarms.\(input)", accounts), wait: wait, pause: pause)
    }
}

/// The configuration names an input that the board does not have.
package struct UnknownInput: Error, CustomStringConvertible {
    let name: String
    let known: [String]

    package var description: String {
        let list = known.isEmpty ? "none" : known.joined(separator: ", ")
        return "alarms: the board has no input \"\(name)\"; it has \(list)"
    }
}
