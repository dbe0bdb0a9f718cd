import Bench
import Foundation
import HostStalls
import Rig
import Testing

/// `offhook setup` from an empty folder to a running phone, with each kind of key that is in no file in clear.
@Suite(.serialized, .stallsForgiven) struct SetupKeyTests {
    private static let passphrase = "correct horse battery staple"
    /// A clear key is only in memory that is lost with the power.
    private static let memory = "/dev/shm"
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func setup(in folder: String, key: String, _ more: [String] = []) throws -> Command {
        let answers = workplace.path + "/answers.yaml"
        try TextFile.write(
            """
            board: simulator
            sound: {handset: "null", try: false}
            vault: \(key)
            account: {label: desk, user: "101", server: 127.0.0.1, no_password: true, try: false}

            """, to: answers)
        return try Command(
            ["setup", "--config", folder + "/offhook.yaml", "--answers", answers, "--yes"] + more, in: workplace)
    }

    private func accounts(in folder: String, credentials: String? = nil) throws -> Command {
        let environment = credentials.map { ["CREDENTIALS_DIRECTORY=\($0)"] } ?? []
        let words = [Workplace.phone, "account", "list", "--config", folder + "/offhook.yaml"]
        return try Command(program: ["env"] + environment + words, in: workplace)
    }

    @Test(
        .enabled(if: FileManager.default.isWritableFile(atPath: memory), "no folder in memory"),
        .limit(minutesEachTime: 1))
    func passphraseLocksKey() throws {
        let folder = "\(Self.memory)/oh-setup-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = workplace.path + "/passphrase"
        try TextFile.write(Self.passphrase + "\n", to: file)
        let made = try setup(in: folder, key: "{key: passphrase, passphrase_file: \(file)}")
        #expect(made.exit == .status(0) && made.output.contains("offhook vault unlock"), "\(made)")
        #expect(!made.output.contains(Self.passphrase))
        let locked = try accounts(in: folder)
        #expect(locked.failed && locked.output.contains("locked by a passphrase"), "\(locked)")
        let unlocked = try Command(
            ["vault", "unlock", "--password-file", file, "--config", folder + "/offhook.yaml"], in: workplace)
        #expect(unlocked.exit == .status(0), "\(unlocked)")
        let listed = try accounts(in: folder)
        #expect(listed.output.contains("desk  101 at 127.0.0.1"), "\(listed)")
    }

    @Test(.enabled(if: VaultKeyTests.canSeal, "systemd-creds cannot seal here"), .limit(minutesEachTime: 1))
    func sealedKeyIsInNoFileInClear() throws {
        let (folder, credential) = (workplace.path + "/new", workplace.path + "/key.cred")
        let made = try setup(
            in: folder, key: "{key: sealed}", ["--with-key", "host", "--credential", credential, "--drop-in", ""])
        #expect(made.exit == .status(0) && made.output.contains("LoadCredentialEncrypted="), "\(made)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/vault.key"))
        #expect(try accounts(in: folder).failed)

        // The same as systemd before it starts the phone.
        let credentials = workplace.path + "/credentials"
        try TextFile.makeFolder(credentials)
        let name = "offhook-vault-key"
        let opened = try Command(
            program: ["systemd-creds", "--name=\(name)", "decrypt", credential, credentials + "/" + name],
            in: workplace)
        #expect(opened.exit == .status(0) && chmod(credentials + "/" + name, 0o400) == 0, "\(opened)")
        let listed = try accounts(in: folder, credentials: credentials)
        #expect(listed.output.contains("desk  101 at 127.0.0.1"), "\(listed)")
    }
}
