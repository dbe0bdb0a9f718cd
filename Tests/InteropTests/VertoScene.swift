import Bench
import Rig

/// A Verto server on the second of two hosts with a real wire between them, and phones of its users on either.
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
        let folder = try workplace.phoneFolder("phone-\(user)", settings)
        let secret = folder.path + "/password"
        try TextFile.write(VertoServer.password(of: user), to: secret)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: user, server: "\(hosts.second.address):\(server.port)",
            more: ["--kind", kind, "--transport", "ws", "--password-file", secret])
        let phone = try RigPhone(
            name: "phone-\(user)", folder: folder, program: Workplace.phone, prefix: host.prefix)
        try phone.waitUntilLine(is: ["registered"])
        try phone.waitUntilConnected()
        return phone
    }
}
