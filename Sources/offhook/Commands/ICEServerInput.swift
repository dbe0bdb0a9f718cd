import ArgumentParser
import Base
import Vault

/// Options for ICE and its servers. The password of TURN servers comes from a file or a prompt.
struct ICEServerInput: ParsableArguments {
    @Option(
        help: """
            How calls find a path (ICE): off, answered (if the far end offers it), always, or relayed (always, and \
            only through TURN servers). Default: answered; for Verto and Telnyx always.
            """)
    var ice: Account.ICE.Policy?

    @Option(help: ArgumentHelp("STUN server, which tells this phone its public address.", valueName: "host[:port]"))
    var stun: [String] = []

    @Option(
        help: ArgumentHelp(
            "TURN server, which also relays. Prefix turns: for TLS; suffix ?transport=tcp for TCP.",
            valueName: "user@host[:port]"))
    var turn: [String] = []

    @Option(help: "Read the password for the TURN servers from this file.")
    var turnPasswordFile: String?

    func validate() throws {
        do {
            _ = try ICEServerText.stun(stunList ?? "")
            _ = try ICEServerText.turn(turnList ?? "")
        } catch {
            throw ValidationError(error.atCommandLine)
        }
    }

    /// Nil: no option named a server.
    var stunList: String? { stun.isEmpty ? nil : stun.joined(separator: " ") }
    var turnList: String? { turn.isEmpty ? nil : turn.joined(separator: " ") }

    /// Whether the servers need a password, or somebody gave one.
    var hasPassword: Bool { turnPasswordFile != nil || turnList.map { !$0.isEmpty } ?? false }

    /// Reads the password of the TURN servers; asks when no file was named.
    func readPassword() throws -> Redacted<String> {
        var secret = SecretInput()
        secret.passwordFile = turnPasswordFile
        return try secret.read(asking: "Password for the TURN servers: ")
    }
}

extension Account.ICE.Policy: ExpressibleByArgument {}
