import Bench
import Rig

/// A Verto server on the second of two hosts with a real link between them, and phones of its users on either.
final class VertoScene {
    let workplace: Workplace
    let hosts: HostPair
    let server: VertoServer

    private let kind: String

    /// - Parameters:
    ///   - dialect: the server's, `telnyx` or `freeswitch`.
    ///   - more: further options of the server.
    init(dialect: String = "telnyx", more: [String]) throws {
        kind = dialect == "telnyx" ? dialect : "verto"
        (workplace, hosts) = (try Workplace(), try HostPair())
        try hosts.waitUntilUp()
        server = try VertoServer(
            folder: workplace.path + "/verto", dialect: dialect, on: hosts.second, more: more)
    }

    func phone(_ user: String, on host: HostPair.Host) throws -> RigPhone {
        var settings = PhoneFolder.Settings(port: 5_060, firstMediaPort: 30_000)
        settings.address = "0.0.0.0"
        let name = "phone-\(user)"
        let phone = try RigPhone(
            verto: user, kind, at: "\(hosts.second.address):\(server.port)", name: name,
            folder: try workplace.phoneFolder(name, settings), prefix: host.prefix,
            more: ["--transport", "ws", "--allow-clear-password"])
        try phone.waitUntilConnected()
        return phone
    }
}
