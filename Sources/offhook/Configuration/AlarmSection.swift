import PhoneCore
import YAML

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
