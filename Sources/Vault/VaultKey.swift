import Base
import Crypto
import FoundationEssentials
import Glibc

/// The secret that opens a vault: 32 bytes or more, from a systemd credential or a key file.
///
/// It prints as a placeholder, and its memory is wiped when the last copy goes.
public struct VaultKey: Sendable {
    /// The name under which `LoadCredentialEncrypted=` hands the key over.
    public static let credentialName = "offhook-vault-key"
    static let bytesMinimum = 32
    static let bytesMaximum = 4_096

    private let material: SymmetricKey

    /// Makes a key file (mode 600, 32 random bytes) where there was none.
    public static func create(at path: String) throws(VaultError) -> VaultKey {
        let key = SymmetricKey(size: .bits256)
        var bytes = unsafe key.withUnsafeBytes { unsafe Array($0) }
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) } }
        do {
            try PrivateFile.create(path, bytes)
        } catch .system(_, _, EEXIST) {
            throw .alreadyExists(path: path)
        }
        return VaultKey(material: key)
    }

    /// Finds the key: the systemd credential if the service manager gave one, else the key file.
    /// - Parameter credentialsDirectory: The value of `$CREDENTIALS_DIRECTORY`, if set.
    public static func find(keyFile: String, credentialsDirectory: String?) throws(VaultError) -> VaultKey {
        var places: [String] = []
        if let credentialsDirectory {
            let path = credentialsDirectory + "/" + credentialName
            // The service manager may grant access by an ACL, whose mask shows as group permission.
            if let key = try read(path, forbidden: 0o007) { return key }
            places.append(path)
        }
        if let key = try read(keyFile, forbidden: 0o077) { return key }
        throw .keyNotFound(places: places + [keyFile])
    }

    /// Nil when there is no such file.
    private static func read(_ path: String, forbidden: mode_t) throws(VaultError) -> VaultKey? {
        var bytes: [UInt8]
        do {
            bytes = try PrivateFile.read(path, limit: bytesMaximum) { (status) throws(VaultError) in
                let mode = status.st_mode & 0o777
                guard mode & forbidden == 0 else { throw .permissionsTooOpen(path: path, mode: mode) }
                guard status.st_uid == geteuid() || status.st_uid == 0 else {
                    throw .keyUnusable(path: path, why: "it belongs to another user, who can read it")
                }
            }
        } catch .system(_, _, ENOENT) {
            return nil
        } catch .tooLarge {
            throw .keyUnusable(path: path, why: "it is longer than \(bytesMaximum) bytes")
        }
        defer { unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) } }
        guard bytes.count >= bytesMinimum else {
            throw .keyUnusable(path: path, why: "it has \(bytes.count) bytes; expected \(bytesMinimum) or more")
        }
        return VaultKey(material: SymmetricKey(data: bytes))
    }

    /// The secrets of one sealed file (RFC 5869): a fresh salt gives a key that never sealed anything else.
    func derive(_ purpose: String, salt: [UInt8], bytes: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Array("offhook vault 1 \(purpose)".utf8),
            outputByteCount: bytes)
    }
}

extension VaultKey: CustomStringConvertible, CustomReflectable {
    public var description: String { "‹vault key›" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
