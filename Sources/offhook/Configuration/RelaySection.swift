import PhoneCore
import YAML

/// How a relay of the board is worked: a door, a lamp, a gate.
struct RelaySection: YAMLReadable {
    let policy: RelayPolicy

    init(from section: inout YAMLSection) throws(YAMLError) {
        var policy = RelayPolicy()
        policy.code = try section.optional("code", .code(count: 1...RelayPolicy.longestCode))
        policy.pulse =
            try section.optional("pulse", .duration(in: .milliseconds(100) ... .seconds(600))) ?? policy.pulse
        policy.once = try section.optional("once", .bool()) ?? policy.once
        self.policy = policy
    }
}
