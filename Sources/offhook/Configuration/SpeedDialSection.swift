import PhoneCore
import YAML

/// Whom a key calls: one target, several that are tried in turn, or these with the label of the account to call with.
struct SpeedDialSection: YAMLReadable {
    let targets: [String]
    let account: String?

    private static let targets = YAMLShape<[String]>.oneOf(
        word: YAMLShape.target().map { [$0] }, list: .list(of: .target(), count: 1...8))

    static let shape = YAMLShape<SpeedDialSection>.oneOf(
        word: targets.map { SpeedDialSection(targets: $0) }, list: targets.map { SpeedDialSection(targets: $0) },
        mapping: .section())

    private init(targets: [String]) { (self.targets, account) = (targets, nil) }

    init(from section: inout YAMLSection) throws(YAMLError) {
        targets = try section.required("targets", Self.targets)
        account = try section.optional("account", .accountLabel())
    }
}
