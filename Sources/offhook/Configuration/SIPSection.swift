import YAML

/// Where lines listen, and whom the direct line listens to.
struct SIPSection: YAMLReadable {
    /// The address to bind and to name in messages. All addresses by default; the right one is then found per peer.
    var address = "0.0.0.0"
    /// The first line's port; further lines take one from the kernel. 0: every line does.
    var port: UInt16 = 5_060
    /// Hosts that may call without an account, numerically; none by default.
    var peers: [String] = []

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        address = try section.optional("address", .numericAddress()) ?? address
        port = try section.optional("port", .integer(in: 0...65_535)) ?? port
        peers =
            try section.optional("peers", .list(of: .numericAddress(), count: 0...64)) ?? []
    }
}
