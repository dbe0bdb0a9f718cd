import Bench
import Foundation
import Rig
import Testing

/// The places of the vault's key, and that some key opens the vault at any moment.
@Suite(.serialized) struct VaultKeyTests {
    private static let name = "offhook-vault-key"
    /// Binds to a file of root's on the same disk: the only way on a machine without a TPM.
    static let canSeal: Bool = {
        let log = NSTemporaryDirectory() + "oh-creds-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: log) }
        let words = ["sh", "-c", "echo | systemd-creds --with-key=host --name=x encrypt - -"]
        return (try? ChildProcess(words, log: log).wait(upTo: .seconds(20))) == .status(0)
    }()

    private let workplace: Workplace
    private let folder: PhoneFolder

    init() throws {
        workplace = try Workplace()
        folder = try PhoneFolder(
            path: workplace.path + "/phone", board: Workplace.board, card: try workplace.soundCard("phone"),
            settings: .init(port: 26_280, firstMediaPort: 26_620))
    }

    private var keyFile: String { folder.path + "/vault.key" }
    private var credential: String { folder.path + "/key.cred" }

    private func isThere(_ file: String) -> Bool { FileManager.default.fileExists(atPath: file) }
    private func bytes(_ file: String) -> Data { FileManager.default.contents(atPath: file) ?? Data() }

    private func offhook(_ words: String..., environment: [String: String] = [:]) throws -> Command {
        try run([Workplace.phone] + words + ["--config", folder.configuration], environment)
    }

    private func run(_ words: [String], _ environment: [String: String] = [:]) throws -> Command {
        try Command(
            program: ["env"] + environment.map { "\($0.key)=\($0.value)" } + words, in: workplace)
    }

    private func seal(environment: [String: String] = [:]) throws -> Command {
        try offhook(
            "vault", "seal", "--with-key", "host", "--credential", credential, "--drop-in",
            folder.path + "/unit/key.conf",
            environment: environment)
    }

    @Test func keyFileWarnsAboutCopies() throws {
        let made = try offhook("vault", "init")
        #expect(made.exit == .status(0) && made.output.contains("Anyone who copies both files"))
        #expect(made.output.contains("vault seal") && made.output.contains("--key passphrase"))
    }

    /// A new key beside the vault would open nothing, and hide that the first one is missing.
    @Test(arguments: ["file", "passphrase", "sealed"])
    func vaultWithMissingKeyGetsNoSecondKey(_ place: String) throws {
        _ = try offhook("vault", "init", "--key", "file")
        let (key, away) = (bytes(keyFile), folder.path + "/away")
        try FileManager.default.moveItem(atPath: keyFile, toPath: away)
        let secret = workplace.path + "/secret"
        try TextFile.write("correct horse battery staple\n", to: secret)
        let more = place == "passphrase" ? ["--password-file", secret] : ["--credential", credential, "--drop-in", ""]
        let again = try run(
            [Workplace.phone, "vault", "init", "--key", place, "--config", folder.configuration] + more, [:])
        #expect(again.failed && again.output.contains("restore its key from a copy"), "\(again)")
        #expect(!isThere(keyFile) && !isThere(credential))
        for words in [["account", "list"], ["vault", "check"]] {
            let lost = try run([Workplace.phone] + words + ["--config", folder.configuration], [:])
            #expect(lost.failed && !lost.output.contains("vault init"), "\(lost)")
        }
        try FileManager.default.moveItem(atPath: away, toPath: keyFile)
        #expect(try offhook("vault", "check").exit == .status(0) && bytes(keyFile) == key)
    }

    @Test(.enabled(if: canSeal, "systemd-creds cannot seal here"))
    func sealedKeyOpensVaultAndIsInNoFileInClear() throws {
        _ = try offhook("vault", "init")
        let key = bytes(keyFile)
        let sealed = try seal()
        #expect(sealed.exit == .status(0) && sealed.output.contains("removed"), "\(sealed)")
        #expect(!isThere(keyFile) && key.count == 32)
        for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            #expect(bytes(folder.path + "/" + file).range(of: key) == nil, "\(file) has the key")
        }
        let unit = try String(contentsOfFile: folder.path + "/unit/key.conf", encoding: .utf8)
        #expect(unit == "[Service]\nLoadCredentialEncrypted=\(Self.name):\(credential)\n")
        let lost = try offhook("vault", "check")
        #expect(lost.failed && lost.output.contains("no vault key found"))

        // The same as systemd before it starts the phone.
        let credentials = workplace.path + "/credentials"
        try FileManager.default.createDirectory(atPath: credentials, withIntermediateDirectories: true)
        let opened = try run([
            "systemd-creds", "--name=\(Self.name)", "decrypt", credential, credentials + "/" + Self.name,
        ])
        #expect(opened.exit == .status(0) && bytes(credentials + "/" + Self.name) == key, "\(opened)")
        #expect(chmod(credentials + "/" + Self.name, 0o400) == 0)
        #expect(try offhook("vault", "check", environment: ["CREDENTIALS_DIRECTORY": credentials]).exit == .status(0))
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone,
            prefix: ["env", "CREDENTIALS_DIRECTORY=\(credentials)"])
        #expect(try phone.ask("getSnapshot")["calls"] != nil)
        #expect(phone.process.stop().exit == .status(0))
    }

    @Test(.enabled(if: canSeal, "systemd-creds cannot seal here"))
    func sealedKeyOfNewVaultIsNeverInFile() throws {
        let made = try offhook(
            "vault", "init", "--key", "sealed", "--with-key", "host", "--credential", credential, "--drop-in", "")
        #expect(made.exit == .status(0) && made.output.contains("LoadCredentialEncrypted="), "\(made)")
        #expect(!isThere(keyFile) && isThere(credential) && isThere(folder.path + "/vault"))
    }

    /// A `systemd-creds` that fails.
    @Test(arguments: [
        "exit 1", "cat > /dev/null", "cat", "case \"$*\" in *decrypt*) head -c 32 /dev/zero;; *) cat;; esac",
        "case \"$*\" in *decrypt*) exit 1;; *) cat;; esac", "exec < /dev/null; kill -9 $$",
    ])
    func failedSealKeepsKeyFile(_ script: String) throws {
        _ = try offhook("vault", "init")
        let tools = workplace.path + "/tools"
        try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
        try TextFile.write("#!/bin/sh\n\(script)\n", to: tools + "/systemd-creds")
        #expect(chmod(tools + "/systemd-creds", 0o755) == 0)
        let path = tools + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let sealed = try seal(environment: ["PATH": path])
        #expect(sealed.failed, "\(sealed)")
        #expect(try offhook("vault", "check").exit == .status(0))
        #expect(!isThere(credential), "a key that does not open the vault is removed")
    }

    /// Goal: a key opens the vault at any moment. Method: the command dies at 25 moments.
    @Test(.enabled(if: canSeal, "systemd-creds cannot seal here"), .limit(minutesEachTime: 3))
    func interruptedSealKeepsKey() throws {
        _ = try offhook("vault", "init")
        let key = bytes(keyFile)
        var died = 0
        for round in 0..<25 {
            let child = try ChildProcess(
                [
                    Workplace.phone, "vault", "seal", "--config", folder.configuration, "--with-key", "host",
                    "--credential", credential, "--drop-in", folder.path + "/unit/key.conf",
                ], log: workplace.path + "/seal.log")
            usleep(UInt32(round) * 4_000)
            child.signal(SIGKILL)
            if child.wait(upTo: .seconds(10)) == .signal(SIGKILL) { died += 1 }
            if isThere(keyFile) {
                #expect(bytes(keyFile) == key)
            } else {
                let back = workplace.path + "/back"
                try? FileManager.default.removeItem(atPath: back)
                _ = try run(["systemd-creds", "--name=\(Self.name)", "decrypt", credential, back])
                #expect(bytes(back) == key, "round \(round): nothing opens the vault")
                try key.write(to: URL(fileURLWithPath: keyFile))
                #expect(chmod(keyFile, 0o600) == 0)
            }
        }
        #expect(died > 5, "of 25")
    }

    @Test func passphraseLocksKeyUntilMachineStops() throws {
        let memory = "/dev/shm/oh-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: memory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: memory) }
        let (right, wrong) = (workplace.path + "/right", workplace.path + "/wrong")
        try TextFile.write("correct horse battery staple\n", to: right)
        try TextFile.write("incorrect horse battery\n", to: wrong)
        let short = try offhook("vault", "init", "--key", "passphrase", "--password-file", "/dev/null")
        #expect(short.failed && !isThere(keyFile))
        let made = try offhook("vault", "init", "--key", "passphrase", "--password-file", right)
        #expect(made.exit == .status(0), "\(made)")
        let locked = try offhook("vault", "check")
        #expect(locked.failed && locked.output.contains("locked by a passphrase"), "\(locked)")
        try haveSocket(in: memory)
        let guess = try offhook("vault", "unlock", "--password-file", wrong)
        #expect(guess.failed && guess.output.contains("the passphrase is wrong"), "\(guess)")
        #expect(try offhook("vault", "check").failed)
        let unlocked = try offhook("vault", "unlock", "--password-file", right)
        #expect(unlocked.exit == .status(0), "\(unlocked)")
        #expect(try offhook("vault", "check").exit == .status(0))
        #expect(bytes(keyFile).range(of: bytes(memory + "/unlocked.key")) == nil)
    }

    /// The key would be beside the socket.
    @Test(
        .enabled(
            if: disk != nil, "neither the folder for temporary files, nor that of the build, nor /var/tmp is on a disk")
    )
    func openKeyIsNeverOnDisk() throws {
        let unlocked = "\(try #require(Self.disk))/oh-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: unlocked, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: unlocked) }
        let secret = workplace.path + "/secret"
        try TextFile.write("correct horse battery staple\n", to: secret)
        let made = try offhook("vault", "init", "--key", "passphrase", "--password-file", secret)
        #expect(made.exit == .status(0), "\(made)")
        try haveSocket(in: unlocked)
        let refused = try offhook("vault", "unlock", "--password-file", secret)
        #expect(refused.failed && refused.output.contains("on a disk"), "\(refused)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: unlocked).isEmpty)
    }

    /// A folder that keeps its files when the power goes. On many machines the folder for temporary files is in
    /// memory.
    private static let disk = [NSTemporaryDirectory(), Workplace.products, "/var/tmp"].first { folder in
        let script = "kind=$(stat -f -c %T \"$0\"); case $kind in tmpfs|ramfs) exit 1;; esac"
        return (try? ChildProcess(["sh", "-ec", script, folder], log: "/dev/null").wait(upTo: .seconds(10)))
            == .status(0)
    }

    private func haveSocket(in place: String) throws {
        let text = try String(contentsOfFile: folder.configuration, encoding: .utf8)
        try TextFile.write(
            text.replacingOccurrences(of: "socket: control.sock", with: "socket: \(place)/control.sock"),
            to: folder.configuration)
    }
}
