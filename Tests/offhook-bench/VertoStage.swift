import Base
import Bench
import JSON

/// A Verto server in Telnyx's dialect, and two phones with accounts there: Alice by a password, Bob by a token. Their
/// voice bypasses it.
final class VertoStage {
    static let bobsNumber = "102"

    let alice: RigPhone
    let bob: RigPhone
    private let server: VertoServer

    /// - Parameters:
    ///   - program: The phone's.
    ///   - python: One that has aiortc.
    ///   - server: `verto.py`.
    init(program: String, folder: String, board: String, wire: String, python: String, server: String) throws {
        let place = try Stage.place(folder, program: program, board: board, wire: wire)
        // Names of this demonstration only; the server is reachable from this machine only.
        let (password, token) = ("a-word-of-alice", "a.token.of-bob")
        let verto = try VertoServer(
            python: python, script: server, folder: place.path + "/server", dialect: "telnyx",
            logins: ["101": .password(password), Self.bobsNumber: .token(token)], more: ["--bypass-media"])
        func start(_ name: String, port: UInt16, country: String, secret: String, _ login: [String]) throws -> RigPhone
        {
            var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 100)
            settings.country = country
            let phone = try place.phoneFolder(name, settings)
            let file = phone.path + "/secret"
            try TextFile.write(secret, to: file)
            try phone.addAccount(
                program: place.program, label: "desk", server: "127.0.0.1:\(verto.port)",
                more: ["--kind", "telnyx", "--transport", "ws", "--display-name", name] + login + [file])
            return try RigPhone(name: name, folder: phone, program: place.program)
        }
        bob = try start("bob", port: 25_270, country: "GB", secret: token, ["--token-file"])
        alice = try start("alice", port: 25_260, country: "US", secret: password, ["--user", "101", "--password-file"])
        self.server = verto
        // A call to a user who is not logged in yet fails.
        for phone in [bob, alice] { try phone.waitUntilLine(is: ["registered"]) }
    }

    /// Ends all programs, and reports whether they stopped properly and in time, and whether the server had a fault.
    func stop() -> CheckList {
        var checks = Stage.stop([alice, bob])
        let bridged = server.events("bridged").last
        checks.expect("media past the server", bridged?["past"] == true, "it had offers and answers, and no voice")
        checks.expect("no fault of the server", server.events("fault").isEmpty, "\(server.events("fault").count)")
        server.stop()
        return checks
    }
}
