import Bench
import Rig

extension RigPhone {
    /// A phone with an account at a server that speaks Verto, once it is registered there.
    ///
    /// - Parameters:
    ///   - kind: The account's: `telnyx` or `verto`.
    ///   - server: Its host and port.
    ///   - more: Further options of `account add`.
    convenience init(
        verto user: String, _ kind: String, at server: String, name: String, folder: PhoneFolder,
        prefix: [String] = [], more: [String]
    ) throws {
        let secret = folder.path + "/password"
        try TextFile.write(VertoServer.password(of: user), to: secret)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: user, server: server,
            more: ["--kind", kind, "--password-file", secret] + more)
        try self.init(name: name, folder: folder, program: Workplace.phone, prefix: prefix)
        try waitUntilLine(is: ["registered"])
    }
}
