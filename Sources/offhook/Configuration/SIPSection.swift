import YAML

/// Where lines listen, and whom the direct line listens to.
struct SIPSection: YAMLReadable {
    /// The address to bind and to name in messages. All addresses by default; the right one is then found per peer.
    var address = "0.0.0.0"
    /// The first line's port; further lines take one from the kernel. 0: every line does.
    var port: UInt16 = 5_060
    /// Hosts that may call without an account, numerically; none by default.
    var peers: [String] = []

    /// Far ends are not told who calls, unless a call says otherwise.
    var withholdsNumber = false
    /// What is dialled before a number to turn that around for one call; not sent. Nil: such codes are the server's.
    var withholdingPrefix: String?

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        address = try section.optional("address", .numericAddress()) ?? address
        port = try section.optional("port", .integer(in: 0...65_535)) ?? port
        peers =
            try section.optional("peers", .list(of: .numericAddress(), count: 0...64)) ?? []
        withholdsNumber = try section.optional("withhold_number", .bool()) ?? withholdsNumber
        withholdingPrefix = try section.optional("withhold_prefix", .digits(count: 2...8))
    }
}
