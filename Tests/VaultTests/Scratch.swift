import Base
import Glibc
import PhoneCore
import Vault

/// A separate folder for one test, removed with it.
final class Scratch: Sendable {
    let folder: String
    var vault: String { folder + "/vault" }
    var keyFile: String { folder + "/key" }

    init() throws {
        var template = Array("/tmp/offhook-vault-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw VaultError.system(operation: "make", path: "/tmp", code: errno)
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { _ = unsafe unlink(folder + "/" + name) }
        _ = unsafe rmdir(folder)
    }

    /// The files of the folder now; one that disappears during the call may be missing.
    var names: [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var found: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
                unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { found.append(name) }
        }
        return found
    }

    func key() throws -> VaultKey { try VaultKey.create(at: keyFile) }

    func write(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o600) {
        let file = unsafe open(folder + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, mode)
        precondition(file >= 0 && fchmod(file, mode) == 0, "the folder is ours")
        defer { close(file) }
        let written = unsafe Glibc.write(file, bytes, bytes.count)
        precondition(written == bytes.count, "the disk of the tests has room")
    }

    /// Empty when the file is not there (any more).
    func read(_ name: String) -> [UInt8] {
        let file = unsafe open(folder + "/" + name, O_RDONLY)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while case let count = unsafe Glibc.read(file, &block, block.count), count > 0 { all += block[..<count] }
        return all
    }
}

/// Runs `body` and returns the vault's error, or nil.
func failure(_ body: () throws(VaultError) -> Void) -> VaultError? {
    do {
        try body()
        return nil
    } catch {
        return error
    }
}

/// The error of opening the vault, or nil.
func openingFails(_ path: String, _ key: VaultKey, _ access: VaultFile.Access = .exclusive) -> VaultError? {
    failure { () throws(VaultError) in _ = try VaultFile.open(path, key: key, access: access) }
}

func entry(_ number: String, missed: MissedReason? = nil, reason: EndReason = .hungUpHere) -> HistoryEntry {
    HistoryEntry(
        direction: missed == nil ? .outgoing : .incoming, number: number, name: nil, account: .direct, started: .zero,
        answered: nil, ended: .zero, reason: reason, missed: missed, quality: nil)
}

func account(_ label: String, password: String = "correct horse") -> Account {
    Account(label: label, user: "alice", server: "sip.example.org", password: Redacted(password))
}

func context(_ organisation: String, password: String = "open sesame") -> OrganisationContext {
    OrganisationContext(
        account: AccountID(2),
        organisation: Organisation(id: OrganisationID(organisation), name: "The \(organisation)"),
        credentials: AccountCredentials(
            user: "gen-\(organisation)", password: Redacted(password), callerName: "Front Desk",
            callerNumber: "+4930555",
            server: AccountServer(kind: .verto, place: "pbx.\(organisation).example:8082", transport: .wss)))
}
