import Base
import Simulator

/// The command line's options.
struct Options {
    struct Mistake: Error { let text: String }

    static let help = """
        offhook-sim: whole phones in simulated time, from a seed
          --seed N              the first world; default 1
          --seeds N             how many worlds; default 1
          --for SECONDS         worlds until so much real time is over
          --phones N            2 to 5; default: what the seed says
          --minutes M           simulated minutes of each world; default 15, with an enemy 7.5
          --calls-per-minute X  how often somebody wants to call
          --idle                two phones, no faults: what the speed is measured by
          --enemy               somebody wants the phones to obey, three times a second
          --bug NAME            plants a bug: \(PlantedBug.allCases.map(\.rawValue).joined(separator: ", "))
          --verbose             prints everything that happens
        """

    private(set) var first: UInt64 = 1
    private(set) var count: UInt64 = 1
    private(set) var limit: Duration?
    private(set) var phones: Int?
    private(set) var minutes: Double?
    private(set) var callsPerMinute: Double?
    private(set) var isIdle = false
    private(set) var hasEnemy = false
    private(set) var bug: PlantedBug?
    private(set) var isVerbose = false

    /// Nil: help was requested.
    init?(_ arguments: ArraySlice<String>) throws(Mistake) {
        var rest = arguments
        while let name = rest.popFirst() {
            switch name {
            case "--help", "-h": return nil
            case "--idle": isIdle = true
            case "--enemy": hasEnemy = true
            case "--verbose": isVerbose = true
            case "--seed": first = try Self.value(&rest, name) { UInt64($0) }
            case "--seeds": count = try Self.value(&rest, name) { UInt64($0).flatMap { $0 > 0 ? $0 : nil } }
            case "--for":
                limit = .seconds(try Self.value(&rest, name) { Double($0).flatMap { $0 > 0 ? $0 : nil } })
                count = UInt64(UInt32.max)
            case "--phones":
                phones = try Self.value(&rest, name) { Int($0).flatMap { (2...5).contains($0) ? $0 : nil } }
            case "--minutes": minutes = try Self.value(&rest, name) { Double($0).flatMap { $0 >= 3 ? $0 : nil } }
            case "--calls-per-minute":
                callsPerMinute = try Self.value(&rest, name) {
                    Double($0).flatMap { (0.01...60).contains($0) ? $0 : nil }
                }
            case "--bug": bug = try Self.value(&rest, name) { PlantedBug(rawValue: $0) }
            default: throw Mistake(text: "unknown option \(name)")
            }
        }
    }

    private static func value<Value>(
        _ rest: inout ArraySlice<String>, _ name: String, _ read: (String) -> Value?
    ) throws(Mistake) -> Value {
        guard let text = rest.popFirst(), let value = read(text) else {
            throw Mistake(text: "\(name) needs a value that makes sense")
        }
        return value
    }

    var seeds: Range<UInt64> { first..<(first.addingReportingOverflow(count).overflow ? .max : first + count) }

    private var isBesieged: Bool { hasEnemy || bug.map(PlantedBug.forEnemies.contains) == true }

    func plan(seed: UInt64) -> SimulationPlan {
        var plan =
            isIdle
            ? SimulationPlan.idle(seed: seed)
            : isBesieged ? .besieged(seed: seed, phones: phones) : SimulationPlan(seed: seed, phones: phones)
        if let minutes { plan.length = .milliseconds(Int64(minutes * 60_000)) }
        if let callsPerMinute { plan.callsPerMinute = callsPerMinute }
        plan.bug = bug
        return plan
    }

    /// The options that make one of the worlds again.
    func again(seed: UInt64) -> String {
        var text = "--seed \(seed)"
        if let phones { text += " --phones \(phones)" }
        if let minutes { text += " --minutes \(minutes)" }
        if let callsPerMinute { text += " --calls-per-minute \(callsPerMinute)" }
        if isIdle { text += " --idle" }
        if hasEnemy { text += " --enemy" }
        if let bug { text += " --bug \(bug.rawValue)" }
        return text
    }
}
