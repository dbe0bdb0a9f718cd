import Base
import Media
import PhoneCore
import YAML

/// How the phone handles calls. Accounts are named by their labels.
struct CallsSection: YAMLReadable {
    var maximum = PhonePolicy().maximumCalls
    var ringTimeout = PhonePolicy().ringingInTime
    var dialTimeout = PhonePolicy().ringingOutTime
    var maximumLength: Duration?
    /// The account for dialled digits; the first account if missing.
    var account: String?
    var dialPlan = DialPlan.open
    /// Numbers of fewer than three digits that may be dialled.
    var shortNumbers: [String] = []
    var lineKeys: [String] = []
    var speedDials: [UInt8: SpeedDialSection] = [:]
    /// The organizations to which speed-dial keys switch.
    var organizationKeys: [UInt8: String] = [:]
    var voicemail: [(key: String, value: String)] = []
    /// The code before a number that picks up a call ringing there, by account label.
    var pickupCodes: [(key: String, value: String)] = []
    /// Whether a far end may transfer the phone to another target if a person agrees. Numbers that match
    /// `transferTargets` need no consent.
    var followTransfers = PhonePolicy().followsTransfers
    var transferTargets: DialPlan?
    var conference = PhonePolicy().mixesCalls
    var dtmf = PhonePolicy().dtmf
    var keepsHistory = true
    /// The organization that an account serves, by account label.
    var organizations: [(key: String, value: String)] = []
    /// Nil: the phone records no call.
    var recording: RecordingSection?
    /// Nil: the phone plays no file.
    var playing: PlayingSection?

    var announce = PhonePolicy().announcer
    var rings: [String: RingCadence] = [:]
    var accountRings: [(key: String, value: String)] = []
    var declineAs = PhonePolicy().declinedAs
    var blocked: [String] = []
    /// Whether to reject callers who withhold their number.
    var blocksWithheld = PhonePolicy().blocksWithheld
    var autoAnswer: AutoAnswerPolicy?

    /// The word for callers who withhold their number, in the list of blocked callers.
    private static let withheld = "withheld"

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        maximum = try section.optional("maximum", .integer(in: 1...8), usual: maximum)
        ringTimeout = try section.optional(
            "ring_timeout", .duration(in: .seconds(5) ... .seconds(300)), usual: ringTimeout)
        dialTimeout = try section.optional(
            "dial_timeout", .duration(in: .seconds(5) ... .seconds(600)), usual: dialTimeout)
        maximumLength = try section.optional("maximum_length", .duration(in: .seconds(10) ... .seconds(86_400)))
        try readDialling(&section)
        try readRinging(&section)
        declineAs = try section.optional(
            "decline_as", .choice(["busy": .busy, "declined": .declined]), usual: declineAs)
        blocked = try section.optional("blocked", .list(of: .caller(), count: 0...1_000), usual: blocked)
        blocksWithheld = blocked.contains(Self.withheld)
        blocked.removeAll { $0 == Self.withheld }
        autoAnswer = try section.optional("auto_answer", YAMLShape.section(AutoAnswerSection.self).map(\.policy))
    }

    private mutating func readDialling(_ section: inout YAMLSection) throws(YAMLError) {
        account = try section.optional("account", .accountLabel())
        dialPlan = try Self.dialPlan(&section)
        shortNumbers = try section.optional("short_numbers", .list(of: .digits(count: 1...6), count: 0...32), usual: [])
        let keys = 0...Key.lineKeys.count
        lineKeys = try section.optional("line_keys", .list(of: .accountLabel(), count: keys), usual: lineKeys)
        speedDials = try section.numbered("speed_dials", Key.speedDials, SpeedDialSection.shape)
        organizationKeys = try Self.organizationKeys(&section, besides: speedDials)
        let numbers = YAMLShape.table(of: .accountLabel(), to: .target(), count: 0...64)
        voicemail = try section.optional("voicemail", numbers, usual: voicemail)
        let codes = YAMLShape.table(of: .accountLabel(), to: .digits(count: 1...8), count: 0...64)
        pickupCodes = try section.optional("pickup_codes", codes, usual: pickupCodes)
        followTransfers = try section.optional("follow_transfers", .bool(), usual: followTransfers)
        transferTargets = try Self.transferTargets(&section)
        conference = try section.optional("conference", .bool(), usual: conference)
        dtmf = try section.optional("dtmf", .choice(), usual: dtmf)
        keepsHistory = try section.optional("history", .bool(), usual: keepsHistory)
        let served = YAMLShape.table(of: .accountLabel(), to: Self.organization, count: 0...64)
        organizations = try section.optional("organizations", served, usual: organizations)
        recording = try section.optional("recording", .section())
        playing = try section.optional("playing", .section())
    }

    private mutating func readRinging(_ section: inout YAMLSection) throws(YAMLError) {
        announce = try section.optional("announce", .choice(), usual: announce)
        let named = YAMLShape.table(of: .ringName(), to: .phases(), count: 0...32)
        for (name, phases) in try section.optional("rings", named, usual: []) {
            guard phases.count.isMultiple(of: 2) else {
                throw section.error(
                    "rings", "\(name) has \(phases.count) phases; expected an even number: pairs of sound and pause")
            }
            rings[name] = RingCadence(phases)
        }
        let ofAccounts = YAMLShape.table(of: .accountLabel(), to: .ringName(), count: 0...64)
        accountRings = try section.optional("account_rings", ofAccounts, usual: accountRings)
        if let stranger = accountRings.first(where: { rings[$0.value] == nil })?.value {
            let known = rings.isEmpty ? "none" : rings.keys.sorted().joined(separator: ", ")
            throw section.error("account_rings", "there is no ring \"\(stranger)\"; calls.rings has \(known)")
        }
    }

    private static let organization = YAMLShape.text("an organization", length: 1...256)

    private static func organizationKeys(
        _ section: inout YAMLSection, besides dials: [UInt8: SpeedDialSection]
    ) throws(YAMLError) -> [UInt8: String] {
        let name = "organization_keys"
        let organizations = try section.numbered(name, Key.speedDials, organization)
        guard let both = organizations.keys.sorted().first(where: { dials[$0] != nil }) else { return organizations }
        let why = "key \(both) is also in calls.speed_dials; remove one of the two"
        throw section.error(name, entry: "\(both)", why) ?? section.error(name, why)
    }

    private static func transferTargets(_ section: inout YAMLSection) throws(YAMLError) -> DialPlan? {
        let shape = YAMLShape.list(of: .text("a pattern", length: 1...64), count: 1...DialPlan.mostPatterns)
        guard let patterns = try section.optional("transfer_targets", shape) else { return nil }
        do throws(DialPlanError) { return try DialPlan(patterns: patterns, emergency: []) } catch {
            throw section.error("transfer_targets", error.description)
        }
    }

    /// Reads the plan. Its emergency numbers are those of the key `emergency`, otherwise the plan's own.
    private static func dialPlan(_ section: inout YAMLSection) throws(YAMLError) -> DialPlan {
        let written: WrittenPlan = try section.optional(
            "dial_plan",
            .oneOf(
                word: .choice(DialPlan.presets.map { ($0.name, .preset($0.plan)) }),
                list: YAMLShape.list(of: .text("a pattern", length: 1...64), count: 1...DialPlan.mostPatterns)
                    .map { .patterns($0) }), usual: .preset(.open), written: "open")
        let plan = written.parts
        let emergency = try section.optional(
            "emergency", .list(of: .digits(count: DialPlan.emergencyLengths), count: 1...DialPlan.mostEmergencyNumbers),
            usual: plan.emergency)
        do throws(DialPlanError) {
            return try DialPlan(patterns: plan.patterns, emergency: emergency)
        } catch {
            let key =
                switch error.list {
                case .patterns: "dial_plan"
                case .emergency: "emergency"
                }
            throw section.error(key, error.description)
        }
    }
}

private enum WrittenPlan: Sendable {
    case preset(DialPlan)
    case patterns([String])

    var parts: (patterns: [String], emergency: [String]) {
        switch self {
        case .preset(let plan): (plan.patterns, plan.emergency)
        case .patterns(let patterns): (patterns, DialPlan.open.emergency)
        }
    }
}

/// The callers whose calls the phone answers automatically. All other calls wait for a person.
struct AutoAnswerSection: YAMLReadable {
    let policy: AutoAnswerPolicy

    init(from section: inout YAMLSection) throws(YAMLError) {
        var policy = AutoAnswerPolicy()
        policy.callers = try section.required("callers", .list(of: .listedCaller(), count: 1...256))
        policy.onlyWhenAsked = try section.optional("only_when_asked", .bool(), usual: policy.onlyWhenAsked)
        policy.route = try section.optional("route", .choice(), usual: policy.route)
        self.policy = policy
    }
}

/// Recording calls to files. Without this section no call can be recorded.
struct RecordingSection: YAMLReadable {
    let settings: RecordingSettings
    /// Whether to encrypt recordings with the vault's key. Otherwise anyone with the file can listen to it.
    let isSealed: Bool

    private static let beep = YAMLShape<RecordingSettings.Beep?>.oneOf(
        word: .choice([("off", RecordingSettings.Beep?.none)]), mapping: YAMLShape.section(BeepSection.self).map(\.beep)
    )

    init(from section: inout YAMLSection) throws(YAMLError) {
        var settings = RecordingSettings(folder: try section.required("folder", .text("a path")))
        settings.format = try section.optional("format", .choice(), usual: settings.format)
        settings.beep = try section.optional("beep", Self.beep, usual: settings.beep)
        settings.longest =
            try section.optional(
                "longest", .duration(in: .seconds(60) ... .seconds(6 * 3_600)), usual: settings.longest)
        isSealed = try section.optional("sealed", .bool(), usual: true)
        self.settings = settings
    }
}

/// The tone that informs all parties that the call is recorded.
private struct BeepSection: YAMLReadable {
    let beep: RecordingSettings.Beep?

    init(from section: inout YAMLSection) throws(YAMLError) {
        var beep = RecordingSettings.Beep()
        beep.period = try section.optional("period", .duration(in: .seconds(2) ... .seconds(300)), usual: beep.period)
        beep.pitch = try section.optional("pitch", .integer(in: 300...3_400), usual: beep.pitch)
        self.beep = beep
    }
}

/// Playing files into calls. Without this section no file can be played.
struct PlayingSection: YAMLReadable {
    let folder: String

    init(from section: inout YAMLSection) throws(YAMLError) {
        folder = try section.required("folder", .text("a path"))
    }
}
