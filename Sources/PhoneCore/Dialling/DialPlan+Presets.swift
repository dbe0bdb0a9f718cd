/// The plans that come with the phone. `docs/user/dial-plan.md` explains each pattern and has an example number for it.
extension DialPlan {
    /// North America: ten digits with or without the 1. There is no area code 988 and none that ends in 11.
    public static let us = preset(
        "US",
        [
            "1{0,1}[2-8][02-8]xnx{6}", "1{0,1}9[02-7]xnx{6}", "1{0,1}98[0-79]nx{6}", "1{0,1}n1[02-9]nx{6}",
            "[2-8]11", "988", "0", "011zx{6,14}", "*xx.",
        ], emergency: ["911"])

    public static let gb = preset(
        "GB",
        [
            "0[23579]x{9}", "01x{8,9}", "08x{9}", "0800x{6}", "08001111", "00zx{6,14}", "nx{4,7}", "10[015]", "111",
            "159", "1471", "1571", "116x{3}", "118x{3}", "[*#]xx.",
        ], emergency: ["999", "112"])

    /// Numbers in Germany have no common length; only mobile phones and services do.
    public static let de = preset(
        "DE",
        [
            "0[2-79]x{4,12}", "08[1-9]x{3,11}", "080[1-9]x{2,10}", "0800x{7}", "015x{9}", "01[67]x{8,9}",
            "01[389]x{3,10}", "00zx{6,14}", "nx{2,11}", "115", "116x{3}", "118[1-9]x", "1180xx", "19x{3}", "[*#]xx.",
        ], emergency: ["112", "110"])

    /// A plan for a phone behind a switchboard (PBX). Internal numbers have three digits. 0 or 9 selects an outside
    /// line, whose plan the phone cannot know. The emergency numbers include these prefixes, because people are used to
    /// dialling them.
    public static let office = preset(
        "office", ["[1-8]xx", "[09]xx.", "*xx"], emergency: ["112", "911", "0112", "9911"])

    /// No plan: a person ends each number with `#` or a pause.
    public static let open = preset("open", ["[0-9*#+]."], emergency: ["112", "911"])

    /// The presets, by the names that a configuration uses.
    public static let presets: [(name: String, plan: DialPlan)] = [
        ("US", us), ("GB", gb), ("DE", de), ("office", office), ("open", open),
    ]

    /// One of the presets, by its exact name.
    public init?(named name: String) {
        guard let preset = Self.presets.first(where: { $0.name == name }) else { return nil }
        self = preset.plan
    }

    private static func preset(_ name: String, _ patterns: [String], emergency: [String]) -> DialPlan {
        do throws(DialPlanError) {
            return try DialPlan(patterns: patterns, emergency: emergency)
        } catch {
            preconditionFailure("the plan \(name): \(error)")
        }
    }
}
